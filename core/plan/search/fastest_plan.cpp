// One plan, of which the search is only what was left open.

#include "core/base/say.h"
#include "core/plan/search/advice/plan_bundle.h"
#include "core/plan/search/plan_ranking.h"
#include "core/plan/search/plan_search.h"

#include <numeric>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// The placements of a plan that are open, or its own.
std::vector<Placed> placed_ways(const PlanModel& model, const Plan& given, bool open) {
    std::vector<Placed> placed;
    if (!open) {
        placed.push_back({given.placement, given.around, given.axes});
    } else if (!model.torus()) {
        placed = placements(given, model.units(), given.chips(), ModelRules::exact);
    } else {
        for (const auto& part : space_detail::placed_by_tensor_part(model, given, given.chips())) {
            placed.insert(placed.end(), part.begin(), part.end());
        }
    }
    return placed;
}

} // namespace

Result<RankedPlan> fastest_plan(const PlanModel& model, const Plan& given, const OpenParts& open) {
    const bool open_panels = open.panels && given.strategy == TensorStrategy::summa;
    std::vector<std::int64_t> panels = {given.panels};
    if (open_panels) {
        panels = {std::lcm(given.tensor1, given.tensor2)}; // what check_plan() asks for, at least
    }
    Plan plan = given;
    plan.panels = panels.front();
    const bool one_schedule =
        open.choices && open.choices->schedules.size() == 1 && !open.choices->interleaved;
    if (one_schedule) {
        plan.schedule = open.choices->schedules.front();
    }
    if (const Result<void> sound = check_plan(model.run(), plan, model.units(), model.rules()); !sound) {
        return refuse(sound.error());
    }
    if (open_panels) {
        const auto counts =
            panel_counts(model.run(), {given.tensor1, given.tensor2}, given.strategy, model.rules());
        panels = counts.empty() ? panels : counts;
    }
    if (model.torus() && !open.placement) {
        if (const Result<void> sound = model.check(given); !sound) {
            return refuse(sound.error());
        }
    }
    const PlanChoices choices =
        open.choices.value_or(PlanChoices{{given.schedule}, false, {given.recompute}, {given.zero}});
    const std::vector<PipelineSchedule> schedules = schedules_of(choices, model.run(), plan);
    if (schedules.empty() && given.pipeline == 1) {
        return refuse(
            said("The interleaved schedule needs a pipeline of at least 2 stages; 1f1b takes one."));
    }
    if (schedules.empty()) {
        return refuse(say("The layers or micro-batches of the plan {} do not suit the schedule {}; "
                          "1f1b takes any number.",
                          text(given), schedules_text(choices)));
    }
    const std::vector<Placed> placed = placed_ways(model, given, open.placement);
    const bool once = !model.rules().has(Slip::full_domains); // as a search has it
    PlanRanking ranking(1, once, once);
    LayerCosts layers(choices.recomputes);
    std::string objection = say("No torus of {} chips that a pod of {} has holds the groups of the plan {}.",
                                given.chips(), model.hardware().title, text(given));
    const auto read = [&](const Plan& one) {
        const RankedPlan its{one, model.reading(one, model.overlapped(one, layers.of(one.recompute)))};
        ranking.add(compared(its), [&] { return its.reading; });
    };
    for (const std::int64_t count : panels) {
        for (const Placed& one : placed) {
            plan.panels = count;
            one.put(plan);
            if (!layers.read(model, plan)) {
                objection = layers.refusal().sentence;
                continue;
            }
            for (const PipelineSchedule& schedule : schedules) {
                plan.schedule = schedule;
                for (const Recompute recompute : choices.recomputes) {
                    plan.recompute = recompute;
                    for (const int zero : zero_levels_of(choices, plan)) {
                        plan.zero = zero;
                        read(plan);
                    }
                }
            }
        }
    }
    const std::vector<RankedPlan> best = std::move(ranking).in_order();
    return best.empty() ? refuse(objection) : Result<RankedPlan>(best.front());
}

} // namespace meshslice
