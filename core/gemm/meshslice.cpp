#include "core/gemm/meshslice.h"

#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace meshslice {
namespace {

Result<void> slices_fit(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                        const GemmOptions& options) {
    const std::vector<std::int64_t> counts = slice_counts(shape, dataflow, torus, options.block);
    if (std::binary_search(counts.begin(), counts.end(), options.slices)) {
        return {};
    }
    return refuse(
        fmt::format("S = {} slices of blocks of B = {} do not divide {} = {} over the mesh {}. Slice "
                    "counts that work: {}.",
                    options.slices, options.block, sliced_dimension_name(dataflow),
                    sliced_dimension(shape, dataflow), shape_text(torus), fmt::join(counts, ", ")));
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
    using enum ProgramWriter::Factor;
    ProgramWriter chip(shape, dataflow, torus);
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
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
    return std::move(chip).finish();
}

} // namespace meshslice
