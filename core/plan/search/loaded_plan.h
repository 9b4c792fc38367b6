#pragma once

#include "core/plan/search/chosen_plan.h"
#include "core/plan/search/plan_search.h"
#include "core/scenario/scenario.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace meshslice {

/// The plan that a scenario has loaded, with the question that it has to suit; none where it has none, or is
/// not a training run.
[[nodiscard]] std::optional<ChosenPlan> loaded_plan(const Scenario& scenario);

/// A plan as the search would have ranked it. Refuses one that does not suit its question: another number of
/// chips, another kind of network, or what PlanModel::check() refuses.
[[nodiscard]] Result<RankedPlan> read_chosen_plan(const ChosenPlan& chosen,
                                                  std::shared_ptr<TunedGroups> groups = {});

/// What a scenario asks of the planner, with the plan that it has loaded.
struct AskedPlans {
    PlanQuestion question;
    std::optional<ChosenPlan> loaded;

    bool operator==(const AskedPlans&) const = default;
};
/// None where the scenario is not a training run.
[[nodiscard]] std::optional<AskedPlans> asked_plans(const Scenario& scenario);
/// Both answers. A loaded plan that does not suit its question is left out.
[[nodiscard]] Result<PlanAnswer> answer(const AskedPlans& asked, std::size_t top,
                                        const RunControl& control = {},
                                        const std::shared_ptr<TunedGroups>& groups = {},
                                        const MakeExpected& expected = {});

/// Why the tensor-parallel group of a plan cannot be shown by itself: on clusters of fast domains it runs no
/// programs, and one chip is not a group. Empty where it can.
[[nodiscard]] std::string why_no_tensor_group(const Machine& machine, const Plan& plan);
/// One tensor-parallel group of a plan on a torus as a scenario of its own: its mesh, its algorithm, and the
/// micro-batch as the batch, so that its GEMMs are those that the plan was read with. It has the plan loaded,
/// which says what its chips hold. `of` is what the plan is for, and the plan suits it. Refuses for the
/// reasons of why_no_tensor_group().
[[nodiscard]] Result<Scenario> tensor_group_scenario(const Scenario& of, const Plan& plan);

} // namespace meshslice
