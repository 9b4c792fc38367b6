#include "tests/parity/comparison.h"

#include "core/cost/operation_cost.h"
#include "core/program/ring_schedule.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/machine/wires.h"
#include "tests/parity/simgrid_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>

namespace meshslice::parity {
namespace {

/// An operation has finished on a chip when its last transfer, sent or received, or its multiplication has.
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
            if (interval.activity == Activity::transfer) {
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

bool shares_links(const Torus& torus, const Conditions& conditions) {
    const Conditions met = with_missing_links(torus, conditions);
    return std::ranges::find(met.link_speed, 0.0) != met.link_speed.end();
}

/// Of the variant that moves most: those that move nothing copy nothing, and all others copy the same.
GivenTimes::Tiled tiled_times(const Program& program, const Operation& operation, const Settings& ours) {
    GivenTimes::Tiled times;
    for (std::int32_t way = 0; way < variants(program, operation); ++way) {
        const OperationCost cost = operation_cost(program, operation, ours.hardware, ours.schedule, way);
        times.compute = cost.compute;
        times.memory = cost.memory;
        times.reads = std::max(times.reads, cost.reads);
        for (const std::size_t d : {0u, 1u}) {
            times.copied[d] = std::max(times.copied[d], cost.copied[d]);
        }
    }
    return times;
}

} // namespace

Settings told_the_same(const Program& program, const Settings& ours) {
    Settings told = ours;
    const bool by_tiles = tiled(ours.schedule, ours.hardware);
    if (ours.conditions.jitter > Time(0) || shares_links(program.torus, ours.conditions) || by_tiles) {
        const auto wires = std::make_shared<const Wires>(program, ours.conditions, ours.hardware.network);
        told.given.late = [wires](const Link& link, std::uint64_t step) {
            return wires->late(link.chip, link_slot(link.axis, link.direction), step);
        };
    }
    if (by_tiles) {
        for (const Operation& operation : program.operations) {
            told.given.tiled.push_back(tiled_times(program, operation, ours));
        }
    }
    return told;
}

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
