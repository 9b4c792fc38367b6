#pragma once

#include "core/plan/evaluate/evaluate.h"
#include "core/plan/plan.h"
#include "core/plan/plan_choices.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The parts of a plan that a search keeps; 0: any.
struct FixedSplit {
    std::int64_t data = 0, pipeline = 0, tensor1 = 0, tensor2 = 0;
    std::int64_t micro_batch = 0, panels = 0; ///< panels of SUMMA plans
    std::int64_t experts = 1;                 ///< the size of the group that shares them
    std::int64_t shard = 0;                   ///< chips that share weights; 0: all that hold the same
    bool sums_each_backward = false;          ///< of these groups
    std::int64_t offload = 0;                 ///< percent

    bool operator==(const FixedSplit&) const = default;
};

/// Which plans are searched (arXiv 2410.00273, section 3.3): every tensor-parallel grid, pipeline depth,
/// micro-batch, panel count and placement that the rules let through, with each combination of choices.
struct PlanSpace {
    std::int64_t chips = 1;
    std::vector<TensorStrategy> strategies = {TensorStrategy::one_d};
    /// In addition, on a torus: those whose programs split GEMMs over a mesh of two axes.
    std::vector<const Algorithm*> algorithms = {};
    /// Of each split, all combinations of these.
    PlanChoices choices = {};
    FixedSplit fixed = {};
    /// Of plans that split the sequence each of these.
    std::vector<ContextExchange> contexts = {ContextExchange::gather};
    /// Overlap, of every plan: it is of the software that runs them, and never makes one slower.
    bool tensor_overlap = false, data_overlap = true;
};

/// Algorithms that a tensor-parallel group on a torus may use: of a mesh of two axes.
[[nodiscard]] std::vector<const Algorithm*> tensor_algorithms();
/// Sets the strategies by name. In fast domains "1d", "2d", "summa" or "all" of them; on a torus "1d", the id
/// of one of tensor_algorithms(), or "all". Refused with what there is.
[[nodiscard]] Result<void> set_strategies(PlanSpace& space, std::string_view words, bool torus);

/// A step of narrowing down; each leaves fewer plans.
enum class SpaceRule : std::uint8_t { grid, pipeline, batch, micro_batch, schedule, panels, placement };
inline constexpr std::size_t space_rules = 7;
/// How many choices each rule let through, all those before it included.
using SpaceCounts = std::array<std::int64_t, space_rules>;

/// A tensor-parallel grid of chips.
struct TensorGrid {
    std::int64_t tensor1 = 1, tensor2 = 1;

    bool operator==(const TensorGrid&) const = default;
};
/// The grids of a strategy that the space has. A 1D or 2D group whose first side is fixed need not share
/// heads, features and tokens evenly; a search tries only even ones.
[[nodiscard]] std::vector<TensorGrid> tensor_grids(const TrainingRun& run, const PlanSpace& space,
                                                   TensorStrategy strategy, ModelRules rules);
/// The expert-parallel sizes of a strategy that the space has: the fixed one, or 1 and all powers of two that
/// divide the experts and the chips. Those that do not divide a data-parallel size have no plan with it.
[[nodiscard]] std::vector<std::int64_t> expert_sizes(const TrainingRun& run, const PlanSpace& space,
                                                     TensorStrategy strategy);
/// The exchanges that plans with a grid of a strategy may have: those of the space where it splits the
/// sequence, and where heads divide.
[[nodiscard]] std::vector<ContextExchange> contexts_of(const TrainingRun& run, const PlanSpace& space,
                                                       TensorGrid grid, TensorStrategy strategy);
/// The depths of a pipeline over so many chips and copies of it.
[[nodiscard]] std::vector<std::int64_t> stage_counts(const TrainingRun& run, std::int64_t chips);
/// Refuses a fixed part of a split that no plan of the space has, and parts that none has together, with what
/// plans have.
[[nodiscard]] Result<void> check_fixed(const PlanModel& model, const PlanSpace& space);
/// Panel counts of a SUMMA grid, all that divide; {1} of others.
[[nodiscard]] std::vector<std::int64_t> panel_counts(const TrainingRun& run, TensorGrid grid,
                                                     TensorStrategy strategy, ModelRules rules);
/// Those of them that the space has.
[[nodiscard]] std::vector<std::int64_t> panels_of(const TrainingRun& run, const PlanSpace& space,
                                                  TensorGrid grid, TensorStrategy strategy, ModelRules rules);
/// Where groups stand, in the units of each level or along the axes of a torus.
struct Placed {
    Placement placement;
    OuterPlacements around{};
    TorusAxes axes{};

    void put(Plan& plan) const {
        plan.placement = placement;
        plan.around = around;
        plan.axes = axes;
    }
};
/// How groups may stand in units of so many chips, a number for each level but the last, from the inside out;
/// all in one where `chips` are no more. The published
/// rules fill a domain exactly, or have no placement. Exact ones let any part of each group stand together
/// that has room: where two kinds of traffic would need the same links, fewer chips together can be faster.
/// All of them stand in the units that so many chips fill: blocks of 6 do not fill domains of 8.
[[nodiscard]] std::vector<Placed> placements(const Plan& plan, const std::vector<std::int64_t>& units,
                                             std::int64_t chips, ModelRules rules);

/// Calls `visit` with a plan of one grid, strategy and space, and all ways to place it that leave its layer's
/// cost as it is, in the order of their numbers. Whatever the plan's choices: its pipeline and micro-batches
/// take at least one of the space's schedules. The tensor-parallel part (micro-batch, panels, placement of
/// the grid) changes slowest. Stops, false, where `visit` returns false.
template <class Visit>
bool for_each_placed(const PlanModel& model, const PlanSpace& space, Plan plan, SpaceCounts& counts,
                     const Visit& visit);

/// "No pipeline depth ..., as ...": why the space is empty.
[[nodiscard]] std::string why_none(const PlanModel& model, const PlanSpace& space, const SpaceCounts& counts);

namespace space_detail {

/// Pipeline depth and data-parallel size.
struct Outer {
    std::int64_t pipeline = 1, data = 1, per_copy = 1;
};
[[nodiscard]] std::vector<Outer> outers(const TrainingRun& run, const PlanSpace& space, std::int64_t tensor,
                                        SpaceCounts& counts);
/// Those that a plan with this grid, expert-parallel size and shard may have.
[[nodiscard]] std::vector<Outer> outers_of(const TrainingRun& run, const PlanSpace& space, const Plan& plan,
                                           SpaceCounts& counts);
/// Micro-batches of a run on a grid that the space has and any of the outers takes.
[[nodiscard]] std::vector<std::int64_t> micro_batches(const TrainingRun& run, const PlanSpace& space,
                                                      const std::vector<Outer>& all, TensorStrategy strategy,
                                                      TensorGrid grid);
/// How the tensor-parallel grid of a plan without experts may stand in the units of a cluster, whatever
/// stands around it; of each of the lists of placed_by_tensor_part() what its placements have in common. A
/// list may be empty.
[[nodiscard]] std::vector<Placed> grid_placements(const PlanModel& model, const Plan& plan,
                                                  std::int64_t chips);
/// The ways to place a plan, those with the same layer's cost together; as many lists for each plan with the
/// same tensor-parallel grid and expert-parallel size.
[[nodiscard]] std::vector<std::vector<Placed>> placed_by_tensor_part(const PlanModel& model, const Plan& plan,
                                                                     std::int64_t chips);

} // namespace space_detail

template <class Visit>
bool for_each_placed(const PlanModel& model, const PlanSpace& space, Plan plan, SpaceCounts& counts,
                     const Visit& visit) {
    const TrainingRun& run = model.run();
    const TensorGrid grid{plan.tensor1, plan.tensor2};
    ++counts[static_cast<std::size_t>(SpaceRule::grid)];
    const std::vector<space_detail::Outer> outers = space_detail::outers_of(run, space, plan, counts);
    const std::vector<std::int64_t> micro_batches =
        space_detail::micro_batches(run, space, outers, plan.strategy, grid);
    const std::vector<std::int64_t> panels = panels_of(run, space, grid, plan.strategy, model.rules());
    // By outer and tensor-parallel part, which is visited outside the others.
    std::vector<std::vector<std::vector<Placed>>> placed;
    for (const space_detail::Outer& outer : outers) {
        plan.pipeline = outer.pipeline;
        plan.data = outer.data;
        placed.push_back(space_detail::placed_by_tensor_part(model, plan, space.chips));
    }
    const std::size_t tensor_parts = placed.empty() ? 0 : placed.front().size();
    std::vector<bool> taken(outers.size());
    for (const std::int64_t micro_batch : micro_batches) {
        plan.micro_batch = micro_batch;
        for (std::size_t at = 0; at < outers.size(); ++at) {
            plan.pipeline = outers[at].pipeline;
            plan.data = outers[at].data;
            const bool divides = outers[at].per_copy % micro_batch == 0;
            taken[at] = divides && !schedules_of(space.choices, run, plan).empty();
            counts[static_cast<std::size_t>(SpaceRule::micro_batch)] += divides ? 1 : 0;
            counts[static_cast<std::size_t>(SpaceRule::schedule)] += taken[at] ? 1 : 0;
            counts[static_cast<std::size_t>(SpaceRule::panels)] += taken[at] ? std::ssize(panels) : 0;
        }
        for (const std::int64_t count : panels) {
            plan.panels = count;
            for (std::size_t part = 0; part < tensor_parts; ++part) {
                for (std::size_t at = 0; at < outers.size(); ++at) {
                    if (!taken[at] || placed[at][part].empty()) {
                        continue;
                    }
                    plan.pipeline = outers[at].pipeline;
                    plan.data = outers[at].data;
                    placed[at][part].front().put(plan);
                    counts[static_cast<std::size_t>(SpaceRule::placement)] += std::ssize(placed[at][part]);
                    if (!visit(plan, placed[at][part])) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

} // namespace meshslice
