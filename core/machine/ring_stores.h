#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/sourced.h"

#include <cstdint>

namespace meshslice {

struct Machine;

/// What a chip has whose stores may feed a ring while its GEMM runs ("T3", ASPLOS 2024, Table 1 and sections
/// 4.2 to 4.5), in addition to what every chip has: its compute units are `Machine::cores`, the tile of a
/// work-group is `Machine::output_tile`, its last-level cache `Machine::on_chip_memory`. 0: not known, and
/// such chips make no ring of this kind.
struct RingStores {
    Sourced<std::int64_t> workgroups; ///< that a compute unit runs at once, each with one output tile
    Sourced<Time> link_flight;        ///< of a byte to its receiver; the link is free meanwhile
    Sourced<double> near_memory_cost; ///< of an update that memory adds by itself, in plain writes
    /// Of the HBM's bandwidth, what a reduction by the compute units reaches, (0, 1].
    Sourced<double> reduction_share;
    Sourced<Bandwidth> unit_bandwidth; ///< of memory, of one compute unit that runs a collective

    bool operator==(const RingStores&) const = default;
};

/// Whether a GEMM's stores may feed rings of such chips: all of RingStores, the output tile and the links
/// along one or two axes are known.
[[nodiscard]] bool feeds_rings(const Machine& hardware);
/// Refuse others with a sentence: those that make no ring, and those that make no torus of two axes.
[[nodiscard]] Result<void> makes_fed_ring(const Machine& hardware);
[[nodiscard]] Result<void> makes_fed_torus(const Machine& hardware);

/// Takes the part away from a machine none of whose numbers of it is known.
void drop_unknown_stores(Machine& machine);

/// The preset of T3's paper.
[[nodiscard]] const Machine& t3_machine();

} // namespace meshslice
