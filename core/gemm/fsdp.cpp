#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "core/gemm/step_by_step.h"

namespace meshslice {
namespace {

/// Everything is cut by rows: tokens for activations, inputs for weights.
Layouts fsdp_layouts(Dataflow dataflow) {
    return {{{{the_ring}, {}, dataflow == Dataflow::RS},
             {{the_ring}, {}, dataflow == Dataflow::LS},
             {{the_ring}, {}}}};
}

Result<void> fits_fsdp(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    return fits_ring(shape, fsdp_layouts(dataflow), torus, sliced_dimension_name(dataflow),
                     sliced_dimension(shape, dataflow), "fully-sharded data parallelism");
}

/// Every chip keeps its tokens; the weights are gathered before use (OS, LS) and their gradients scattered
/// (RS), overlapped by Wang's decomposition.
Result<Program> write_fsdp(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                           const GemmOptions&) {
    if (const Result<void> fit = fits_fsdp(shape, dataflow, torus); !fit) {
        return refuse(fit.error());
    }
    using enum ProgramWriter::Factor;
    using enum Dimension;
    ProgramWriter chip(shape, dataflow, torus, fsdp_layouts(dataflow));
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
    const std::int64_t P = torus.chips();

    switch (dataflow) {
    case Dataflow::OS:
        gather_step_by_step(chip, B, {the_ring, rows, P, P}, [&](ValueId B_s, Turns turns) {
            chip.multiply_add(C, chip.take_chunks(A, the_ring, columns, turns), as_is, B_s, as_is);
        });
        break;
    case Dataflow::LS:
        gather_step_by_step(chip, B, {the_ring, rows, P, P}, [&](ValueId B_s, Turns turns) {
            chip.put_chunks(C, chip.multiply(A, as_is, B_s, transposed), the_ring, columns, turns);
        });
        break;
    case Dataflow::RS:
        scatter_step_by_step(chip, C, {the_ring, rows, P, P}, [&](Turns turns) {
            return chip.multiply(chip.take_chunks(A, the_ring, columns, turns), transposed, B, as_is);
        });
        break;
    }
    return std::move(chip).finish();
}

Stationary always_y(std::size_t) {
    return Stationary::Y;
}

} // namespace

namespace gemm {

extern constinit const Algorithm fsdp{
    .id = "fsdp",
    .title = "FSDP",
    .summary = "Fully-sharded data parallelism on one ring: weights are gathered before use and their "
               "gradients scattered, overlapped step by step; the tokens never move.",
    .source = "MeshSlice paper (ISCA 2025), section 4.3; Zhao et al. (2023)",
    .needs = "One closed ring through all chips; the tokens and the layer's width divide by their number.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .torus_axes = 1,
    .plan_axes = {PlanAxis::sharded_data},
    .stationary = always_y,
    .write = write_fsdp,
};

} // namespace gemm
} // namespace meshslice
