#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/cannon.h"
#include "core/gemm/sharded_gemm.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

Layouts layered_layouts(Dataflow dataflow) {
    const Axes rows = {Axis::vertical};
    const Axes columns = {Axis::horizontal};
    return {{{rows, columns, dataflow == Dataflow::RS},
             {rows, columns, dataflow == Dataflow::LS},
             {{Axis::vertical, Axis::third}, columns}}};
}

Result<void> fits_two_and_a_half_d(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    const std::int32_t P = torus.size(Axis::vertical);
    const std::int32_t c = torus.size(Axis::third);
    if (torus.axis_count() != 3 || torus.size(Axis::horizontal) != P || P % c != 0) {
        return refuse(say("The mesh {} is not P x P x c with c a divisor of P; 2.5D GeMM needs such a torus.",
                          shape_text(torus)));
    }
    if (const auto closed = needs_rings(torus, {Axis::vertical, Axis::horizontal}, "2.5D GeMM"); !closed) {
        return closed;
    }
    return fits_layouts(shape, layered_layouts(dataflow), torus);
}

/// Every layer of the third axis holds copies of A and B and does P / c of the rounds of Cannon's algorithm;
/// the layers' sums are scattered over the third axis, so C is cut c times finer.
Result<Program> write_two_and_a_half_d(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                       const GemmOptions&) {
    if (const Result<void> fit = fits_two_and_a_half_d(shape, dataflow, torus); !fit) {
        return refuse(fit.error());
    }
    ProgramWriter chip(shape, dataflow, torus, layered_layouts(dataflow));
    const std::int64_t P = torus.size(Axis::vertical);
    const ValueId C_layer = chip.buffer("C'", shape.m / P, shape.n / P);
    cannon_rounds(chip, dataflow, P / torus.size(Axis::third), C_layer);
    chip.reduce_scatter(C_layer, chip.output(), Axis::third, Dimension::rows);
    return std::move(chip).finish();
}

} // namespace

namespace gemm {

extern constinit const Algorithm two_and_a_half_d{
    .id = "2.5d",
    .title = "2.5D",
    .summary = "c layers of copies, each of which does its share of Cannon's rounds; the layers' sums are "
               "scattered at the end.",
    .source = "MeshSlice paper (ISCA 2025), section 7; Solomonik and Demmel (2011)",
    .needs = "A torus of P x P x c chips, c a divisor of P, closed rings in the first two axes.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .torus_axes = 3,
    .plan_axes = {PlanAxis::tensor2, PlanAxis::tensor1, PlanAxis::copies},
    .write = write_two_and_a_half_d,
};

} // namespace gemm
} // namespace meshslice
