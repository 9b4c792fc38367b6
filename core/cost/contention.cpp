#include "core/cost/contention.h"

#include <algorithm>
#include <array>
#include <limits>

namespace meshslice {
namespace {

/// What the core, or the transfers of an axis, move in a memory in one iteration.
struct Flow {
    double left = 0;   ///< seconds at its own pace
    double rate = 0;   ///< bytes/s at that pace
    double weight = 1; ///< bytes of the memory for each of its own
    double spent = 0;  ///< seconds

    [[nodiscard]] double speed(double level) const { return rate > level ? level / rate : 1; }
    void advance(double lasts, double at_speed) {
        spent += lasts;
        left -= lasts * at_speed;
    }
};

using Flows = std::array<Flow, core_engine + 1>; ///< by engine

/// The rate that no flow exceeds, so that all flows with something left fit into the memory together, max-min
/// fair; infinite where they fit anyway.
double fair_level(const Flows& flows, double bandwidth) {
    std::array<const Flow*, std::tuple_size_v<Flows>> by_rate{};
    std::size_t count = 0;
    double weight = 0;
    for (const Flow& flow : flows) {
        if (flow.left > 0) {
            by_rate[count++] = &flow;
            weight += flow.weight;
        }
    }
    std::sort(by_rate.begin(), by_rate.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Flow* a, const Flow* b) { return a->rate < b->rate; });
    for (std::size_t k = 0; k < count; ++k) {
        // What flows below the level leave is shared by the others.
        if (by_rate[k]->rate * weight > bandwidth) {
            return bandwidth / weight;
        }
        bandwidth -= by_rate[k]->rate * by_rate[k]->weight;
        weight -= by_rate[k]->weight;
    }
    return std::numeric_limits<double>::infinity();
}

/// All flows begin at the same time and go on until the last is done.
void run_together(Flows& flows, double bandwidth) {
    const auto any_left = [&] {
        return std::ranges::any_of(flows, [](const Flow& f) { return f.left > 0; });
    };
    while (any_left()) {
        const double level = fair_level(flows, bandwidth);
        const Flow* first = nullptr; // to be done
        double lasts = std::numeric_limits<double>::infinity();
        for (const Flow& flow : flows) {
            if (flow.left > 0 && flow.left / flow.speed(level) < lasts) {
                first = &flow;
                lasts = flow.left / flow.speed(level);
            }
        }
        for (Flow& flow : flows) {
            if (&flow == first) {
                flow.advance(lasts, 0);
                flow.left = 0;
            } else if (flow.left > 0) {
                flow.advance(lasts, flow.speed(level));
            }
        }
    }
}

} // namespace

std::vector<Time> contention(const Program& program, const std::vector<OperationCost>& costs,
                             const std::vector<std::int64_t>& times, const Hardware& hardware) {
    Flows flows;
    std::array<Time, core_engine + 1> alone{};
    Bytes bytes;
    Bytes copied;
    const auto own = [](std::size_t engine, const OperationCost& cost) {
        return engine == core_engine ? cost.compute : cost.all_transfer();
    };
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        const OperationCost& cost = costs[id];
        const std::size_t engine = engine_of(program.operations[id]);
        const std::int64_t alike = times.empty() ? 1 : times[id];
        if (engine > core_engine || (engine < core_engine && cost.reads == 0)) {
            continue;
        }
        alone[engine] += own(engine, cost) * alike;
        if (engine == core_engine) {
            bytes += cost.memory * alike;
        } else {
            copied += (cost.copied[0] + cost.copied[1]) * alike;
            const double rate = std::max(cost.rate[0].value(), cost.rate[1].value());
            const Operation& operation = program.operations[id];
            // The packets of a stream pass a chip one way.
            const bool streams =
                std::holds_alternative<Broadcast>(operation) || std::holds_alternative<Reduce>(operation);
            const double weight = streams    ? static_cast<double>(cost.reads + 1)
                                  : rate > 0 ? cost.memory_per_second() / rate
                                             : 1;
            Flow& flow = flows[engine];
            if (rate * weight > flow.rate * flow.weight) { // The largest stands for all of the axis.
                flow.rate = rate;
                flow.weight = weight;
            }
        }
    }
    if (bytes == Bytes(0)) {
        return {};
    }
    const double bandwidth = hardware.hbm_bandwidth.value.value();
    for (std::size_t engine = 0; engine < flows.size(); ++engine) {
        flows[engine].left = in_seconds(alone[engine]);
    }
    Flow& core = flows[core_engine];
    core.rate = static_cast<double>(bytes.value()) / core.left;
    // The copies take what the core leaves, and at least half.
    const double kept = std::min(core.rate, bandwidth / 2);
    const double copying = static_cast<double>(copied.value()) / (bandwidth - kept);
    if (const double slowed = kept / core.rate; copying * slowed < core.left) {
        core.advance(copying, slowed);
    } else {
        core.advance(core.left / slowed, slowed);
        core.left = 0;
    }
    run_together(flows, bandwidth);

    // Each in proportion; the sums are rounded, not the parts.
    std::vector<Time> slower(program.operations.size());
    std::array<Time, core_engine + 1> before{}, given{};
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        const std::size_t engine = engine_of(program.operations[id]);
        if (engine > core_engine || alone[engine] == Time(0)) {
            continue;
        }
        const Time all = seconds(flows[engine].spent) - alone[engine];
        before[engine] += own(engine, costs[id]) * (times.empty() ? 1 : times[id]);
        slower[id] =
            seconds(in_seconds(all) * in_seconds(before[engine]) / in_seconds(alone[engine])) - given[engine];
        given[engine] += slower[id];
    }
    return slower;
}

} // namespace meshslice
