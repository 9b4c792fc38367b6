#include "core/plan/search/loaded_plan.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/options.h"
#include "core/machine/catalogue.h"
#include "core/plan/torus_placement.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
std::optional<ChosenPlan> loaded_plan(const Scenario& scenario) {
    const Result<PlanQuestion> question = plan_question(scenario);
    return scenario.plan.loaded && question ? std::optional(ChosenPlan{*question, *scenario.plan.loaded})
                                            : std::nullopt;
}

Result<RankedPlan> read_chosen_plan(const ChosenPlan& chosen, std::shared_ptr<TunedGroups> groups) {
    const Plan& plan = chosen.plan;
    const Result<PlanModel> model = plan_model(chosen.question, std::move(groups));
    if (!model) {
        return refuse(model.error());
    }
    const bool fewer = chosen.question.split.fewer_chips && plan.chips() < chosen.question.chips;
    if (plan.chips() != chosen.question.chips && !fewer) {
        return refuse(
            say("It is for {} chips, and the scenario has {}.", plan.chips(), chosen.question.chips));
    }
    if ((plan.axes != TorusAxes{}) != model->torus() && plan.chips() > 1) {
        return refuse(model->torus()
                          ? say("It names no axes of a torus, and {} is one.", model->cluster_name())
                          : say("It is placed on a torus, and {} has fast domains.", model->cluster_name()));
    }
    if (const Result<void> sound = model->check(plan); !sound) {
        return refuse(sound.error());
    }
    return RankedPlan{plan, model->reading(plan, model->layer(plan))};
}

std::optional<AskedPlans> asked_plans(const Scenario& scenario) {
    const Result<PlanQuestion> question = plan_question(scenario);
    return question ? std::optional(AskedPlans{*question, loaded_plan(scenario)}) : std::nullopt;
}

Result<PlanAnswer> answer(const AskedPlans& asked, std::size_t top, const RunControl& control,
                          const std::shared_ptr<TunedGroups>& groups, const MakeExpected& expected) {
    Result<PlanAnswer> found = answer(asked.question, top, control, groups, expected);
    if (found && asked.loaded) {
        if (const Result<RankedPlan> loaded = read_chosen_plan(*asked.loaded, groups)) {
            found->loaded = *loaded;
        }
    }
    return found;
}

std::string why_no_tensor_group(const Machine& machine, const Plan& plan) {
    if (!is_torus(machine)) {
        return say("Groups on {} run no programs that can be shown; on a torus such as tpu-v5p they do.",
                   machine.title);
    }
    return plan.tensor1 * plan.tensor2 == 1 ? said("The tensor-parallel group of this plan is one chip.")
                                            : std::string();
}

Result<Scenario> tensor_group_scenario(const Scenario& of, const Plan& plan) {
    if (const std::string objection = why_no_tensor_group(of.hardware, plan); !objection.empty()) {
        return refuse(objection);
    }
    const GridRings rings = grid_rings(plan, of.hardware.pod);
    Scenario group = of;
    group.gemm.reset();
    group.plan.loaded = plan;
    group.planning.batch = of.planning.batch.value_or(of.batch);
    group.planning.chips = of.chips();
    group.batch = plan.micro_batch;
    group.compare.clear();
    group.plan.stationary.reset();
    group.plan.slices.reset();
    group.plan.packets.reset();
    group.plan.decomposed.reset();
    group.plan.block = GemmOptions{}.block; // as PlanModel::tuned() has it
    group.assume.schedule = {};
    group.assume.faults = {};
    group.plan.algorithm = plan.algorithm != nullptr ? plan.algorithm->id : one_d_algorithm;
    group.mesh = {static_cast<std::int32_t>(plan.tensor2), static_cast<std::int32_t>(plan.tensor1)};
    group.wraps = {rings.tensor2, rings.tensor1, true};
    group.folded = plan.algorithm == nullptr && !rings.tensor1; // its program goes round a ring
    return checked(group);
}

} // namespace meshslice
