#include "core/gemm/collective.h"

#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

namespace meshslice {

Result<Program> collective(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
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

} // namespace meshslice
