#pragma once

#include "core/plan/search/panel_costs.h"
#include "core/plan/search/plan_search.h"
#include "core/plan/search/strategy_grids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace meshslice {

/// Searches of one model for its fastest plans alone. Each answer is bit for bit the first plan of the
/// frontier that search_plans() finds. Which plans fit is known from what a chip does, whatever its network.
/// Of those that do the ones come first that would be fastest if communication took no time; where even that
/// takes longer than the best one found, the rest is left, and no plan is placed that would take longer with
/// the communication of its layers alone, wherever their groups stand. A search over another number of chips
/// takes what those before it read of layers.
class FastestPlans {
  public:
    /// The model outlives it.
    explicit FastestPlans(const PlanModel& model) : model_(model) {}

    /// The fastest plan that fits into each of these capacities, in bytes; none where none does, or the space
    /// is empty. The space has no algorithms. Refused when stopped alone.
    [[nodiscard]] Result<std::vector<std::optional<RankedPlan>>>
    within(const std::vector<double>& capacities, const PlanSpace& space, const RunControl& control = {});

  private:
    /// A plan that fits, whatever its placement.
    struct Open {
        Plan plan;
        double memory = 0; ///< bytes
        double alone = 0;  ///< seconds, if communication took no time
        /// Seconds, with the least that communication within its tensor-parallel group takes, when known.
        std::optional<double> at_least = {};
        bool read = false;
        std::optional<double> time = {}; ///< with its fastest placement; none where it has no place
    };
    /// Of plans that have the same tensor-parallel grid, experts and exchange.
    using GridKey = std::tuple<TensorStrategy, std::int64_t, std::int64_t, std::int64_t, ContextExchange>;
    static GridKey grid_of(const Plan& plan) {
        return {plan.strategy, plan.tensor1, plan.tensor2, plan.experts, plan.context};
    }

    using Shape = std::tuple<GridKey, std::int64_t, std::int64_t>; ///< with its micro-batch and panel count
    static Shape shape_of(const Plan& plan) { return {grid_of(plan), plan.micro_batch, plan.panels}; }
    /// Of one search: the placements of each grid and pipeline.
    using Places = std::map<std::pair<GridKey, std::int64_t>, std::vector<std::vector<Placed>>>;

    /// What a layer costs where communication takes no time.
    [[nodiscard]] const CostsByRecompute& alone(const Plan& plan);
    /// The same with the least that communication within its tensor-parallel group takes, wherever that
    /// stands.
    [[nodiscard]] const CostsByRecompute& with_groups(Plan plan, std::int64_t chips);
    [[nodiscard]] double at_least(Open& one, std::int64_t chips);
    /// Every plan of a grid that fits into so many bytes.
    void add_fitting(Plan plan, const PlanSpace& space, double capacity, std::vector<Open>& all);
    void add_choices(Plan plan, const CostsByRecompute& costs, double capacity, std::vector<Open>& all);
    /// Sets its time and its placement.
    void read(Open& one, const PlanSpace& space, Places& places);

    const PlanModel& model_;
    PlanBundle bundle_;
    PlanChoices choices_; ///< that what follows was read for
    FixedSplit fixed_;
    std::map<Shape, CostsByRecompute> alone_;
    /// With so many levels whose units have fewer chips than are searched.
    std::map<std::pair<Shape, std::int64_t>, CostsByRecompute> with_groups_;
    /// By grid and micro-batch.
    std::map<std::tuple<GridKey, std::int64_t>, PanelCosts> costs_;
};

} // namespace meshslice
