#include "core/tune/tune.h"

#include "core/estimate/estimate.h"

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
                                                   Dataflow dataflow, const Torus& torus, std::int64_t block,
                                                   std::optional<std::int64_t> slices) {
    if (algorithm.slices && slices) {
        return std::vector<std::int64_t>{*slices};
    }
    return algorithm.slice_counts(shape, dataflow, torus, block);
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
    const auto counts = slice_candidates(algorithm, shape, dataflow, torus, given.block, slices);
    if (!counts) {
        return refuse(counts.error());
    }
    GemmOptions best = given;
    best.slices = counts->front();
    std::optional<Time> shortest;
    Error objection;
    for (const std::int64_t count : *counts) {
        for (const std::int64_t packets : packet_candidates(algorithm, given)) {
            for (const std::optional<Axis> axis : axis_candidates(algorithm, given)) {
                if (stop.stop_requested()) {
                    return cancelled();
                }
                const GemmOptions options{count, given.block, packets, axis};
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
