#include "core/gemm/algorithms.h"

#include "core/gemm/cannon.h"
#include "core/gemm/collective.h"
#include "core/gemm/fsdp.h"
#include "core/gemm/meshslice.h"
#include "core/gemm/sharded_gemm.h"
#include "core/gemm/summa.h"
#include "core/gemm/tensor_parallel.h"
#include "core/gemm/two_and_a_half_d.h"
#include "core/gemm/wang.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace meshslice {
namespace {

Result<std::vector<std::int64_t>> only_whole_shards(const GemmShape& shape, Dataflow dataflow,
                                                    const Torus& torus, const GemmOptions&) {
    return fits_mesh(shape, dataflow, torus).map([] { return std::vector<std::int64_t>{1}; });
}

Result<std::vector<std::int64_t>> sliced_shards(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                                const GemmOptions& options) {
    return fits_options(options).and_then([&] { return fits_mesh(shape, dataflow, torus); }).map([&] {
        return slice_counts(shape, dataflow, torus, options.block);
    });
}

constexpr std::string_view shards_divide =
    "A mesh of two axes; every matrix divides into one equal shard per chip, rows "
    "over the mesh's rows and columns over its columns.";

/// QKV and FF1 are column-parallel, Output and FF2 row-parallel, so that what one leaves the next can use as
/// it lies.
Stationary column_then_row_parallel(std::size_t index) {
    return index % 2 == 0 ? Stationary::Y : Stationary::X;
}
Stationary always_y(std::size_t) {
    return Stationary::Y;
}

} // namespace

const std::vector<Algorithm>& algorithms() {
    static const std::vector<Algorithm> all = {
        {.id = "cannon",
         .title = "Cannon",
         .summary = "Skews the shards once, then multiplies and shifts by one chip, round after round: "
                    "simple, but with "
                    "more traffic, and only on square meshes.",
         .source = "MeshSlice paper (ISCA 2025), section 2.3.2; Cannon (1969)",
         .needs = "A square mesh of two closed rings; every matrix divides into one equal shard per chip.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 2,
         .slices = false,
         .write = cannon,
         .slice_counts = cannon_slice_counts},
        {.id = "summa",
         .title = "SUMMA",
         .summary =
             "Broadcasts or reduces panel by panel, each a stream of packets round the ring: any mesh, but "
             "bubbles while the streams fill and a synchronisation for every packet.",
         .source =
             "MeshSlice paper (ISCA 2025), section 2.3.3, Figures 2a and 3; van de Geijn and Watts (1997)",
         .needs = "A mesh of two axes; shards as for Collective; the panels, a common multiple of the mesh's "
                  "sides and of S, divide the sliced dimension; at most 64 panels an iteration; given a "
                  "count that does not work, "
                  "the largest below it that does is taken.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 2,
         .slices = true,
         .unrolls = true,
         .streams = true,
         .write = summa,
         .slice_counts = summa_iteration_counts},
        {.id = "collective",
         .title = "Collective",
         .summary = "One all-gather or reduce-scatter per direction, then one multiplication: the least "
                    "communication, none of it hidden.",
         .source = "MeshSlice paper (ISCA 2025), section 2.3.4, Figure 2b",
         .needs = shards_divide,
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 2,
         .slices = false,
         .write = collective,
         .slice_counts = only_whole_shards},
        {.id = "wang",
         .title = "Wang",
         .summary =
             "Takes the collective of one direction apart into steps that overlap with partial products; the "
             "other direction stays exposed.",
         .source = "MeshSlice paper (ISCA 2025), section 2.3.4; Wang et al. (ASPLOS 2023)",
         .needs = "A mesh of two axes, one of them a closed ring; shards as for Collective; S, the "
                  "iterations to which "
                  "the loop over the ring is unrolled, divides the ring's chips; given more, the largest "
                  "that does is taken.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 2,
         .slices = true,
         .unrolls = true,
         .decomposes = true,
         .write = wang,
         .slice_counts = wang_slice_counts},
        {.id = "meshslice",
         .title = "MeshSlice",
         .summary =
             "S partial collectives in both directions, each hidden behind the multiplication of another "
             "slice.",
         .source = "MeshSlice paper (ISCA 2025), section 3.1, Figure 5 and Algorithm 2",
         .needs = "A mesh of two axes; shards as for Collective; S times the block size B divides the sliced "
                  "dimension's part on one chip along either axis.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 2,
         .slices = true,
         .write = meshslice,
         .slice_counts = sliced_shards},
        {.id = "1d-tp",
         .title = "1D tensor parallel",
         .summary = "One ring: activations are gathered before a column-parallel layer and scattered after a "
                    "row-parallel one, overlapped step by step; the weights never move.",
         .source = "MeshSlice paper (ISCA 2025), section 4.3; Korthikanti et al. (2022)",
         .needs =
             "One closed ring through all chips; the tokens and the layer's width divide by their number.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 1,
         .slices = false,
         .stationary = column_then_row_parallel,
         .write = tensor_parallel,
         .slice_counts = tensor_parallel_slice_counts},
        {.id = "fsdp",
         .title = "FSDP",
         .summary = "Fully-sharded data parallelism on one ring: weights are gathered before use and their "
                    "gradients "
                    "scattered, overlapped step by step; the tokens never move.",
         .source = "MeshSlice paper (ISCA 2025), section 4.3; Zhao et al. (2023)",
         .needs =
             "One closed ring through all chips; the tokens and the layer's width divide by their number.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 1,
         .slices = false,
         .stationary = always_y,
         .write = fsdp,
         .slice_counts = fsdp_slice_counts},
        {.id = "2.5d",
         .title = "2.5D",
         .summary = "c layers of copies, each of which does its share of Cannon's rounds; the layers' sums "
                    "are scattered "
                    "at the end.",
         .source = "MeshSlice paper (ISCA 2025), section 7; Solomonik and Demmel (2011)",
         .needs = "A torus of P x P x c chips, c a divisor of P, closed rings in the first two axes.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 3,
         .slices = false,
         .write = two_and_a_half_d,
         .slice_counts = two_and_a_half_d_slice_counts},
        {.id = "meshslice-dp",
         .title = "MeshSlice + DP",
         .summary =
             "MeshSlice in every layer of a third axis that holds copies of the weights; their gradients are "
             "all-reduced over it.",
         .source = "MeshSlice paper (ISCA 2025), section 7",
         .needs = "A torus of three axes; shards as for MeshSlice, the tokens cut over the third axis too.",
         .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
         .torus_axes = 3,
         .slices = true,
         .write = meshslice_data_parallel,
         .slice_counts = meshslice_data_parallel_slice_counts},
    };
    return all;
}

Result<const Algorithm*> algorithm(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const Algorithm& candidate : algorithms()) {
        if (candidate.id == id) {
            return &candidate;
        }
        ids.push_back(candidate.id);
    }
    return refuse(fmt::format("There is no algorithm \"{}\"; there are {}.", id, fmt::join(ids, ", ")));
}

} // namespace meshslice
