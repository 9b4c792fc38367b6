#include "core/tune/tune.h"

#include "core/estimate/estimate.h"

#include <optional>

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

Result<std::int64_t> best_slice_count(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                      const Torus& torus, std::int64_t block, const Hardware& hardware,
                                      const Schedule& schedule, std::stop_token stop) {
    const Result<std::vector<std::int64_t>> counts = algorithm.slice_counts(shape, dataflow, torus, block);
    if (!counts) {
        return refuse(counts.error());
    }
    std::int64_t best = counts->front();
    std::optional<Time> shortest;
    for (const std::int64_t slices : *counts) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        const Result<Program> program = algorithm.write(shape, dataflow, torus, {slices, block});
        if (!program) {
            return refuse(program.error());
        }
        if (longest_seconds(*program, hardware, schedule) > most_countable_seconds) {
            continue; // Never the best, and its time would not fit.
        }
        const Time time = estimate(*program, hardware, schedule).total;
        // Every part of every slice is rounded to a picosecond; a gain of less is none.
        if (!shortest || time + Time(slices) < *shortest) {
            shortest = time;
            best = slices;
        }
    }
    return best;
}

} // namespace meshslice
