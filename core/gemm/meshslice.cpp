#include "core/gemm/meshslice.h"

#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace meshslice {
namespace {

Result<void> slices_fit(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                        const GemmOptions& options) {
    if (const Result<void> known = fits_options(options); !known) {
        return known;
    }
    if (slice_count_works(shape, dataflow, torus, options.block, options.slices)) {
        return {};
    }
    return refuse(fmt::format(
        "S = {} slices of blocks of B = {} do not divide {} = {} over the mesh {}. Slice "
        "counts that work: {}.",
        options.slices, options.block, sliced_dimension_name(dataflow), sliced_dimension(shape, dataflow),
        shape_text(torus), fmt::join(slice_counts(shape, dataflow, torus, options.block), ", ")));
}

/// The loop of Figure 5; `C` is where the products go.
void slice_by_slice(ProgramWriter& chip, Dataflow dataflow, const GemmOptions& options, ValueId C) {
    using enum ProgramWriter::Factor;
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const std::int64_t S = options.slices;
    const std::int64_t block =
        S == 1 ? 1 : options.block; // One slice is the whole shard, whatever its blocks.

    switch (dataflow) {
    case Dataflow::OS:
        chip.loop(S, [&] {
            const ValueId A_s = chip.slice_col(A, S, block);
            const ValueId B_s = chip.slice_row(B, S, block);
            const ValueId A_gathered = chip.all_gather_col(A_s);
            const ValueId B_gathered = chip.all_gather_row(B_s);
            chip.multiply_add(C, A_gathered, as_is, B_gathered, as_is);
        });
        break;
    case Dataflow::LS:
        chip.loop(S, [&] {
            const ValueId B_s = chip.slice_row(B, S, block);
            const ValueId B_gathered = chip.all_gather_row(B_s);
            const ValueId C_partial = chip.multiply(A, as_is, B_gathered, transposed);
            const ValueId C_s = chip.reduce_scatter_col(C_partial);
            chip.put_slice_col(C, C_s, S, block);
        });
        break;
    case Dataflow::RS:
        chip.loop(S, [&] {
            const ValueId A_s = chip.slice_col(A, S, block);
            const ValueId A_gathered = chip.all_gather_col(A_s);
            const ValueId C_partial = chip.multiply(A_gathered, transposed, B, as_is);
            const ValueId C_s = chip.reduce_scatter_row(C_partial);
            chip.put_slice_row(C, C_s, S, block);
        });
        break;
    }
}

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
        return refuse(
            fmt::format("The mesh {} has no third axis for the copies of the weights; MeshSlice with data "
                        "parallelism needs one, such as 32x8x4.",
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

} // namespace

Result<Program> meshslice(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                          const GemmOptions& options) {
    if (const Result<void> fits = fits_mesh(shape, dataflow, torus); !fits) {
        return refuse(fits.error());
    }
    if (const Result<void> fits = slices_fit(shape, dataflow, torus, options); !fits) {
        return refuse(fits.error());
    }
    ProgramWriter chip(shape, dataflow, torus);
    slice_by_slice(chip, dataflow, options, chip.output());
    return std::move(chip).finish();
}

Result<Program> meshslice_data_parallel(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
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

Result<std::vector<std::int64_t>> meshslice_data_parallel_slice_counts(const GemmShape& shape,
                                                                       Dataflow dataflow, const Torus& torus,
                                                                       const GemmOptions& options) {
    const Result<void> fits =
        fits_options(options).and_then([&] { return fits_replicated(shape, dataflow, torus); });
    return fits.map([&] { return slice_counts(shape, dataflow, torus, options.block); });
}

} // namespace meshslice
