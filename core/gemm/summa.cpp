#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace meshslice {
namespace {

/// The most panels of one iteration. Each is an operation, and a program with more would be unreadable.
constexpr std::int64_t most_panels_an_iteration = 64;

/// The smallest number of panels that both sides of the mesh and the iterations divide.
std::int64_t panel_count(const Torus& torus, std::int64_t iterations) {
    const std::int64_t sides = std::lcm(torus.size(Axis::vertical), torus.size(Axis::horizontal));
    return std::lcm(sides, iterations);
}

bool works(std::int64_t dimension, const Torus& torus, std::int64_t iterations) {
    const std::int64_t panels = panel_count(torus, iterations);
    return dimension % panels == 0 && panels / iterations <= most_panels_an_iteration;
}

Result<std::vector<std::int64_t>> panel_iterations(const GemmShape& shape, Dataflow dataflow,
                                                   const Torus& torus, const GemmOptions&) {
    if (const Result<void> fits = fits_mesh(shape, dataflow, torus); !fits) {
        return refuse(fits.error());
    }
    const std::int64_t dimension = sliced_dimension(shape, dataflow);
    std::vector<std::int64_t> counts;
    for (std::int64_t small = 1; small * small <= dimension; ++small) {
        for (const std::int64_t count : {small, dimension / small}) {
            if (dimension % small == 0 && works(dimension, torus, count)) {
                counts.push_back(count);
            }
        }
    }
    if (counts.empty()) {
        return refuse(say("The panels of SUMMA, a common multiple of the sides of the mesh {}, do not divide "
                          "{} = {}, or are more than {} for every count of iterations.",
                          shape_text(torus), sliced_dimension_name(dataflow), dimension,
                          most_panels_an_iteration));
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

/// Panel by panel, broadcasts (or reductions) along rows and columns, each streamed round the ring in
/// packets. A chip begins with the next panel as soon as it has passed on this one: the ring fills once for
/// all of them. The number of panels is a common multiple of the mesh's sides; the loop is unrolled to the
/// given number of iterations ("slices"), each of which takes several panels.
Result<Program> write_summa(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                            const GemmOptions& options) {
    const Result<void> fits =
        fits_options(options).and_then([&] { return fits_mesh(shape, dataflow, torus); });
    if (!fits) {
        return refuse(fits.error());
    }
    const std::int64_t iterations = options.slices;
    if (const std::int64_t unrolled = panel_count(torus, iterations) / iterations;
        unrolled > most_panels_an_iteration) {
        return refuse(
            say("S = {} iterations would take {} panels each on the mesh {}; at most {} are written out.",
                iterations, unrolled, shape_text(torus), most_panels_an_iteration));
    }
    if (!works(sliced_dimension(shape, dataflow), torus, iterations)) {
        return refuse(say("S = {} iterations do not divide the panels of {} = {} over the mesh {}.",
                          iterations, sliced_dimension_name(dataflow), sliced_dimension(shape, dataflow),
                          shape_text(torus)));
    }
    using enum ProgramWriter::Factor;
    ProgramWriter chip(shape, dataflow, torus);
    const ValueId A = chip.left();
    const ValueId B = chip.right();
    const ValueId C = chip.output();
    const std::int64_t panels = panel_count(torus, iterations);
    const std::int64_t unrolled = panels / iterations;

    // As many packets as chips: filling the pipeline then takes no longer than the stream itself.
    const auto packets = [&](Axis axis) { return options.packets > 0 ? options.packets : torus.size(axis); };
    const std::int64_t along_row = packets(Axis::horizontal);
    const std::int64_t along_column = packets(Axis::vertical);

    chip.loop(iterations, [&] {
        switch (dataflow) {
        case Dataflow::OS: {
            const ValueId A_p = chip.broadcast_col(A, panels, unrolled, along_row);
            const ValueId B_p = chip.broadcast_row(B, panels, unrolled, along_column);
            chip.multiply_add(C, A_p, as_is, B_p, as_is);
            break;
        }
        case Dataflow::LS: {
            const ValueId B_p = chip.broadcast_row(B, panels, unrolled, along_column);
            const ValueId C_p = chip.multiply(A, as_is, B_p, transposed);
            chip.reduce_col(C_p, C, panels, unrolled, along_row);
            break;
        }
        case Dataflow::RS: {
            const ValueId A_p = chip.broadcast_col(A, panels, unrolled, along_row);
            const ValueId C_p = chip.multiply(A_p, transposed, B, as_is);
            chip.reduce_row(C_p, C, panels, unrolled, along_column);
            break;
        }
        }
    });
    return std::move(chip).finish();
}

/// Up to 256: most streams are best in far fewer.
Result<std::vector<std::int64_t>> powers_of_two(const GemmShape&, Dataflow, const Torus&,
                                                const GemmOptions&) {
    return std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, most_packets_tried};
}

} // namespace

namespace gemm {

extern constinit const Algorithm summa{
    .id = "summa",
    .title = "SUMMA",
    .summary = "Broadcasts or reduces panel by panel, each a stream of packets round the ring: any mesh, but "
               "bubbles while the streams fill and a synchronization for every packet.",
    .source = "MeshSlice paper (ISCA 2025), section 2.3.3, Figures 2a and 3; van de Geijn and Watts (1997)",
    .needs =
        "A mesh of two axes; shards as for Collective; the panels, a common multiple of the mesh's sides "
        "and of S, divide the sliced dimension; at most 64 panels an iteration; given a count that does "
        "not work, the largest below it that does is taken.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .options = {{OptionId::slices, Taken::at_most, panel_iterations},
                {OptionId::packets, Taken::exactly, powers_of_two}},
    .write = write_summa,
};

} // namespace gemm
} // namespace meshslice
