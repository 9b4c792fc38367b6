#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "core/gemm/step_by_step.h"
#include "core/program/writer.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

namespace meshslice {
namespace {

/// The elements of the matrix that the collective along an axis moves.
std::int64_t moved(const GemmShape& shape, Dataflow dataflow, Axis axis) {
    const bool along_row = axis == Axis::horizontal;
    if (dataflow == (along_row ? Dataflow::LS : Dataflow::RS)) {
        return shape.m * shape.n;
    }
    return along_row ? shape.m * shape.k : shape.k * shape.n;
}

/// The axis whose collective is decomposed: the caller's choice; else, of the closed rings that the
/// iterations divide, the one with more traffic. Where there is none, the one with more traffic.
Axis decomposed_axis(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                     const GemmOptions& options) {
    if (options.decomposed) {
        return *options.decomposed;
    }
    const auto rank = [&](Axis axis) {
        const std::int64_t chips = torus.size(axis);
        const bool closed = chips == 1 || torus.wraps(axis);
        const bool divides = options.slices >= 1 && chips % options.slices == 0;
        // What crosses a link of the axis: all but a chip's own part goes round, on as many rings as the
        // other axis has chips.
        const std::int64_t traffic = (chips - 1) * (moved(shape, dataflow, axis) / torus.chips());
        return std::tuple(closed, closed && divides, traffic);
    };
    return rank(Axis::horizontal) >= rank(Axis::vertical) ? Axis::horizontal : Axis::vertical;
}

Result<void> fits_wang(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                       const GemmOptions& options) {
    if (const Result<void> mesh = fits_mesh(shape, dataflow, torus); !mesh) {
        return mesh;
    }
    if (const Result<void> known = fits_options(options); !known) {
        return known;
    }
    if (options.decomposed && static_cast<int>(*options.decomposed) >= torus.axis_count()) {
        return refuse(say("The mesh {} has no {} axis whose collective could be decomposed.",
                          shape_text(torus), name(*options.decomposed)));
    }
    return needs_rings(torus, {decomposed_axis(shape, dataflow, torus, options)},
                       "the direction that Wang's algorithm decomposes");
}

std::vector<std::int64_t> ring_divisors(std::int64_t chips) {
    std::vector<std::int64_t> counts;
    for (std::int64_t count = 1; count <= chips; ++count) {
        if (chips % count == 0) {
            counts.push_back(count);
        }
    }
    return counts;
}

/// The collective of one direction is decomposed into SendRecv steps that overlap with partial GEMMs, half of
/// every shard each way round; the other direction keeps its plain collective, which nothing hides. `slices`
/// is the number of iterations to which the loop over the P chips of the ring is unrolled (section 4.2), a
/// divisor of P; with P every step is an iteration of its own.
Result<Program> write_wang(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                           const GemmOptions& options) {
    if (const Result<void> fit = fits_wang(shape, dataflow, torus, options); !fit) {
        return refuse(fit.error());
    }
    const Axis axis = decomposed_axis(shape, dataflow, torus, options);
    const std::int64_t P = torus.size(axis);
    if (P % options.slices != 0) {
        return refuse(say("S = {} iterations do not divide the ring of {} chips that is decomposed, along "
                          "the {} axis of the mesh {}.",
                          options.slices, P, name(axis), shape_text(torus)));
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

Result<std::vector<std::int64_t>> unrolled_iterations(const GemmShape& shape, Dataflow dataflow,
                                                      const Torus& torus, const GemmOptions& options) {
    return fits_wang(shape, dataflow, torus, options).map([&] {
        if (options.decomposed) {
            return ring_divisors(torus.size(*options.decomposed));
        }
        std::set<std::int64_t> counts;
        for (const Axis axis : {Axis::vertical, Axis::horizontal}) {
            if (torus.size(axis) == 1 || torus.wraps(axis)) {
                const std::vector<std::int64_t> own = ring_divisors(torus.size(axis));
                counts.insert(own.begin(), own.end());
            }
        }
        return std::vector<std::int64_t>(counts.begin(), counts.end());
    });
}

Result<std::vector<std::int64_t>> both_axes(const GemmShape&, Dataflow, const Torus&, const GemmOptions&) {
    return std::vector{static_cast<std::int64_t>(Axis::horizontal),
                       static_cast<std::int64_t>(Axis::vertical)};
}

} // namespace

namespace gemm {

extern constinit const Algorithm wang{
    .id = "wang",
    .title = "Wang",
    .summary = "Takes the collective of one direction apart into steps that overlap with partial GEMMs; the "
               "other direction stays exposed.",
    .source = "MeshSlice paper (ISCA 2025), section 2.3.4; Wang et al. (ASPLOS 2023)",
    .needs = "A mesh of two axes, one of them a closed ring; shards as for Collective; S, the iterations to "
             "which the loop over the ring is unrolled, divides the ring's chips; given more, the largest "
             "that does is taken.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .options = {{OptionId::decomposed, Taken::exactly, both_axes},
                {OptionId::slices, Taken::at_most, unrolled_iterations}},
    .write = write_wang,
};

} // namespace gemm
} // namespace meshslice
