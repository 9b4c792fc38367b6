#include "core/plan/search/fastest_plans.h"

#include "core/plan/search/plan_ranking.h"

#include <algorithm>
#include <cassert>

namespace meshslice {
namespace {

/// A step of a plan whose communication takes no time, and in which nothing but the layers does; seconds.
/// Rounded down by more than the rounding of all the sums that it leaves out.
double least_step(const PlanModel& model, const Plan& plan, const LayerCost& layer) {
    constexpr double rounded_down = 1 - 1e-10;
    const auto micro_batches = static_cast<double>(model.run().batch / plan.data / plan.micro_batch);
    const auto layers = static_cast<double>(most_stage_layers(model.run(), plan));
    const double filled = (layer.forward.time() + layer.backward.time()) * micro_batches * layers;
    return (filled + model.bubble_time(plan, layer, layers, filled, {}, {}, micro_batches)) * rounded_down;
}

/// Whether it comes first on a frontier: the faster; of equal ones the one with less memory, then by number.
bool ahead(const ComparedPlan& one, const ComparedPlan& other) {
    return one.time == other.time && one.memory != other.memory ? one.memory < other.memory
                                                                : better(one, other);
}

} // namespace

Result<std::vector<std::optional<RankedPlan>>> FastestPlans::within(const std::vector<double>& capacities,
                                                                    const PlanSpace& space,
                                                                    const RunControl& control) {
    assert(space.algorithms.empty());
    std::vector<std::optional<RankedPlan>> found(capacities.size());
    if (capacities.empty() || !check_fixed(model_, space)) {
        return found;
    }
    if (space.choices != choices_ || space.fixed != fixed_) {
        alone_.clear();
        with_groups_.clear();
        costs_.clear();
        choices_ = space.choices;
        fixed_ = space.fixed;
    }
    std::vector<Open> all;
    for (const StrategyGrid& on : strategy_grids(model_, space)) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        add_fitting(plan_on(on, space), space, *std::ranges::max_element(capacities), all);
    }
    std::vector<Open*> order;
    for (Open& one : all) {
        order.push_back(&one);
    }
    std::ranges::sort(order, {}, &Open::alone);
    Places places;
    for (std::size_t k = 0; k < capacities.size(); ++k) {
        const Open* best = nullptr;
        for (Open* one : order) {
            if (best != nullptr && one->alone > *best->time) {
                break;
            }
            if (one->memory > capacities[k] ||
                (best != nullptr && at_least(*one, space.chips) > *best->time)) {
                continue;
            }
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            if (!one->read) {
                read(*one, space, places);
            }
            if (one->time && (best == nullptr || ahead({one->plan, *one->time, one->memory, true},
                                                       {best->plan, *best->time, best->memory, true}))) {
                best = one;
            }
        }
        if (best != nullptr) {
            found[k] = RankedPlan{best->plan, model_.reading(best->plan, model_.layer(best->plan))};
        }
    }
    return found;
}

const CostsByRecompute& FastestPlans::alone(const Plan& plan) {
    const auto [at, added] = alone_.try_emplace(shape_of(plan));
    if (added) {
        const std::shared_ptr<const ChipTasks> block = model_.shared_block(plan);
        const BlockPasses passes = model_.passes_alone(plan, *block);
        for (const Recompute recompute : choices_.recomputes) {
            at->second.set(recompute, PlanModel::layer_cost(*block, passes, recompute));
        }
    }
    return at->second;
}

const CostsByRecompute& FastestPlans::with_groups(Plan plan, std::int64_t chips) {
    const auto split = std::ranges::count_if(model_.units(), [&](std::int64_t unit) { return unit < chips; });
    const auto [at, added] = with_groups_.try_emplace({shape_of(plan), split});
    if (!added) {
        return at->second;
    }
    at->second = alone(plan);
    if (model_.torus() || plan.experts > 1) { // not known
        return at->second;
    }
    LayerCosts layers(choices_.recomputes);
    bool first = true;
    for (const Placed& one : space_detail::grid_placements(model_, plan, chips)) {
        one.put(plan);
        if (!layers.read(model_, plan)) {
            continue;
        }
        for (const Recompute recompute : choices_.recomputes) {
            const LayerCost& its = layers.of(recompute);
            LayerCost least = at->second.of(recompute);
            const auto take = [first](double& tensor, double other) {
                tensor = first ? other : std::min(tensor, other);
            };
            take(least.forward.tensor, its.forward.tensor);
            take(least.backward.tensor, its.backward.tensor);
            at->second.set(recompute, least);
        }
        first = false;
    }
    return at->second;
}

double FastestPlans::at_least(Open& one, std::int64_t chips) {
    if (!one.at_least) {
        const LayerCost& layer = with_groups(one.plan, chips).of(one.plan.recompute);
        one.at_least = least_step(model_, one.plan, model_.overlapped(one.plan, layer));
    }
    return *one.at_least;
}

void FastestPlans::add_fitting(Plan plan, const PlanSpace& space, double capacity, std::vector<Open>& all) {
    const TrainingRun& run = model_.run();
    const TensorGrid grid{plan.tensor1, plan.tensor2};
    SpaceCounts counts{};
    const std::vector<space_detail::Outer> outers = space_detail::outers_of(run, space, plan, counts);
    const std::vector<std::int64_t> panels = panels_of(run, space, grid, plan.strategy, model_.rules());
    for (const std::int64_t micro_batch :
         space_detail::micro_batches(run, space, outers, plan.strategy, grid)) {
        plan.micro_batch = micro_batch;
        for (const std::int64_t count : panels) {
            plan.panels = count;
            const CostsByRecompute& costs = alone(plan);
            for (const space_detail::Outer& outer : outers) {
                plan.pipeline = outer.pipeline;
                plan.data = outer.data;
                if (outer.per_copy % micro_batch == 0) {
                    add_choices(plan, costs, capacity, all);
                }
            }
        }
    }
}

void FastestPlans::add_choices(Plan plan, const CostsByRecompute& costs, double capacity,
                               std::vector<Open>& all) {
    const std::vector<PipelineSchedule> schedules = schedules_of(choices_, model_.run(), plan);
    const std::vector<int> zero_levels = zero_levels_of(choices_, plan);
    for (const Recompute recompute : choices_.recomputes) {
        plan.recompute = recompute;
        for (const PipelineSchedule& schedule : schedules) {
            plan.schedule = schedule;
            const LayerCost layer = model_.overlapped(plan, costs.of(recompute));
            for (const int zero : zero_levels) {
                plan.zero = zero;
                const double memory = model_.memory(plan, layer).total();
                if (memory <= capacity) {
                    all.push_back({plan, memory, least_step(model_, plan, layer)});
                }
            }
        }
    }
}

void FastestPlans::read(Open& one, const PlanSpace& space, Places& places) {
    one.read = true;
    const bool once = !model_.rules().has(Slip::full_domains); // as a search has it
    const Plan its = one.plan;
    const TensorGrid grid{its.tensor1, its.tensor2};
    PanelCosts& costs = costs_
                            .try_emplace({grid_of(its), its.micro_batch}, model_,
                                         panels_of(model_.run(), space, grid, its.strategy, model_.rules()),
                                         choices_.recomputes)
                            .first->second;
    const auto [parts, added] = places.try_emplace({grid_of(its), its.pipeline});
    if (added) {
        parts->second = space_detail::placed_by_tensor_part(model_, its, space.chips);
    }
    const PlanChoices choices{{its.schedule}, false, {its.recompute}, {its.zero}};
    for (const std::vector<Placed>& placed : parts->second) {
        if (placed.empty()) {
            continue;
        }
        Plan plan = its;
        placed.front().put(plan);
        const PanelCosts::Cost& cost = costs.of(plan, !once || any_shares_links(model_, plan, placed));
        if (!cost.runs || (once && cost.behind)) {
            continue;
        }
        bundle_.for_each(
            model_, plan, placed, choices, cost.layers, [](const PlanBound&) { return true; },
            [&](const PlacedPlans& plans) {
                const auto at = std::ranges::min_element(plans.time) - plans.time.begin();
                const double time = plans.time[static_cast<std::size_t>(at)];
                placed[static_cast<std::size_t>(at)].put(plan);
                if (!one.time ||
                    ahead({plan, time, one.memory, true}, {one.plan, *one.time, one.memory, true})) {
                    one.plan = its;
                    placed[static_cast<std::size_t>(at)].put(one.plan);
                    one.time = time;
                }
            });
    }
}

} // namespace meshslice
