#include "core/tune/tune.h"

#include "core/estimate/estimate.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace meshslice {

Stationary largest_matrix_stays(const FullyConnectedLayer& layer) {
    // Y is tokens x out, X tokens x in, W in x out.
    const std::int64_t y = layer.tokens * layer.out;
    const std::int64_t x = layer.tokens * layer.in;
    const std::int64_t w = layer.in * layer.out;
    if (y >= x && y >= w) {
        return Stationary::Y;
    }
    return x >= w ? Stationary::X : Stationary::W;
}

namespace {

Result<std::vector<std::int64_t>> slice_candidates(const Algorithm& algorithm, const GemmShape& shape,
                                                   Dataflow dataflow, const Torus& torus,
                                                   const GemmOptions& options,
                                                   std::optional<std::int64_t> slices) {
    if (algorithm.slices && slices && !algorithm.unrolls) {
        return std::vector<std::int64_t>{*slices};
    }
    auto counts = algorithm.slice_counts(shape, dataflow, torus, options);
    if (counts && algorithm.unrolls && slices) {
        const auto above = std::ranges::upper_bound(*counts, *slices);
        return std::vector<std::int64_t>{above == counts->begin() ? counts->front() : *std::prev(above)};
    }
    return counts;
}

std::vector<std::int64_t> packet_candidates(const Algorithm& algorithm, const GemmOptions& given) {
    if (!algorithm.streams || given.packets > 0) {
        return {given.packets};
    }
    return {1, 2, 4, 8, 16, 32, 64, 128, 256};
}

std::vector<std::optional<Axis>> axis_candidates(const Algorithm& algorithm, const GemmOptions& given) {
    if (!algorithm.decomposes || given.decomposed) {
        return {given.decomposed};
    }
    return {Axis::horizontal, Axis::vertical};
}

} // namespace

Result<GemmOptions> best_options(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                 const Torus& torus, const GemmOptions& given,
                                 std::optional<std::int64_t> slices, const Hardware& hardware,
                                 const Schedule& schedule, std::stop_token stop) {
    GemmOptions best = given;
    std::optional<Time> shortest;
    Error objection;
    for (const std::optional<Axis> axis : axis_candidates(algorithm, given)) {
        GemmOptions options = given;
        options.decomposed = axis;
        const auto counts = slice_candidates(algorithm, shape, dataflow, torus, options, slices);
        if (!counts) {
            objection = counts.error();
            continue;
        }
        if (!shortest) {
            best.slices = counts->front();
        }
        for (const std::int64_t count : *counts) {
            for (const std::int64_t packets : packet_candidates(algorithm, given)) {
                if (stop.stop_requested()) {
                    return cancelled();
                }
                options.slices = count;
                options.packets = packets;
                const Result<Program> program = algorithm.write(shape, dataflow, torus, options);
                if (!program) {
                    objection = program.error();
                    continue;
                }
                if (longest_seconds(*program, hardware, schedule) > most_countable_seconds) {
                    continue; // Never the best, and its time would not fit.
                }
                // Every part of every slice is rounded to a picosecond; a gain of less is none.
                const Time time = estimate(*program, hardware, schedule).total;
                if (!shortest || time + Time(count) < *shortest) {
                    shortest = time;
                    best = options;
                }
            }
        }
    }
    if (!shortest && !objection.sentence.empty()) {
        return refuse(objection);
    }
    return best;
}

} // namespace meshslice
