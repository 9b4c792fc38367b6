#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/meshslice.h"
#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

#include <fmt/format.h>

#include <array>

namespace meshslice {
namespace {

/// The tokens are cut over the third axis too: rows of C in OS and LS, the summed dimension in RS.
const Layouts& replicated_layouts(Dataflow dataflow) {
    const auto layouts = [](Dataflow which) {
        const Axes rows = {Axis::vertical};
        const Axes tokens = {Axis::third, Axis::vertical};
        const Axes columns = {Axis::horizontal};
        const bool sums_tokens = which == Dataflow::RS;
        return Layouts{{{tokens, columns, sums_tokens},
                        {sums_tokens ? tokens : rows, columns, which == Dataflow::LS},
                        {sums_tokens ? rows : tokens, columns}}};
    };
    static const std::array<Layouts, 3> all = {layouts(Dataflow::OS), layouts(Dataflow::LS),
                                               layouts(Dataflow::RS)};
    return all[static_cast<std::size_t>(dataflow)];
}

Result<void> fits_replicated(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    if (torus.axis_count() != 3) {
        return refuse(say("The mesh {} has no third axis for the copies of the weights; MeshSlice with data "
                          "parallelism needs one.",
                          shape_text(torus)));
    }
    if (const auto fits = fits_layouts(shape, replicated_layouts(dataflow), torus); !fits) {
        return fits;
    }
    if (dataflow == Dataflow::RS) { // The all-reduce of the gradient scatters its rows over the copies.
        return divides("M", shape.m, parts(torus, {Axis::vertical, Axis::third}), torus);
    }
    return {};
}

/// Every layer multiplies its own tokens; the weights' gradients (RS) are all-reduced over the copies. The
/// tokens are the rows of C in OS and LS and the summed dimension in RS, as in the Y- and X-stationary rows
/// of Table 1.
Result<Program> write_meshslice_data_parallel(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                              const GemmOptions& options) {
    if (const Result<void> fits = fits_replicated(shape, dataflow, torus); !fits) {
        return refuse(fits.error());
    }
    if (const Result<void> fits = slices_fit(shape, dataflow, torus, options); !fits) {
        return refuse(fits.error());
    }
    ProgramWriter chip(shape, dataflow, torus, replicated_layouts(dataflow));
    const ValueId C = chip.output();
    if (dataflow != Dataflow::RS) {
        slice_by_slice(chip, dataflow, options, C);
        return std::move(chip).finish();
    }
    // Every layer has summed its own tokens: the gradients are all-reduced over the copies.
    const ValueId C_layer = chip.buffer("C'", chip.value(C).rows, chip.value(C).columns);
    slice_by_slice(chip, dataflow, options, C_layer);
    chip.all_gather(chip.reduce_scatter(C_layer, Axis::third, Dimension::rows), C, Axis::third,
                    Dimension::rows);
    return std::move(chip).finish();
}

Result<std::vector<std::int64_t>> counts(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                         const GemmOptions& options) {
    const Result<void> fits =
        fits_options(options).and_then([&] { return fits_replicated(shape, dataflow, torus); });
    return fits.map([&] { return slice_counts(shape, dataflow, torus, options.block); });
}

} // namespace

namespace gemm {

extern constinit const Algorithm meshslice_data_parallel{
    .id = "meshslice-dp",
    .title = "MeshSlice + DP",
    .summary = "MeshSlice in every layer of a third axis that holds copies of the weights; their gradients "
               "are all-reduced over it.",
    .source = "MeshSlice paper (ISCA 2025), section 7",
    .needs = "A torus of three axes; shards as for MeshSlice, the tokens cut over the third axis too.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .torus_axes = 3,
    .plan_axes = {PlanAxis::tensor2, PlanAxis::tensor1, PlanAxis::data},
    .options = {{OptionId::block}, {OptionId::slices, Taken::exactly, counts}},
    .write = write_meshslice_data_parallel,
};

} // namespace gemm
} // namespace meshslice
