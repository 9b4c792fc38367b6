#include "core/explain/slower_part.h"

#include "core/estimate/estimate.h"
#include "core/simulate/engine/simulate.h"

#include <algorithm>

namespace meshslice {
namespace {

bool saves_enough(Time now, Time then) {
    return ratio(now - then, now) >= least_saved_by_slower;
}

/// A program with what is known of one run of it, and how often it runs.
struct Runs {
    const Program* program;
    std::int64_t count;
    Time estimated;
    Time simulated;
};

/// GEMMs that share a run are one.
std::vector<Runs> distinct_runs(const std::vector<const GemmResult*>& gemms) {
    std::vector<Runs> runs;
    std::vector<const Timeline*> seen;
    for (const GemmResult* const gemm : gemms) {
        const std::int64_t copies = gemms.size() == 1 ? 1 : gemm->gemm.copies;
        const auto same = std::ranges::find(seen, gemm->timeline.get());
        if (same != seen.end()) {
            runs[static_cast<std::size_t>(same - seen.begin())].count += copies;
        } else {
            seen.push_back(gemm->timeline.get());
            runs.push_back({gemm->program.get(), copies, gemm->estimate.total, gemm->timeline->end()});
        }
    }
    return runs;
}

Time sum(const std::vector<Runs>& runs, Time Runs::*of) {
    Time all;
    for (const Runs& one : runs) {
        all += one.*of * one.count;
    }
    return all;
}

bool folds(const Program& program) {
    return std::ranges::any_of(program.torus.axes(), [](const TorusAxis& axis) { return axis.folded; });
}

/// All runs together, by closed form.
struct Sums {
    Time total;
    Time core; ///< busy, and slowed by what else uses its memory
};

/// Nothing if it is stopped.
Sums estimated(const std::vector<Runs>& runs, const Machine& hardware, const Schedule& schedule,
               const std::stop_token& stop) {
    Sums all;
    for (const Runs& one : runs) {
        if (stop.stop_requested()) {
            return {};
        }
        const Estimate found = estimate(*one.program, hardware, schedule);
        all.total += found.total * one.count;
        all.core += found.busy[core_engine] * one.count;
    }
    return all;
}

/// With so many times its bandwidth memory is no longer what the parts take from each other.
constexpr double plenty_of_memory = 16;

Freed what_is_freed(const SlowerPart& slower, const std::vector<Runs>& runs, const Scenario& scenario,
                    const std::stop_token& stop) {
    const Torus& torus = runs.front().program->torus;
    const auto at = [&](const Machine& hardware) {
        return estimated(runs, hardware, scenario.assume.schedule, stop);
    };
    const auto with = [&](const Machine& hardware) {
        return with_times(hardware, torus, slower.part, 1 / slower.times);
    };
    if (!tiled(scenario.assume.schedule, scenario.hardware)) {
        return Freed::folded_links;
    }
    if (!is_links(slower.part) && slower.part != Part::compute) {
        return Freed::other;
    }
    if (folds(*runs.front().program)) { // Either may be what is shared: with plenty of memory one remains.
        const Machine plenty = with_times(scenario.hardware, torus, Part::memory, plenty_of_memory);
        if (saves_enough(at(plenty).total, at(with(plenty)).total)) {
            return Freed::folded_links;
        }
    }
    if (!is_links(slower.part)) {
        return Freed::other;
    }
    const Sums now = at(scenario.hardware);
    const Sums then = at(with(scenario.hardware));
    return (now.core - then.core) * 2 >= now.total - then.total ? Freed::memory_for_cores
                                                                : Freed::memory_for_links;
}

} // namespace

std::string_view id(Freed freed) {
    switch (freed) {
    case Freed::memory_for_cores: return "memory_for_cores";
    case Freed::memory_for_links: return "memory_for_links";
    case Freed::folded_links: return "folded_links";
    case Freed::other: break;
    }
    return "other";
}

std::optional<SlowerPart> slower_part(const std::vector<const GemmResult*>& gemms, const Scenario& scenario,
                                      const std::stop_token& stop) {
    const std::vector<Runs> runs = distinct_runs(gemms);
    if (runs.empty() || staged(scenario.assume.schedule, scenario.hardware) ||
        !(tiled(scenario.assume.schedule, scenario.hardware) || folds(*runs.front().program))) {
        return std::nullopt;
    }
    const Torus& torus = runs.front().program->torus;
    const auto with = [&](const SlowerPart& one) {
        return with_times(scenario.hardware, torus, one.part, 1 / one.times);
    };
    std::optional<SlowerPart> best;
    for (const Part part : all_parts) {
        for (const double times : asked_times) {
            SlowerPart one{part, times, {}, {}};
            if (has_part(torus, part)) {
                one.time = estimated(runs, with(one), scenario.assume.schedule, stop).total;
                if (!best || one.time < best->time) {
                    best = one;
                }
            }
        }
    }
    if (stop.stop_requested() || !best || !saves_enough(sum(runs, &Runs::estimated), best->time)) {
        return std::nullopt;
    }
    std::vector<Runs> again = runs;
    for (Runs& one : again) {
        const auto run = simulate(*one.program, with(*best), scenario.assume.schedule, {}, {stop, nullptr});
        if (!run) {
            return std::nullopt;
        }
        one.simulated = (*run)->end();
    }
    best->time = sum(again, &Runs::simulated);
    if (!saves_enough(sum(runs, &Runs::simulated), best->time)) {
        return std::nullopt;
    }
    best->freed = what_is_freed(*best, runs, scenario, stop);
    return stop.stop_requested() ? std::nullopt : best;
}

} // namespace meshslice
