#include "tests/parity/comparison.h"

#include "core/simulate/simulate.h"
#include "tests/parity/simgrid_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace meshslice::parity {
namespace {

/// An operation has finished on a chip when its last transfer, sent or received, or its product has.
double mean_completion(const Timeline& timeline) {
    std::map<std::tuple<Chip, OperationId, std::uint32_t>, Time> finished;
    for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
        const Row& place = timeline.rows()[row];
        for (const Interval& interval : timeline.intervals(row)) {
            const auto last_on = [&](Chip chip) {
                Time& last = finished[{chip, interval.operation, interval.iteration}];
                last = std::max(last, interval.end);
            };
            last_on(place.chip);
            if (!place.is_core) {
                last_on(*timeline.torus().neighbour(place.chip, place.axis, place.direction));
            }
        }
    }
    double sum = 0;
    for (const auto& [run, time] : finished) {
        sum += in_seconds(time);
    }
    return sum / static_cast<double>(finished.size());
}

} // namespace

double Comparison::largest_deviation() const {
    return std::max(std::abs(deviation()), std::abs(completion_deviation()));
}

Result<Comparison> compare(const Program& program, const Settings& ours, const Settings& simgrid) {
    const auto timeline = simulate(program, ours.hardware, ours.schedule, ours.conditions);
    if (!timeline) {
        return refuse(timeline.error());
    }
    const Result<SimGridRun> run = run_on_simgrid(program, simgrid);
    if (!run) {
        return refuse(run.error());
    }
    return Comparison{{in_seconds((*timeline)->end()), mean_completion(**timeline)}, run->outcome};
}

} // namespace meshslice::parity
