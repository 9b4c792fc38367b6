#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/sourced.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshslice {

struct Machine;

/// What is asked of a GPU whose stores may feed a ring ("T3", ASPLOS 2024, Table 1 and sections 4.2 to 4.5),
/// in addition to what every chip has: its compute units are `Machine::cores`, the tile of a work-group is
/// `Machine::output_tile`, its last-level cache `Machine::on_chip_memory`. All 0 where they are not known:
/// such hardware makes no ring of this kind.
struct Gpu {
    Sourced<std::int64_t> workgroups; ///< that a compute unit runs at once, each with one output tile
    Sourced<Time> link_flight;        ///< of a byte to its receiver; the link is free meanwhile
    Sourced<double> near_memory_cost; ///< of an update that memory adds by itself, in plain writes
    /// Of the HBM's bandwidth, what a reduction by the compute units reaches, (0, 1].
    Sourced<double> reduction_share;
    Sourced<Bandwidth> unit_bandwidth; ///< of memory, of one compute unit that runs a collective

    bool operator==(const Gpu&) const = default;
};

/// Whether a GEMM's stores may feed rings of such chips: all of Gpu, the output tile and the links along one
/// or two axes are known.
[[nodiscard]] bool feeds_gpu_rings(const Machine& hardware);
/// ... along one axis.
[[nodiscard]] bool is_gpu_ring(const Machine& hardware);
/// Refuse others with a sentence: those that make no ring, and those that make no torus of two axes.
[[nodiscard]] Result<void> makes_gpu_ring(const Machine& hardware);
[[nodiscard]] Result<void> makes_gpu_torus(const Machine& hardware);

/// The GPUs in a ring, or a torus of two axes, that come with the program, in the order of their files'
/// names. They are no hardware_presets(), which are TPUs.
[[nodiscard]] const std::vector<Machine>& gpu_presets();
/// That of T3's paper.
[[nodiscard]] const Machine& papers_gpu();
/// By name; the error lists the names there are.
[[nodiscard]] Result<Machine> gpu_preset(std::string_view name);

} // namespace meshslice
