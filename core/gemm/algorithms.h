#pragma once

#include "core/base/result.h"
#include "core/base/short_list.h"
#include "core/gemm/options.h"
#include "core/program/program.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshslice {

/// What an axis of its torus is to a plan: a side of the tensor-parallel grid (tensor1 splits heads and
/// widths, tensor2 tokens), data-parallel copies, copies that share the weights (ZeRO 3), or copies of all.
enum class PlanAxis : std::uint8_t { tensor1, tensor2, data, sharded_data, copies };

/// One distributed GEMM algorithm as the rest of the program knows it: data, and one
/// function that writes it. Each is the last thing in its own file, which algorithms.cpp lists.
struct Algorithm {
    std::string_view id;      ///< "meshslice"
    std::string_view title;   ///< "MeshSlice"
    std::string_view summary; ///< one sentence
    std::string_view source;  ///< publication and section
    std::string_view needs;   ///< what mesh and divisibility it asks for, as a sentence
    ShortList<Dataflow, 3> dataflows;
    int torus_axes = 2;                                                        ///< of the mesh
    ShortList<PlanAxis, 3> plan_axes = {PlanAxis::tensor2, PlanAxis::tensor1}; ///< one for each of them
    /// Whether it is one for GPUs whose GEMMs are made by work-groups and may feed rings (see
    /// feeds_rings()).
    bool on_gpu_rings = false;
    /// Whether its GEMM feeds its reduce-scatter, tile by tile (see Fusion).
    bool feeds_ring = false;
    /// Whether that takes GemmOptions::chunk_order.
    bool orders_chunks = false;
    /// Whether its GEMM and its collectives take turns, so that neither overlaps the other.
    bool takes_turns = false;
    /// Whether none of its collectives next to a GEMM is run by compute units.
    bool needs_no_units = false;
    /// The options that it takes. A search varies the first one most slowly.
    ShortList<OptionSpec, all_options.size()> options = {};
    /// Which matrix of a model's `index`-th layer stays put, where the algorithm has a rule of its own; null:
    /// the largest.
    Stationary (*stationary)(std::size_t index) = nullptr;

    /// Writes the program, or says what does not fit.
    Result<Program> (*write)(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                             const GemmOptions& options);

    /// The slice counts that work for this GEMM with the other options as given, ascending; {1} where the
    /// algorithm does not slice. Never empty when the GEMM fits the mesh.
    [[nodiscard]] Result<std::vector<std::int64_t>> slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                                 const Torus& torus,
                                                                 const GemmOptions& given) const;
};

/// The option as the algorithm takes it; null where it has no such option.
[[nodiscard]] const OptionSpec* option(const Algorithm& algorithm, OptionId id);
/// Whether the option means anything to the algorithm.
[[nodiscard]] bool takes(const Algorithm& algorithm, OptionId id);
/// Whether a given value is an upper bound: the algorithm takes the largest value up to it that works.
[[nodiscard]] bool takes_at_most(const Algorithm& algorithm, OptionId id);

/// Every algorithm that any hardware can run, in the order they are shown.
[[nodiscard]] const std::vector<Algorithm>& algorithms();
/// Those for rings of GPUs alone.
[[nodiscard]] const std::vector<Algorithm>& gpu_ring_algorithms();
/// Both kinds, in the order they are offered.
[[nodiscard]] const std::vector<Algorithm>& all_algorithms();
/// By id, of either kind; the error lists the ids of the first. The pointer stays valid.
[[nodiscard]] Result<const Algorithm*> algorithm(std::string_view id);

} // namespace meshslice
