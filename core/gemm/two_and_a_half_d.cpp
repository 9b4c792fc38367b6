#include "core/gemm/two_and_a_half_d.h"

#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

#include <fmt/format.h>

#include <array>
#include <functional>

namespace meshslice {
namespace {

Layouts layered_layouts(Dataflow dataflow) {
    const std::vector<Axis> rows = {Axis::vertical};
    const std::vector<Axis> columns = {Axis::horizontal};
    return {{{rows, columns, dataflow == Dataflow::RS},
             {rows, columns, dataflow == Dataflow::LS},
             {{Axis::vertical, Axis::third}, columns}}};
}

Result<void> fits(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    const std::int32_t P = torus.size(Axis::vertical);
    const std::int32_t c = torus.size(Axis::third);
    if (torus.axis_count() != 3 || torus.size(Axis::horizontal) != P || P % c != 0) {
        return refuse(fmt::format(
            "The mesh {} is not P x P x c with c a divisor of P; 2.5D GeMM needs such a torus, for "
            "example 16x16x4.",
            shape_text(torus)));
    }
    if (const auto closed = needs_rings(torus, {Axis::vertical, Axis::horizontal}, "2.5D GeMM"); !closed) {
        return closed;
    }
    return fits_layouts(shape, layered_layouts(dataflow), torus);
}

} // namespace

Result<Program> two_and_a_half_d(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                 const GemmOptions&) {
    if (const Result<void> fit = fits(shape, dataflow, torus); !fit) {
        return refuse(fit.error());
    }
    using enum ProgramWriter::Factor;
    ProgramWriter chip(shape, dataflow, torus, layered_layouts(dataflow));
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
    const std::int64_t R = torus.size(Axis::vertical) / torus.size(Axis::third); // Rounds of each layer.
    const ValueId C_layer =
        chip.buffer("C'", shape.m / torus.size(Axis::vertical), shape.n / torus.size(Axis::horizontal));
    const auto rounds = [&](const std::function<void()>& body) {
        if (R > 1) {
            chip.loop(R - 1, body);
        }
    };
    // As in Cannon's algorithm, but layer z begins R z shards further on.
    const std::array<std::int64_t, 3> by_row = {-1, 0, -R};
    const std::array<std::int64_t, 3> by_column = {0, -1, -R};

    switch (dataflow) {
    case Dataflow::OS: {
        const ValueId A_k = chip.skew(A, Axis::horizontal, by_row);
        const ValueId B_k = chip.skew(B, Axis::vertical, by_column);
        rounds([&] {
            chip.multiply_add(C_layer, A_k, as_is, B_k, as_is);
            chip.shift_col(A_k, -1);
            chip.shift_row(B_k, -1);
        });
        chip.multiply_add(C_layer, A_k, as_is, B_k, as_is);
        break;
    }
    case Dataflow::LS: {
        const ValueId B_n = chip.skew(B, Axis::vertical, by_column);
        const ValueId C_n = chip.buffer("C_n", chip.value(C_layer).rows, chip.value(C_layer).columns);
        rounds([&] {
            chip.add(C_n, chip.multiply(A, as_is, B_n, transposed));
            chip.shift_row(B_n, -1);
            chip.shift_col(C_n, -1);
        });
        chip.add(C_n, chip.multiply(A, as_is, B_n, transposed));
        chip.skew(C_n, C_layer, Axis::horizontal, R - 1, {1, 0, R});
        break;
    }
    case Dataflow::RS: {
        const ValueId A_m = chip.skew(A, Axis::horizontal, by_row);
        const ValueId C_m = chip.buffer("C_m", chip.value(C_layer).rows, chip.value(C_layer).columns);
        rounds([&] {
            chip.add(C_m, chip.multiply(A_m, transposed, B, as_is));
            chip.shift_col(A_m, -1);
            chip.shift_row(C_m, -1);
        });
        chip.add(C_m, chip.multiply(A_m, transposed, B, as_is));
        chip.skew(C_m, C_layer, Axis::vertical, R - 1, {0, 1, R});
        break;
    }
    }
    chip.reduce_scatter(C_layer, C, Axis::third, Dimension::rows);
    return std::move(chip).finish();
}

Result<std::vector<std::int64_t>> two_and_a_half_d_slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                                const Torus& torus, std::int64_t) {
    return fits(shape, dataflow, torus).map([] { return std::vector<std::int64_t>{1}; });
}

} // namespace meshslice
