#include "core/papers/transformers/grid_sweep.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {

Result<GridSizes> grid_sizes(const Transformer& model, const Machine& cluster, std::int64_t chips,
                             ModelRules rules, const RunControl& control) {
    const auto made = plan_model(model, cluster, rules);
    if (!made) {
        return refuse(made.error());
    }
    const auto best = best_plan(*made, TensorStrategy::one_d, chips, control);
    if (!best) {
        return refuse(best.error());
    }
    if (!*best) {
        return refuse(say("No 1D plan of {} fits on {} chips.", model.title, chips));
    }
    const std::int64_t tensor = (*best)->plan.tensor1;
    std::int64_t deepest = 1;
    for (const std::int64_t depth : divisors(model.layers)) {
        if (chips % (depth * tensor) == 0) {
            deepest = depth;
        }
    }
    return GridSizes{{{4 * tensor, 1, 0}, {tensor, deepest, 1}}};
}

PlanMarks grid_sweep(const PlanModel& model, TensorStrategy strategy, const GridSizes& sizes,
                     std::int64_t chips, std::optional<std::int64_t> panels) {
    const TrainingRun& run = model.run();
    PlanMarks marks;
    for (const GridSizes::Size& size : sizes.sizes) {
        std::vector<TensorGrid> grids = tensor_grids(run, {.chips = chips}, strategy, ModelRules::exact);
        std::ranges::reverse(grids);
        for (const TensorGrid grid : grids) {
            if (grid.tensor1 * grid.tensor2 != size.tensor) {
                continue;
            }
            Plan plan;
            plan.strategy = strategy;
            plan.tensor1 = grid.tensor1;
            plan.tensor2 = grid.tensor2;
            plan.pipeline = size.pipeline;
            plan.data = chips / (size.tensor * size.pipeline);
            plan.micro_batch =
                size.micro_batch > 0 ? size.micro_batch : run.batch / std::max<std::int64_t>(plan.data, 1);
            if (plan.data < 1 || plan.micro_batch < 1 || plan.chips() != chips) {
                continue;
            }
            std::vector<std::int64_t> counts = panel_counts(run, grid, strategy, model.rules());
            if (panels && strategy == TensorStrategy::summa) {
                const bool whole = *panels % grid.tensor1 == 0 && *panels % grid.tensor2 == 0;
                // The published implementation computes with any number.
                counts = model.rules().has(Slip::panel_list) || whole ? std::vector{*panels}
                                                                      : std::vector<std::int64_t>();
            }
            if (auto placed = best_placed(model, plan, counts)) {
                marks.push_back(
                    {fmt::format("{}, pp {}", grid_text(plan), plan.pipeline), std::move(placed)});
            }
        }
    }
    return marks;
}

} // namespace meshslice
