#include "core/explain/why.h"

#include "core/explain/bottleneck_with_faults.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace meshslice {
namespace {

/// A part that holds less of the path than this is not what bounds it.
constexpr double telling_share = 1.0 / 3;

PathShares shares_of(const PhaseTimes& times) {
    PathShares shares{};
    const CauseTimes all = all_phases(times);
    for (std::size_t place = 0; place < resource_count; ++place) {
        shares[place] = ratio(all.of(static_cast<Place>(place)), all.total());
    }
    return shares;
}

/// How fast what a row stands for still is.
double speed_of(const Conditions& conditions, const Torus& torus, const Row& row) {
    return row.is_core ? conditions.core(row.chip)
                       : conditions.link(torus, row.chip, link_slot(row.axis, row.direction));
}

bool in_one_ring(const Torus& torus, const Row& one, const Row& other) {
    bool same = one.axis == other.axis;
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        same = same &&
               (axis == one.axis || torus.coordinate(one.chip, axis) == torus.coordinate(other.chip, axis));
    }
    return same;
}

/// Whether a part that is slow or dead slows what a row records: that of its own, and on links what goes
/// round over it because its own link is dead or missing, or makes room for what goes round because of it.
bool slows(const Row& part, const Row& row, const Conditions& conditions, const Torus& torus) {
    if (part == row || part.is_core || row.is_core) {
        return part == row;
    }
    const bool goes_round = speed_of(conditions, torus, part) == 0 || speed_of(conditions, torus, row) == 0 ||
                            torus.missing({row.chip, row.axis, row.direction});
    return goes_round && part.direction != row.direction && in_one_ring(torus, part, row);
}

Part kind_of(const Row& row) {
    return row.is_core
               ? Part::compute
               : static_cast<Part>(static_cast<int>(Part::vertical_links) + static_cast<int>(row.axis));
}

/// Whether no other part twice as fast would save as much of the time as this share.
bool saves_most(const FaultOnPath& fault, double share, Bottleneck bottleneck) {
    bottleneck.saves[static_cast<std::size_t>(fault.kind)] = 0;
    return share >= *std::ranges::max_element(bottleneck.saves);
}

/// A fault with the row that it stands for.
struct FaultOfRow {
    FaultOnPath fault;
    Row row;
};

/// None where no part has much of the path.
std::optional<FaultOfRow> most_on_path(const CriticalPath& path, const Timeline& timeline,
                                       const Conditions& conditions) {
    std::map<std::int32_t, Time> on_path;
    for (const CriticalEvent& event : path.events) {
        if (event.row >= 0) {
            on_path[event.row] += event.end - event.start;
        }
    }
    std::optional<FaultOfRow> worst;
    for (const Row& part : timeline.rows()) {
        const double speed = speed_of(conditions, timeline.torus(), part);
        if (speed == 1) {
            continue;
        }
        Time slowed;
        for (const auto& [index, time] : on_path) {
            const Row& row = timeline.rows()[static_cast<std::size_t>(index)];
            slowed += slows(part, row, conditions, timeline.torus()) ? time : Time(0);
        }
        if (ratio(slowed, timeline.end()) >= telling_share && (!worst || slowed > worst->fault.time)) {
            Row itself = part;
            itself.round = false; // The part, not what goes round because it is dead.
            worst = FaultOfRow{{part_name(timeline.torus(), itself), kind_of(part), speed, slowed, {}}, part};
        }
    }
    return worst;
}

Conditions repaired(Conditions conditions, const Torus& torus, const Row& row) {
    if (row.is_core) {
        conditions.core_speed[static_cast<std::size_t>(row.chip)] = 1;
    } else {
        conditions.link_speed[static_cast<std::size_t>(row.chip * torus.link_slots() +
                                                       link_slot(row.axis, row.direction))] = 1;
    }
    return conditions;
}

/// None where its repair saves little, or less than another part twice as fast: then the path only happens to
/// lead over it.
Result<std::optional<FaultOnPath>> fault_that_bounds(const GemmResult& result, const Scenario& scenario,
                                                     const Conditions& conditions, const CriticalPath& path,
                                                     const Bottleneck& bottleneck,
                                                     const std::stop_token& stop) {
    if (conditions.core_speed.empty() && conditions.link_speed.empty()) {
        return std::optional<FaultOnPath>();
    }
    const Timeline& timeline = *result.timeline;
    auto found = most_on_path(path, timeline, conditions);
    if (!found) {
        return std::optional<FaultOnPath>();
    }
    return simulate(*result.program, scenario.hardware, scenario.schedule,
                    repaired(conditions, timeline.torus(), found->row), {stop, nullptr})
        .map([&](const auto& then) {
            found->fault.saves = timeline.end() - then->end();
            const double share = ratio(found->fault.saves, timeline.end());
            return share >= worth_telling && saves_most(found->fault, share, bottleneck)
                       ? std::optional(found->fault)
                       : std::nullopt;
        });
}

/// Of one copy; none where nothing is wrong with the machine.
Result<std::optional<Time>> healthy_time(const GemmResult& result, const Scenario& scenario,
                                         const Conditions& conditions, const std::stop_token& stop) {
    if (conditions.healthy()) {
        return std::optional<Time>();
    }
    return simulate(*result.program, scenario.hardware, scenario.schedule, {}, {stop, nullptr})
        .map([](const auto& timeline) { return std::optional(timeline->end()); });
}

/// The part whose repair would save most, with its time in all GEMMs that it bounds; none where another
/// part of the machine twice as fast would save more of the step.
std::optional<FaultOnPath> worst_fault(const TrainingStep& step, const StepWhy& why) {
    std::vector<FaultOnPath> parts;
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        if (const auto& fault = why.products[k].fault) {
            const auto same = std::ranges::find(parts, fault->part, &FaultOnPath::part);
            FaultOnPath& part =
                same != parts.end()
                    ? *same
                    : parts.emplace_back(FaultOnPath{fault->part, fault->kind, fault->speed, {}, {}});
            part.time += fault->time * step.gemms[k].gemm.copies;
            part.saves += fault->saves * step.gemms[k].gemm.copies;
        }
    }
    const auto worst = std::ranges::max_element(parts, {}, &FaultOnPath::saves);
    const bool bounds =
        worst != parts.end() && saves_most(*worst, ratio(worst->saves, step.time), why.bottleneck);
    return bounds ? std::optional(*worst) : std::nullopt;
}

/// What bounds the GEMMs together, weighed by the time that each takes.
Bottleneck of_all(const TrainingStep& step, const StepWhy& why) {
    std::vector<TimedBottleneck> runs;
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        runs.push_back({why.products[k].bottleneck, step.gemms[k].time});
    }
    return together(runs);
}

} // namespace

Result<StepWhy> why(const TrainingStep& step, const Scenario& scenario, const std::stop_token& stop) {
    const Result<const Algorithm*> algorithm = meshslice::algorithm(step.algorithm);
    if (!algorithm) {
        return refuse(algorithm.error());
    }
    const Result<Conditions> conditions = conditions_of(scenario, **algorithm);
    if (!conditions) {
        return refuse(conditions.error());
    }
    StepWhy why;
    for (const GemmResult& result : step.gemms) {
        if (!result.timeline) {
            return refuse("The step was estimated, not simulated; only a simulation has a critical path.");
        }
        if (result.timeline->stored_intervals() > most_explained_intervals) {
            return refuse(
                fmt::format("{} recorded {} busy intervals; a critical path is looked for in up to {}.",
                            result.title(), result.timeline->stored_intervals(), most_explained_intervals));
        }
        if (stop.stop_requested()) {
            return cancelled();
        }
        ProductWhy product;
        for (std::size_t k = 0; k < why.products.size(); ++k) {
            if (step.gemms[k].timeline == result.timeline) {
                product = why.products[k];
            }
        }
        if (!product.path) {
            product.path = std::make_shared<const CriticalPath>(critical_path(
                *result.program, scenario.hardware, scenario.schedule, *conditions, *result.timeline));
            product.shares = shares_of(product.path->times);
            const auto healthy = healthy_time(result, scenario, *conditions, stop);
            if (!healthy) {
                return refuse(healthy.error());
            }
            product.healthy = *healthy;
            product.bottleneck = result.bottleneck;
            if (product.healthy) {
                const auto found = bottleneck_with_faults(result, scenario, *conditions, *product.path, stop);
                if (!found) {
                    return refuse(found.error());
                }
                product.bottleneck = *found;
            }
            const auto fault =
                fault_that_bounds(result, scenario, *conditions, *product.path, product.bottleneck, stop);
            if (!fault) {
                return refuse(fault.error());
            }
            product.fault = *fault;
            product.remedies = remedies(result, scenario, **algorithm, stop);
            if (stop.stop_requested()) {
                return cancelled();
            }
            product.slicing = slicing_cost(result, scenario, **algorithm);
        }
        for (std::size_t phase = 0; phase < phase_count; ++phase) {
            why.times[phase] += product.path->times[phase] * result.gemm.copies;
            why.exposed[phase] += product.path->exposed[phase] * result.gemm.copies;
        }
        if (product.slicing) {
            why.slicing_cost += product.slicing->cost() * result.gemm.copies;
        }
        if (product.healthy) {
            why.healthy = why.healthy.value_or(Time(0)) + *product.healthy * result.gemm.copies;
        }
        why.products.push_back(std::move(product));
    }
    if (!why.products.empty()) {
        why.shares = shares_of(why.times);
        why.bottleneck = why.healthy ? of_all(step, why) : step.bottleneck;
        why.fault = worst_fault(step, why);
    }
    return why;
}

} // namespace meshslice
