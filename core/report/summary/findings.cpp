#include "core/report/summary/findings.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/evidence/expected_plan.h"
#include "core/evidence/own_step.h"
#include "core/plan/search/loaded_plan.h"
#include "core/question/offer.h"
#include "core/report/plan/plan_lines.h"
#include "core/report/words/block_words.h"
#include "core/scenario/fields.h"
#include "core/scenario/plan/plan_fields.h"
#include "core/search/autotune.h"
#include "core/torus/torus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace meshslice {
namespace {

/// A change of less than this share is not worth a button.
constexpr double least_gain = 0.01;
/// So many are simulated.
constexpr std::size_t most_tried = 6;
/// Steps that keep more intervals are simulated once and not again and again.
constexpr std::int64_t most_quick_intervals = 500'000;

/// What could be asked instead.
struct Try {
    std::string what; ///< "16x4", "Wang on 16x4"
    Scenario scenario;
    double work = 1;       ///< so many times as much as now
    bool says_how = false; ///< the way may become another one, and is said then
};

/// The fields in which one scenario differs from another, with its values.
std::vector<FieldEdit> edits_between(const Scenario& from, const Scenario& to) {
    std::vector<FieldEdit> edits;
    for (const Field<Scenario>& field : scenario_fields()) {
        if (field.stored && field.get(from) != field.get(to)) {
            edits.push_back({{}, field.key, field.get(to)});
        }
    }
    return edits;
}

std::string sentence_of(const Try& tried, const Timed& now, const Timed& then, double gain) {
    const std::string time = seconds_text(then.seconds);
    const std::string all = !now.fits && then.fits ? say("{} fits, and takes {}", tried.what, time)
                            : tried.work != 1
                                ? say("{}: {} less time for each sequence, {} for {:g} times the work",
                                      tried.what, percent_text(gain), time, tried.work)
                                : say("{} takes {} less time: {} instead of {}", tried.what,
                                      percent_text(gain), time, seconds_text(now.seconds));
    return tried.says_how && !then.how.empty() ? say("{}, with {}", all, then.how) : all;
}

/// None where it is not better.
std::optional<Finding> finding_of(const Try& tried, const Scenario& from, const Timed& now,
                                  const Timed& then) {
    const double gain = 1 - then.seconds / tried.work / now.seconds;
    const bool helps = (then.fits || !now.fits) && (gain >= least_gain || (then.fits && !now.fits));
    if (!helps) {
        return std::nullopt;
    }
    return Finding{{sentence_of(tried, now, then, gain), edits_between(from, tried.scenario)}, then, gain};
}

/// What fits first, then what saves most.
void sort(std::vector<Finding>& found, std::size_t most) {
    std::ranges::stable_sort(found, std::ranges::greater{},
                             [](const Finding& one) { return std::pair(one.then.fits, one.gain); });
    for (std::size_t k = 0; k < found.size(); ++k) { // each once
        for (std::size_t other = found.size() - 1; other > k; --other) {
            if (found[other].offer.edits == found[k].offer.edits) {
                found.erase(found.begin() + static_cast<std::ptrdiff_t>(other));
            }
        }
    }
    found.resize(std::min(found.size(), most));
}

std::string hardware_sentence(const NumberEffect& effect, bool twice, const Timed& now, const Timed& then,
                              double gain) {
    const std::string time = seconds_text(then.seconds);
    if (!now.fits) {
        return say("Twice the {} fits, and takes {}", effect.name, time);
    }
    const std::string less = percent_text(gain), before = seconds_text(now.seconds);
    return twice ? say("Twice the {} takes {} less time: {} instead of {}", effect.name, less, time, before)
                 : say("Half the {} takes {} less time: {} instead of {}", effect.name, less, time, before);
}

/// The numbers of the machine, where other changes are fewer than asked for: those that make it faster or,
/// where it does not fit, fit. `time` is what they are confirmed by.
Result<void> add_hardware(std::vector<Finding>& found, const Scenario& scenario, const Sensitivity& numbers,
                          const Timed& now, const TimeOn& time, std::size_t most) {
    // What promises most is first, not what would cost most.
    std::vector<NumberEffect> promising = numbers.ranked;
    std::ranges::stable_sort(promising, {}, [](const NumberEffect& one) {
        return std::min(one.twice ? one.twice->seconds : HUGE_VAL, one.half ? one.half->seconds : HUGE_VAL);
    });
    for (const NumberEffect& effect : promising) {
        const bool twice =
            effect.twice && (now.fits ? effect.twice->seconds < numbers.now.seconds : effect.twice->fits);
        const std::vector<FieldEdit>& edits = twice ? effect.with_twice : effect.with_half;
        const bool of_one_axis = !edits.empty() && edits[0].key.starts_with("links_");
        if (found.size() >= most || edits.empty() || of_one_axis || (!now.fits && !twice)) {
            continue;
        }
        const Result<Timed> then =
            with_edits(scenario, edits).and_then([&](const Scenario& other) { return time(other); });
        if (!then && then.error().kind == Error::Kind::cancelled) {
            return refuse(then.error());
        }
        const double gain = then ? 1 - then->seconds / now.seconds : 0;
        if (then && then->fits && (!now.fits || gain >= least_gain)) {
            found.push_back({{hardware_sentence(effect, twice, now, *then, gain), edits}, *then, gain});
        }
    }
    sort(found, most);
    return {};
}

std::string words_of(const Candidate& candidate, const Scenario& scenario) {
    const std::string mesh = fmt::format("{}", fmt::join(candidate.step.mesh, "x"));
    const bool same_mesh = candidate.step.mesh == scenario.mesh;
    const bool same_algorithm = candidate.step.algorithm == scenario.plan.algorithm;
    return same_algorithm ? mesh : same_mesh ? candidate.title : say("{} on {}", candidate.title, mesh);
}

/// Meshes and algorithms: the best of all, the best mesh of this algorithm, the best algorithm on this mesh.
void add_tuned(std::vector<Try>& tries, const Scenario& scenario, const Tuning& tuning) {
    const auto add_first = [&](const std::function<bool(const Candidate&)>& suits) {
        const auto first = std::ranges::find_if(
            tuning.ranked, [&](const Candidate& one) { return one.step.fits() && suits(one); });
        if (first == tuning.ranked.end()) {
            return;
        }
        const Scenario other = applied(scenario, *first);
        if (!(other == scenario)) {
            tries.push_back({words_of(*first, scenario), other});
        }
    };
    const auto same_algorithm = [&](const Candidate& one) {
        return one.step.algorithm == scenario.plan.algorithm;
    };
    add_first([](const Candidate&) { return true; });
    add_first(same_algorithm);
    add_first([&](const Candidate& one) { return one.step.mesh == scenario.mesh && !same_algorithm(one); });
}

/// The fewest chips on which it fits, of twice as many, four times and so on, along the shorter axis.
void add_more_chips(std::vector<Try>& tries, const Scenario& scenario, const TimeOn& estimate) {
    constexpr int most_doublings = 8;
    Scenario wider = scenario;
    for (int doubled = 0; doubled < most_doublings; ++doubled) {
        *std::ranges::min_element(wider.mesh) *= 2;
        const Result<Timed> then =
            checked(wider).and_then([&](const Scenario& one) { return estimate(one); });
        if (then && then->fits) {
            const std::string mesh = fmt::format("{}", fmt::join(wider.mesh, "x"));
            tries.push_back({say("{}, with {} times the chips,", mesh, std::int64_t{2} << doubled), wider});
            return;
        }
    }
}

/// What the scenario fixes and could leave to the engine, and other batches.
void add_opened(std::vector<Try>& tries, const Scenario& scenario) {
    if (scenario.plan.slices) {
        Try open{said("The best S of each GEMM"), scenario};
        open.scenario.plan.slices.reset();
        tries.push_back(std::move(open));
    }
    if (scenario.plan.stationary) {
        Try open{said("Leaving the dataflow open"), scenario};
        open.scenario.plan.stationary.reset();
        tries.push_back(std::move(open));
    }
    if (scenario.gemm) {
        return;
    }
    if (!scenario.is_group()) {
        Try larger{said("Twice the batch"), scenario, 2};
        larger.scenario.batch *= 2;
        tries.push_back(std::move(larger));
    }
}

/// The largest batch that fits, of a half, a quarter and so on.
void add_smaller_batch(std::vector<Try>& tries, const Scenario& scenario, const TimeOn& estimate) {
    Try smaller{{}, scenario, 1};
    while (!scenario.gemm && !scenario.is_group() && smaller.scenario.batch % 2 == 0) {
        smaller.scenario.batch /= 2;
        smaller.work /= 2;
        const Result<Timed> then =
            checked(smaller.scenario).and_then([&](const Scenario& one) { return estimate(one); });
        if (then && then->fits) {
            smaller.what = say("A batch of {}", smaller.scenario.batch);
            tries.push_back(std::move(smaller));
            return;
        }
    }
}

bool is_simulated(const TrainingStep& step) {
    return !step.gemms.empty() && step.gemms.front().timeline != nullptr;
}

/// Those whose estimates promise most.
Result<std::vector<Try>> promising(std::vector<Try> tries, const TimeOn& estimate) {
    std::vector<std::pair<double, Try>> promised;
    for (Try& tried : tries) {
        const Result<Timed> then =
            checked(tried.scenario).and_then([&](const Scenario& valid) { return estimate(valid); });
        if (!then && then.error().kind == Error::Kind::cancelled) {
            return refuse(then.error());
        }
        if (then) {
            promised.emplace_back(then->seconds / tried.work, std::move(tried));
        }
    }
    std::ranges::stable_sort(promised, {}, &std::pair<double, Try>::first);
    std::vector<Try> first;
    for (std::size_t k = 0; k < std::min(most_tried, promised.size()); ++k) {
        first.push_back(std::move(promised[k].second));
    }
    return first;
}

/// Tries them out one after the other.
Result<std::vector<Finding>> tried_out(const std::vector<Try>& tries, const Scenario& scenario,
                                       const Timed& now, const TimeOn& time, const RunControl& control) {
    std::vector<Finding> found;
    for (std::size_t k = 0; k < tries.size(); ++k) {
        const Result<Timed> then =
            checked(tries[k].scenario).and_then([&](const Scenario& valid) { return time(valid); });
        if (!then && then.error().kind == Error::Kind::cancelled) {
            return refuse(then.error());
        }
        if (then) {
            if (std::optional<Finding> one = finding_of(tries[k], scenario, now, *then)) {
                found.push_back(*std::move(one));
            }
        }
        if (control.progress) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(tries.size() + 1));
        }
    }
    return found;
}

} // namespace

Result<std::vector<Finding>> findings_of_step(const Scenario& scenario, const TrainingStep& step,
                                              std::size_t most, const RunControl& control) {
    const Timed now{in_seconds(step.time), step.fits()};
    const TimeOn estimate = time_of_step(Depth::estimate, control);
    const TimeOn time = is_simulated(step) ? time_of_step(Depth::simulate, control) : estimate;
    std::vector<Try> tries;
    const Result<Tuning> tuning = autotune(scenario, {}, {control.stop, nullptr, control.memory});
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    if (tuning) {
        add_tuned(tries, scenario, *tuning);
    }
    add_opened(tries, scenario);
    if (!now.fits) {
        add_more_chips(tries, scenario, estimate);
        add_smaller_batch(tries, scenario, estimate);
    }
    Result<std::vector<Finding>> found =
        promising(std::move(tries), estimate).and_then([&](const std::vector<Try>& first) {
            return tried_out(first, scenario, now, time, control);
        });
    if (!found) {
        return found;
    }
    sort(*found, most);
    if (found->size() < most) {
        const Result<Sensitivity> numbers = sensitivity(scenario, estimate, false, {control.stop, nullptr});
        if (numbers) {
            if (const Result<void> added = add_hardware(*found, scenario, *numbers, now, time, most);
                !added) {
                return refuse(added.error());
            }
        }
    }
    return control.stop.stop_requested() ? Result<std::vector<Finding>>(cancelled()) : found;
}

Depth depth_of_sensitivity(const Scenario& scenario, const TrainingStep& step) {
    std::int64_t intervals = 0;
    for (const GemmResult& gemm : step.gemms) {
        intervals += gemm.timeline ? static_cast<std::int64_t>(gemm.timeline->stored_intervals()) : 0;
    }
    const bool quick = is_simulated(step) && intervals <= most_quick_intervals;
    return quick || (is_simulated(step) && !scenario.assume.faults.none()) ? Depth::simulate
                                                                           : Depth::estimate;
}

Result<Sensitivity> sensitivity_of_step(const Scenario& scenario, const TrainingStep& step,
                                        const RunControl& control) {
    return sensitivity(scenario, time_of_step(depth_of_sensitivity(scenario, step), control), false, control);
}

static PlanClock clock_of(const Scenario& scenario, const PlanAnswer& answer) {
    return clock_of(answer.question, answer.chosen().plan,
                    corrected_of(answer, answer.chosen(), scenario.planning.measured_step));
}

Result<Sensitivity> sensitivity_of_plan(const Scenario& scenario, const PlanAnswer& answer,
                                        const RunControl& control) {
    const Plan& plan = answer.chosen().plan;
    Result<Sensitivity> found =
        sensitivity(scenario, time_of_plan(plan, clock_of(scenario, answer)), true, control);
    if (found) {
        const FieldEdit kept{{}, "plan", JsonPart{write_plan(plan), "plan"}};
        for (NumberEffect& effect : found->ranked) {
            effect.with_twice.push_back(kept);
            effect.with_half.push_back(kept);
        }
    }
    return found;
}

Result<std::vector<Finding>> findings_of_plan(const Scenario& scenario, const PlanAnswer& answer,
                                              std::size_t most, const std::shared_ptr<TunedGroups>& groups,
                                              const RunControl& control) {
    const RankedPlan& chosen = answer.chosen();
    const PlanClock clock = clock_of(scenario, answer);
    const Result<Timed> timed = clock.of(answer.question, chosen);
    if (!timed) {
        return refuse(timed.error());
    }
    const Timed now = *timed;
    const TimeOn time = [&](const Scenario& other) -> Result<Timed> {
        const std::optional<AskedPlans> asked = asked_plans(other);
        if (!asked) {
            return refuse(said("One GEMM is not a training run."));
        }
        return meshslice::answer(*asked, 1, {control.stop, nullptr, control.memory}, groups,
                                 ranks_by(asked->question))
            .and_then([&](const PlanAnswer& one) {
                const RankedPlan& then = one.chosen();
                return clock.of(one.question, then).map([&](Timed its) {
                    its.how = then.plan == chosen.plan ? std::string() : plan_name(then.plan);
                    return its;
                });
            });
    };
    std::vector<Try> tries;
    Scenario free = scenario;
    free.plan.loaded.reset();
    if (answer.loaded) {
        tries.push_back({say("The best plan found, {},", split_name(answer.best().plan)), free});
    }
    const auto open = [&](std::string SplitAsked::*part, const char* any, const std::string& what) {
        if (scenario.plan.split.*part != any) {
            Try opened{what, free};
            opened.scenario.plan.split.*part = any;
            tries.push_back(std::move(opened));
        }
    };
    open(&SplitAsked::strategy, "all", said("Any strategy"));
    open(&SplitAsked::schedule, "any", said("Any schedule of the pipeline"));
    open(&SplitAsked::recompute, "any", said("Any recomputation"));
    open(&SplitAsked::zero, "any", said("Any level of ZeRO"));
    Try larger{said("Twice the batch"), free, 2, true};
    (scenario.planning.batch ? *larger.scenario.planning.batch : larger.scenario.batch) *= 2;
    tries.push_back(std::move(larger));
    Try wider{said("Twice the chips"), free, 1, true};
    wider.scenario.planning.chips = scenario.chips() * 2;
    if (wider.scenario.chips() <= most_planned_chips) {
        tries.push_back(std::move(wider));
    }
    Result<std::vector<Finding>> found = tried_out(tries, scenario, now, time, control);
    if (!found) {
        return found;
    }
    sort(*found, most);
    if (found->size() < most) {
        const Result<Sensitivity> numbers = sensitivity_of_plan(scenario, answer, {control.stop, nullptr});
        if (numbers) {
            if (const Result<void> added = add_hardware(*found, scenario, *numbers, now, time, most);
                !added) {
                return refuse(added.error());
            }
        }
    }
    return control.stop.stop_requested() ? Result<std::vector<Finding>>(cancelled()) : found;
}

} // namespace meshslice
