#include "core/gemm/fsdp.h"

#include "core/gemm/sharded_gemm.h"
#include "core/gemm/step_by_step.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

/// The one axis of the ring.
constexpr Axis ring = Axis::vertical;

/// Everything is cut by rows: tokens for activations, inputs for weights.
Layouts ring_layouts(Dataflow dataflow) {
    return {{{{ring}, {}, dataflow == Dataflow::RS}, {{ring}, {}, dataflow == Dataflow::LS}, {{ring}, {}}}};
}

Result<void> fits(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    if (torus.axis_count() != 1) {
        return refuse(fmt::format(
            "The mesh {} has {} axes; fully-sharded data parallelism runs on one ring, such as 256.",
            shape_text(torus), torus.axis_count()));
    }
    if (const auto closed = needs_rings(torus, {ring}, "fully-sharded data parallelism"); !closed) {
        return closed;
    }
    if (const auto chunks = divides(dataflow == Dataflow::OS   ? "K"
                                    : dataflow == Dataflow::LS ? "N"
                                                               : "M",
                                    sliced_dimension(shape, dataflow), torus.chips(), torus);
        !chunks) {
        return chunks;
    }
    return fits_layouts(shape, ring_layouts(dataflow), torus);
}

} // namespace

Result<Program> fsdp(const GemmShape& shape, Dataflow dataflow, const Torus& torus, const GemmOptions&) {
    if (const Result<void> fit = fits(shape, dataflow, torus); !fit) {
        return refuse(fit.error());
    }
    using enum ProgramWriter::Factor;
    using enum Dimension;
    ProgramWriter chip(shape, dataflow, torus, ring_layouts(dataflow));
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
    const std::int64_t P = torus.chips();

    switch (dataflow) {
    case Dataflow::OS:
        gather_step_by_step(chip, B, ring, rows, P, [&](ValueId B_s, Turn turn) {
            chip.multiply_add(C, chip.take_chunks(A, ring, columns, turn), as_is, B_s, as_is);
        });
        break;
    case Dataflow::LS:
        gather_step_by_step(chip, B, ring, rows, P, [&](ValueId B_s, Turn turn) {
            chip.put_chunks(C, chip.multiply(A, as_is, B_s, transposed), ring, columns, turn);
        });
        break;
    case Dataflow::RS:
        scatter_step_by_step(chip, C, ring, rows, P, [&](Turn turn) {
            return chip.multiply(chip.take_chunks(A, ring, columns, turn), transposed, B, as_is);
        });
        break;
    }
    return std::move(chip).finish();
}

Result<std::vector<std::int64_t>> fsdp_slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                    const Torus& torus, std::int64_t) {
    return fits(shape, dataflow, torus).map([] { return std::vector<std::int64_t>{1}; });
}

} // namespace meshslice
