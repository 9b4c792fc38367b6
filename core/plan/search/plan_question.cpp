#include "core/plan/search/plan_question.h"

#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/scenario/meshes.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace meshslice {

Result<PlanQuestion> plan_question(const Scenario& scenario) {
    if (scenario.gemm) {
        return refuse(said("A plan is of a model's training run, and this scenario is one GEMM. Choose one "
                           "block as its task."));
    }
    return PlanQuestion{scenario.model, scenario.sequence, scenario.planning.batch.value_or(scenario.batch),
                        scenario.planning, scenario.plan.split};
}

std::string other_machine_note(const Scenario& scenario) {
    const Planning& planning = scenario.planning;
    const Result<Machine> known = machine_preset(planning.cluster);
    const std::int64_t chips = chips_of(scenario.mesh);
    if (!known || scenario.gemm) {
        return {};
    }
    const auto so_many = [](std::int64_t count) {
        return count == 1 ? said("one chip") : say("{} chips", count);
    };
    const bool of_a_group = planning.batch && scenario.plan.loaded &&
                            known->title == scenario.hardware.title &&
                            chips == scenario.plan.loaded->tensor1 * scenario.plan.loaded->tensor2;
    if (of_a_group) {
        return say("These plans are for {} of {}; the headline and the other views show one tensor-parallel "
                   "group, {}.",
                   so_many(planning.chips), known->title, so_many(chips));
    }
    if (known->title == scenario.hardware.title && planning.chips == chips) {
        return {};
    }
    return say("These plans are for {} of {}; the headline and the other views show {} of {}.",
               so_many(planning.chips), known->title, so_many(chips), scenario.hardware.title);
}

Result<Planning> planning_on_own_machine(const Scenario& scenario) {
    const Result<Machine> known = machine_preset(scenario.hardware.name);
    if (!known || !trains_by_plan(*known)) {
        return refuse(say("There is no cluster of {} to plan for.", scenario.hardware.title));
    }
    if (*known != scenario.hardware) {
        return refuse(say("Plans are for chips as they come, and numbers of {} were edited; --cluster of "
                          "meshslice plan takes a file of them.",
                          scenario.hardware.title));
    }
    Planning planning = scenario.planning;
    planning.cluster = scenario.hardware.name;
    planning.chips = chips_of(scenario.mesh);
    planning.batch.reset();
    return planning;
}

SplitAsked runs_on(SplitAsked split, const Machine& on) {
    PlanSpace space;
    if (!set_strategies(space, split.strategy, is_torus(on))) {
        split.strategy = SplitAsked{}.strategy;
    }
    return split;
}

const RankedPlan& PlanAnswer::best() const {
    return fits() && !search.ranked.empty() ? search.ranked.front() : search.smallest;
}

std::vector<RankedPlan> PlanAnswer::plans() const {
    std::vector<RankedPlan> all = search.ranked;
    if (loaded && std::ranges::find(all, loaded->plan, &RankedPlan::plan) == all.end()) {
        all.push_back(*loaded);
    }
    for (const RankedPlan& one : search.frontier) {
        if (std::ranges::find(all, one.plan, &RankedPlan::plan) == all.end()) {
            all.push_back(one);
        }
    }
    return all;
}

Result<PlanSpace> plan_space(const PlanQuestion& question, const PlanModel& model) {
    const SplitAsked& split = question.split;
    PlanSpace space;
    space.chips = question.planning.chips;
    if (const auto set = set_strategies(space, split.strategy, model.torus()); !set) {
        return refuse(set.error());
    }
    const Result<PlanChoices> choices = plan_choices({split.schedule, split.recompute, split.zero});
    if (!choices) {
        return refuse(choices.error());
    }
    space.choices = *choices;
    return space;
}

std::optional<std::size_t> PlanAnswer::place_of_loaded() const {
    if (!loaded) {
        return std::nullopt;
    }
    const std::vector<RankedPlan> all = plans();
    const auto at = std::ranges::find(all, loaded->plan, &RankedPlan::plan);
    return static_cast<std::size_t>(at - all.begin());
}

Result<PlanAnswer> answer(const PlanQuestion& question, std::size_t top, const RunControl& control,
                          std::shared_ptr<TunedGroups> groups) {
    const Result<Machine> known = machine_preset(question.planning.cluster);
    const Result<TrainingRun> run = known ? training_run(question.model, question.sequence, question.batch)
                                          : Result<TrainingRun>(refuse(known.error()));
    if (!run) {
        return refuse(run.error());
    }
    const Result<PlanModel> model = PlanModel::of(*run, *known, ModelRules::exact, std::move(groups));
    if (!model) {
        return refuse(model.error());
    }
    const Result<PlanSpace> space = plan_space(question, *model);
    if (!space) {
        return refuse(space.error());
    }
    Result<PlanSearch> found = search_plans(*model, *space, top, control);
    if (!found) {
        return refuse(found.error());
    }
    PlanAnswer made{question, known->title, model->capacity(), *std::move(found), {}, {}};
    if (!made.fits()) {
        made.would_fit = what_would_fit(*model, *space, control.stop);
        if (control.stop.stop_requested()) {
            return cancelled();
        }
    }
    return made;
}

} // namespace meshslice
