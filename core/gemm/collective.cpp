#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

namespace meshslice {
namespace {

/// Gathers or scatters whole shards, multiplies once.
Result<Program> write_collective(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                 const GemmOptions&) {
    if (const Result<void> fits = fits_mesh(shape, dataflow, torus); !fits) {
        return refuse(fits.error());
    }
    using enum ProgramWriter::Factor;
    ProgramWriter chip(shape, dataflow, torus);
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();

    switch (dataflow) {
    case Dataflow::OS: {
        const ValueId A_row = chip.all_gather_col(A);
        const ValueId B_column = chip.all_gather_row(B);
        chip.multiply_into(C, A_row, as_is, B_column, as_is);
        break;
    }
    case Dataflow::LS: {
        const ValueId B_column = chip.all_gather_row(B);
        const ValueId C_partial = chip.multiply(A, as_is, B_column, transposed);
        chip.reduce_scatter_col(C_partial, C);
        break;
    }
    case Dataflow::RS: {
        const ValueId A_row = chip.all_gather_col(A);
        const ValueId C_partial = chip.multiply(A_row, transposed, B, as_is);
        chip.reduce_scatter_row(C_partial, C);
        break;
    }
    }
    return std::move(chip).finish();
}

} // namespace

namespace gemm {

extern constinit const Algorithm collective{
    .id = "collective",
    .title = "Collective",
    .summary = "One all-gather or reduce-scatter per direction, then one multiplication: the least "
               "communication, none of it hidden.",
    .source = "MeshSlice paper (ISCA 2025), section 2.3.4, Figure 2b",
    .needs = "A mesh of two axes; every matrix divides into one equal shard per chip, rows over the mesh's "
             "rows and columns over its columns.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .takes_turns = true,
    .write = write_collective,
};

} // namespace gemm
} // namespace meshslice
