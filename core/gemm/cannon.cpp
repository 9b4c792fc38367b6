#include "core/gemm/cannon.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"

#include <fmt/format.h>

#include <array>
#include <functional>

namespace meshslice {
namespace {

Result<void> fits_cannon(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    if (torus.axis_count() == 2 && torus.size(Axis::vertical) != torus.size(Axis::horizontal)) {
        return refuse(
            say("The mesh {} is not square; Cannon's algorithm shifts shards along rows and columns "
                "of as many chips.",
                shape_text(torus)));
    }
    if (const Result<void> rings =
            needs_rings(torus, {Axis::vertical, Axis::horizontal}, "Cannon's algorithm");
        !rings) {
        return rings;
    }
    return fits_mesh(shape, dataflow, torus);
}

} // namespace

void cannon_rounds(ProgramWriter& chip, Dataflow dataflow, std::int64_t rounds, ValueId C) {
    using enum ProgramWriter::Factor;
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const std::int64_t R = rounds;
    // By minus the chip's row (column), and by R for every layer.
    const std::array<std::int64_t, 3> by_row = {-1, 0, -R};
    const std::array<std::int64_t, 3> by_column = {0, -1, -R};
    /// All rounds but the last, which has nothing to shift for.
    const auto all_but_the_last = [&](const std::function<void()>& body) {
        if (R > 1) {
            chip.loop(R - 1, body);
        }
    };
    const auto sums = [&](const char* name) {
        return chip.buffer(name, chip.value(C).rows, chip.value(C).columns);
    };

    switch (dataflow) {
    case Dataflow::OS: { // Chip (i, j) meets A and B of k = i + j, then of the next k.
        const ValueId A_k = chip.skew(A, Axis::horizontal, by_row);
        const ValueId B_k = chip.skew(B, Axis::vertical, by_column);
        all_but_the_last([&] {
            chip.multiply_add(C, A_k, as_is, B_k, as_is);
            chip.shift_col(A_k, -1);
            chip.shift_row(B_k, -1);
        });
        chip.multiply_add(C, A_k, as_is, B_k, as_is);
        break;
    }
    case Dataflow::LS: { // Chip (i, j) meets B and the sum for C of n = i + j, then of the next n.
        const ValueId B_n = chip.skew(B, Axis::vertical, by_column);
        const ValueId C_n = sums("C_n");
        all_but_the_last([&] {
            chip.add(C_n, chip.multiply(A, as_is, B_n, transposed));
            chip.shift_row(B_n, -1);
            chip.shift_col(C_n, -1);
        });
        chip.add(C_n, chip.multiply(A, as_is, B_n, transposed));
        chip.skew(C_n, C, Axis::horizontal, R - 1,
                  {1, 0, R}); // Home: the sum for n stands i + R - 1 before it.
        break;
    }
    case Dataflow::RS: { // Chip (i, j) meets A and the sum for C of m = i + j, then of the next m.
        const ValueId A_m = chip.skew(A, Axis::horizontal, by_row);
        const ValueId C_m = sums("C_m");
        all_but_the_last([&] {
            chip.add(C_m, chip.multiply(A_m, transposed, B, as_is));
            chip.shift_col(A_m, -1);
            chip.shift_row(C_m, -1);
        });
        chip.add(C_m, chip.multiply(A_m, transposed, B, as_is));
        chip.skew(C_m, C, Axis::vertical, R - 1, {0, 1, R});
        break;
    }
    }
}

namespace {

/// Skews the two moving matrices so that matching shards meet, then multiplies and shifts by one chip, P
/// times.
Result<Program> write_cannon(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                             const GemmOptions&) {
    if (const Result<void> fit = fits_cannon(shape, dataflow, torus); !fit) {
        return refuse(fit.error());
    }
    ProgramWriter chip(shape, dataflow, torus);
    cannon_rounds(chip, dataflow, torus.size(Axis::vertical), chip.output());
    return std::move(chip).finish();
}

} // namespace

namespace gemm {

extern constinit const Algorithm cannon{
    .id = "cannon",
    .title = "Cannon",
    .summary =
        "Skews the shards once, then multiplies and shifts by one chip, round after round: simple, but "
        "with more traffic, and only on square meshes.",
    .source = "MeshSlice paper (ISCA 2025), section 2.3.2; Cannon (1969)",
    .needs = "A square mesh of two closed rings; every matrix divides into one equal shard per chip.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .write = write_cannon,
};

} // namespace gemm
} // namespace meshslice
