#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "core/gemm/step_by_step.h"

namespace meshslice {
namespace {

/// OS: X by tokens, W and Y by columns. LS: X and W by the inner dimension, Y by tokens. RS: X by tokens, Y'
/// by columns.
Layouts tensor_parallel_layouts(Dataflow dataflow) {
    switch (dataflow) {
    case Dataflow::OS: return {{{{the_ring}, {}}, {{}, {the_ring}}, {{}, {the_ring}}}};
    case Dataflow::LS: return {{{{}, {the_ring}}, {{}, {the_ring}, true}, {{the_ring}, {}}}};
    case Dataflow::RS: break;
    }
    return {{{{the_ring}, {}, true}, {{}, {the_ring}}, {{}, {the_ring}}}};
}

Result<void> fits_tensor_parallel(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    return fits_ring(shape, tensor_parallel_layouts(dataflow), torus, dataflow == Dataflow::RS ? "K" : "M",
                     dataflow == Dataflow::RS ? shape.k : shape.m, "1D tensor parallelism");
}

/// The activations are gathered before a column-parallel layer (OS, and RS for its weights' gradient) or
/// scattered after a row-parallel one (LS), overlapped by Wang's decomposition. The weights never move.
Result<Program> write_tensor_parallel(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                      const GemmOptions&) {
    if (const Result<void> fit = fits_tensor_parallel(shape, dataflow, torus); !fit) {
        return refuse(fit.error());
    }
    using enum ProgramWriter::Factor;
    using enum Dimension;
    ProgramWriter chip(shape, dataflow, torus, tensor_parallel_layouts(dataflow));
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
    const std::int64_t P = torus.chips();

    switch (dataflow) {
    case Dataflow::OS:
        gather_step_by_step(chip, A, {the_ring, rows, P, P}, [&](ValueId A_s, Turns turns) {
            chip.put_chunks(C, chip.multiply(A_s, as_is, B, as_is), the_ring, rows, turns);
        });
        break;
    case Dataflow::LS:
        scatter_step_by_step(chip, C, {the_ring, rows, P, P}, [&](Turns turns) {
            return chip.multiply(chip.take_chunks(A, the_ring, rows, turns), as_is, B, transposed);
        });
        break;
    case Dataflow::RS:
        gather_step_by_step(chip, A, {the_ring, rows, P, P}, [&](ValueId A_s, Turns turns) {
            chip.multiply_add(C, A_s, transposed, chip.take_chunks(B, the_ring, rows, turns), as_is);
        });
        break;
    }
    return std::move(chip).finish();
}

/// QKV and FF1 are column-parallel, Output and FF2 row-parallel, so that the next layer can use what one
/// leaves without moving it.
Stationary column_then_row_parallel(std::size_t index) {
    return index % 2 == 0 ? Stationary::Y : Stationary::X;
}

} // namespace

namespace gemm {

extern constinit const Algorithm tensor_parallel{
    .id = "1d-tp",
    .title = "1D tensor parallel",
    .summary = "One ring: activations are gathered before a column-parallel layer and scattered after a "
               "row-parallel one, overlapped step by step; the weights never move.",
    .source = "MeshSlice paper (ISCA 2025), section 4.3; Korthikanti et al. (2022)",
    .needs = "One closed ring through all chips; the tokens and the layer's width divide by their number.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .torus_axes = 1,
    .plan_axes = {PlanAxis::tensor1},
    .stationary = column_then_row_parallel,
    .write = write_tensor_parallel,
};

} // namespace gemm
} // namespace meshslice
