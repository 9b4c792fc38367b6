#include "core/gemm/meshslice.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

#include <fmt/format.h>

namespace meshslice {

Result<void> slices_fit(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                        const GemmOptions& options) {
    if (const Result<void> known = fits_options(options); !known) {
        return known;
    }
    if (slice_count_works(shape, dataflow, torus, options.block, options.slices)) {
        return {};
    }
    return refuse(say("S = {} slices of blocks of B = {} do not divide {} = {} over the mesh {}.",
                      options.slices, options.block, sliced_dimension_name(dataflow),
                      sliced_dimension(shape, dataflow), shape_text(torus)));
}

Result<std::vector<std::int64_t>> meshslice_slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                         const Torus& torus, const GemmOptions& options) {
    return fits_options(options).and_then([&] { return fits_mesh(shape, dataflow, torus); }).map([&] {
        return slice_counts(shape, dataflow, torus, options.block);
    });
}

void slice_by_slice(ProgramWriter& chip, Dataflow dataflow, const GemmOptions& options, ValueId C,
                    SliceSums sums) {
    using enum ProgramWriter::Factor;
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const std::int64_t S = options.slices;
    const std::int64_t block =
        S == 1 ? 1 : options.block; // One slice is the whole shard, whatever its blocks.
    const auto fused = [&] {
        if (sums == SliceSums::fed_by_stores) {
            chip.fuse(options.tile * options.tile);
        }
    };

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
            fused();
            chip.put_slice_col(C, C_s, S, block);
        });
        break;
    case Dataflow::RS:
        chip.loop(S, [&] {
            const ValueId A_s = chip.slice_col(A, S, block);
            const ValueId A_gathered = chip.all_gather_col(A_s);
            const ValueId C_partial = chip.multiply(A_gathered, transposed, B, as_is);
            const ValueId C_s = chip.reduce_scatter_row(C_partial);
            fused();
            chip.put_slice_row(C, C_s, S, block);
        });
        break;
    }
}

namespace {

/// A loop of S partial collectives, each on one slice of the shards, with blocked slicing (Algorithm 2). S =
/// 1 is the Collective algorithm.
Result<Program> write_meshslice(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
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

} // namespace

namespace gemm {

extern constinit const Algorithm meshslice{
    .id = "meshslice",
    .title = "MeshSlice",
    .summary = "S partial collectives in both directions, each hidden behind the multiplication of another "
               "slice.",
    .source = "MeshSlice paper (ISCA 2025), section 3.1, Figure 5 and Algorithm 2",
    .needs = "A mesh of two axes; shards as for Collective; S times the block size B divides the sliced "
             "dimension's part on one chip along either axis.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .options = {{OptionId::block}, {OptionId::slices, Taken::exactly, meshslice_slice_counts}},
    .write = write_meshslice,
};

} // namespace gemm
} // namespace meshslice
