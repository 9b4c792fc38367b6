#include "core/gemm/wang.h"

#include "core/gemm/sharded_gemm.h"
#include "core/gemm/step_by_step.h"
#include "core/program/writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace meshslice {
namespace {

/// What crosses a link along an axis when shards of `shard` elements go round its ring.
std::int64_t traffic(const Torus& torus, Axis axis, std::int64_t shard) {
    return (torus.size(axis) - 1) * shard;
}

/// The axis whose collective is decomposed: the caller's choice, or the one with more traffic.
Axis decomposed_axis(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                     const GemmOptions& options) {
    if (options.decomposed) {
        return *options.decomposed;
    }
    const std::int64_t a = shape.m * shape.k;
    const std::int64_t b = shape.k * shape.n;
    const std::int64_t c = shape.m * shape.n;
    const std::int64_t along_row = traffic(torus, Axis::horizontal, dataflow == Dataflow::LS ? c : a);
    const std::int64_t along_column = traffic(torus, Axis::vertical, dataflow == Dataflow::RS ? c : b);
    return along_row >= along_column ? Axis::horizontal : Axis::vertical;
}

Result<void> fits(const GemmShape& shape, Dataflow dataflow, const Torus& torus, const GemmOptions& options) {
    if (const Result<void> mesh = fits_mesh(shape, dataflow, torus); !mesh) {
        return mesh;
    }
    return needs_rings(torus, {decomposed_axis(shape, dataflow, torus, options)},
                       "the direction that Wang's algorithm decomposes");
}

std::vector<std::int64_t> divisors(std::int64_t chips) {
    std::vector<std::int64_t> counts;
    for (std::int64_t count = 1; count <= chips; ++count) {
        if (chips % count == 0) {
            counts.push_back(count);
        }
    }
    return counts;
}

} // namespace

Result<Program> wang(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                     const GemmOptions& options) {
    if (const Result<void> fit = fits(shape, dataflow, torus, options); !fit) {
        return refuse(fit.error());
    }
    const Axis axis = decomposed_axis(shape, dataflow, torus, options);
    const std::int64_t P = torus.size(axis);
    if (options.slices < 1 || P % options.slices != 0) {
        return refuse(
            fmt::format("S = {} iterations do not divide the ring of {} chips that is decomposed, along "
                        "the {} axis of the mesh {}. Counts that work: {}.",
                        options.slices, P, name(axis), shape_text(torus), fmt::join(divisors(P), ", ")));
    }
    using enum ProgramWriter::Factor;
    using enum Axis;
    using enum Dimension;
    ProgramWriter chip(shape, dataflow, torus);
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
    const auto decomposed = [&](Dimension dimension) {
        return Decomposed{axis, dimension, P, options.slices};
    };
    const bool along_row = axis == horizontal;

    switch (dataflow) {
    case Dataflow::OS:
        if (along_row) {
            const ValueId B_column = chip.all_gather_row(B);
            gather_step_by_step(chip, A, decomposed(columns), [&](ValueId A_s, Turns turns) {
                chip.multiply_add(C, A_s, as_is, chip.take_chunks(B_column, axis, rows, turns), as_is);
            });
        } else {
            const ValueId A_row = chip.all_gather_col(A);
            gather_step_by_step(chip, B, decomposed(rows), [&](ValueId B_s, Turns turns) {
                chip.multiply_add(C, chip.take_chunks(A_row, axis, columns, turns), as_is, B_s, as_is);
            });
        }
        break;
    case Dataflow::LS:
        if (along_row) {
            const ValueId B_column = chip.all_gather_row(B);
            scatter_step_by_step(chip, C, decomposed(columns), [&](Turns turns) {
                return chip.multiply(A, as_is, chip.take_chunks(B_column, axis, rows, turns), transposed);
            });
        } else {
            const ValueId C_partial = chip.buffer("C'", chip.value(C).rows, shape.n);
            gather_step_by_step(chip, B, decomposed(rows), [&](ValueId B_s, Turns turns) {
                chip.put_chunks(C_partial, chip.multiply(A, as_is, B_s, transposed), axis, columns, turns);
            });
            chip.reduce_scatter_col(C_partial, C);
        }
        break;
    case Dataflow::RS:
        if (along_row) {
            const ValueId C_partial = chip.buffer("C'", shape.m, chip.value(C).columns);
            gather_step_by_step(chip, A, decomposed(columns), [&](ValueId A_s, Turns turns) {
                chip.put_chunks(C_partial, chip.multiply(A_s, transposed, B, as_is), axis, rows, turns);
            });
            chip.reduce_scatter_row(C_partial, C);
        } else {
            const ValueId A_row = chip.all_gather_col(A);
            scatter_step_by_step(chip, C, decomposed(rows), [&](Turns turns) {
                return chip.multiply(chip.take_chunks(A_row, axis, columns, turns), transposed, B, as_is);
            });
        }
        break;
    }
    return std::move(chip).finish();
}

Result<std::vector<std::int64_t>> wang_slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                    const Torus& torus, const GemmOptions& options) {
    return fits(shape, dataflow, torus, options).map([&] {
        return divisors(torus.size(decomposed_axis(shape, dataflow, torus, options)));
    });
}

} // namespace meshslice
