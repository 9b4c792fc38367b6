#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

namespace meshslice {
namespace {

/// X and W by the inner dimension; every chip ends with all of Y.
Layouts summed_layouts() {
    return {{{{}, {the_ring}}, {{}, {the_ring}, true}, {{}, {}}}};
}

enum class Fused : std::uint8_t { no, yes };

/// A layer whose weights are split along the summed dimension: every chip makes a partial sum of the whole
/// output, which a ring reduce-scatter adds up and a ring all-gather shares. The same for every dataflow.
Result<Program> written(const GemmShape& shape, const Torus& torus, const GemmOptions& options, Fused fused) {
    const std::int64_t P = torus.chips();
    const bool by_rows = shape.m % P == 0 || shape.n % P != 0;
    if (const Result<void> fit = fits_ring(shape, summed_layouts(), torus, by_rows ? "M" : "N",
                                           by_rows ? shape.m : shape.n, "tensor parallelism");
        !fit) {
        return refuse(fit.error());
    }
    if (fused == Fused::yes && (P < 2 || torus.folded(the_ring))) {
        return refuse(
            said("A GEMM feeds a reduce-scatter on a ring of at least two chips that is not folded; "
                 "this is not such a ring."));
    }
    using enum ProgramWriter::Factor;
    ProgramWriter chip(shape, Dataflow::LS, torus, summed_layouts());
    const Dimension part = by_rows ? Dimension::rows : Dimension::columns;

    const ValueId C_partial = chip.multiply(chip.left(), as_is, chip.right(), transposed);
    const ValueId C_part = chip.reduce_scatter(C_partial, the_ring, part);
    if (fused == Fused::yes) {
        chip.fuse(options.tile * options.tile, options.chunk_order);
    }
    chip.all_gather(C_part, chip.output(), the_ring, part);
    return std::move(chip).finish();
}

Result<Program> write_in_sequence(const GemmShape& shape, Dataflow, const Torus& torus,
                                  const GemmOptions& options) {
    return written(shape, torus, options, Fused::no);
}
Result<Program> write_fused(const GemmShape& shape, Dataflow, const Torus& torus,
                            const GemmOptions& options) {
    return written(shape, torus, options, Fused::yes);
}

} // namespace

namespace gemm {

extern constinit const Algorithm tp_all_reduce{
    .id = "tp-ar",
    .title = "TP + all-reduce",
    .summary = "One ring: every GPU multiplies its part of the summed dimension, then a ring reduce-scatter "
               "and a ring all-gather share the sum, one after the other.",
    .source = "T3 (ASPLOS 2024), section 2.4, Figure 2: Sequential",
    .needs = "One closed ring through all chips; K, and M or N, divide by their number.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .torus_axes = 1,
    .plan_axes = {PlanAxis::tensor1},
    .on_gpu_rings = true,
    .takes_turns = true,
    .write = write_in_sequence,
};

extern constinit const Algorithm t3{
    .id = "t3",
    .title = "T3",
    .summary = "The same with the reduce-scatter fed by the stores of the GEMM: tiles are counted where they "
               "are stored, sent as soon as they are complete and added up near memory.",
    .source = "T3 (ASPLOS 2024), section 4, Figure 7",
    .needs = "One closed ring through at least two chips; K, and M or N, divide by their number.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .torus_axes = 1,
    .plan_axes = {PlanAxis::tensor1},
    .on_gpu_rings = true,
    .feeds_ring = true,
    .orders_chunks = true,
    .needs_no_units = true,
    .write = write_fused,
};

} // namespace gemm
} // namespace meshslice
