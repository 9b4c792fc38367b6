#include "core/gemm/cannon.h"

#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

Result<void> fits(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    if (torus.axis_count() == 2 && torus.size(Axis::vertical) != torus.size(Axis::horizontal)) {
        return refuse(
            fmt::format("The mesh {} is not square; Cannon's algorithm shifts shards along rows and columns "
                        "of as many chips, such as 16x16.",
                        shape_text(torus)));
    }
    if (const Result<void> rings =
            needs_rings(torus, {Axis::vertical, Axis::horizontal}, "Cannon's algorithm");
        !rings) {
        return rings;
    }
    return fits_mesh(shape, dataflow, torus);
}

/// Skews by minus the chip's row (column) number.
constexpr std::array<std::int64_t, 3> minus_row = {-1, 0, 0};
constexpr std::array<std::int64_t, 3> minus_column = {0, -1, 0};

} // namespace

Result<Program> cannon(const GemmShape& shape, Dataflow dataflow, const Torus& torus, const GemmOptions&) {
    if (const Result<void> fit = fits(shape, dataflow, torus); !fit) {
        return refuse(fit.error());
    }
    using enum ProgramWriter::Factor;
    ProgramWriter chip(shape, dataflow, torus);
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
    const std::int64_t P = torus.size(Axis::vertical);
    /// All rounds but the last, which has nothing to shift for.
    const auto rounds = [&](const std::function<void()>& body) {
        if (P > 1) {
            chip.loop(P - 1, body);
        }
    };

    switch (dataflow) {
    case Dataflow::OS: { // Chip (i, j) meets A and B of k = i + j, then of the next k.
        const ValueId A_k = chip.skew(A, Axis::horizontal, minus_row);
        const ValueId B_k = chip.skew(B, Axis::vertical, minus_column);
        rounds([&] {
            chip.multiply_add(C, A_k, as_is, B_k, as_is);
            chip.shift_col(A_k, -1);
            chip.shift_row(B_k, -1);
        });
        chip.multiply_add(C, A_k, as_is, B_k, as_is);
        break;
    }
    case Dataflow::LS: { // Chip (i, j) meets B and the sum for C of n = i + j, then of the next n.
        const ValueId B_n = chip.skew(B, Axis::vertical, minus_column);
        const ValueId C_n = chip.buffer("C_n", chip.value(C).rows, chip.value(C).columns);
        rounds([&] {
            chip.add(C_n, chip.multiply(A, as_is, B_n, transposed));
            chip.shift_row(B_n, -1);
            chip.shift_col(C_n, -1);
        });
        chip.add(C_n, chip.multiply(A, as_is, B_n, transposed));
        chip.skew(C_n, C, Axis::horizontal, -1, {1, 0, 0}); // Home: the sum for n stands at column n - i + 1.
        break;
    }
    case Dataflow::RS: { // Chip (i, j) meets A and the sum for C of m = i + j, then of the next m.
        const ValueId A_m = chip.skew(A, Axis::horizontal, minus_row);
        const ValueId C_m = chip.buffer("C_m", chip.value(C).rows, chip.value(C).columns);
        rounds([&] {
            chip.add(C_m, chip.multiply(A_m, transposed, B, as_is));
            chip.shift_col(A_m, -1);
            chip.shift_row(C_m, -1);
        });
        chip.add(C_m, chip.multiply(A_m, transposed, B, as_is));
        chip.skew(C_m, C, Axis::vertical, -1, {0, 1, 0});
        break;
    }
    }
    return std::move(chip).finish();
}

Result<std::vector<std::int64_t>> cannon_slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                      const Torus& torus, std::int64_t) {
    return fits(shape, dataflow, torus).map([] { return std::vector<std::int64_t>{1}; });
}

} // namespace meshslice
