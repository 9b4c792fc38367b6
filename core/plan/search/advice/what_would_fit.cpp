// Where no plan fits: one change at a time that would make one fit.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/search/plan_search.h"
#include "core/scenario/plan/planning.h"
#include "core/work/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_times_chips = 64; ///< that are tried where the chips asked for are too few

/// Numbers of chips that a plan of the run may have, from `least` to `most`, in order: products of both sides
/// of a tensor-parallel grid, a pipeline depth and a data-parallel size.
std::set<std::int64_t> chip_counts(const TrainingRun& run, bool grids, std::int64_t least,
                                   std::int64_t most) {
    std::set<std::int64_t> counts = {1};
    std::vector<std::int64_t> depths = divisors(run.model.layers);
    if (run.uneven_stages) {
        depths.resize(static_cast<std::size_t>(run.model.layers));
        std::iota(depths.begin(), depths.end(), std::int64_t{1});
    }
    for (const std::vector<std::int64_t>& parts :
         {divisors(run.model.heads), divisors(grids ? run.sequence : 1), depths, divisors(run.batch)}) {
        std::set<std::int64_t> next;
        for (const std::int64_t part : parts) {
            for (const std::int64_t count : counts) {
                if (count <= most / part) {
                    next.insert(count * part);
                }
            }
        }
        counts = std::move(next);
    }
    counts.erase(counts.begin(), counts.lower_bound(least));
    return counts;
}

/// Of these choices the ones that need least memory: 1F1B keeps no more than any other schedule does; a
/// higher level of ZeRO no more than a lower one, but 3 gathers weights.
PlanChoices smallest_choices(const PlanChoices& given) {
    PlanChoices made = given;
    if (std::ranges::count(given.schedules, PipelineSchedule{}) > 0) {
        made.schedules = {PipelineSchedule{}};
        made.interleaved = false;
    }
    const int most = std::ranges::max(given.zero_levels);
    std::erase_if(made.zero_levels,
                  [&](int level) { return level < most && (most < 3 || level < most - 1); });
    return made;
}

/// Whether a plan may fit, wherever its groups would stand and whatever its programs buffer: where none may,
/// none does, and nothing has to be placed, tuned or timed to know it.
bool may_fit(const PlanModel& model, const PlanSpace& space, TensorStrategy strategy, TensorGrid grid) {
    const TrainingRun& run = model.run();
    const PlanChoices choices = smallest_choices(space.choices);
    SpaceCounts counts{};
    const auto outers = space_detail::outers(run, space, grid.tensor1 * grid.tensor2, counts);
    Plan plan;
    plan.strategy = strategy;
    plan.tensor1 = grid.tensor1;
    plan.tensor2 = grid.tensor2;
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes; // of experts and micro-batches
    for (const std::int64_t experts : expert_sizes(run, space, strategy)) {
        for (const std::int64_t size : space_detail::micro_batches(run, space, outers, strategy, grid)) {
            sizes.emplace_back(experts, size);
        }
    }
    for (const auto& [experts, size] : sizes) {
        plan.experts = experts;
        plan.micro_batch = size;
        for (const std::int64_t panels : panels_of(run, space, grid, strategy, model.rules())) {
            plan.panels = panels;
            const ChipTasks block = model.block(plan);
            BlockPasses none;
            none.forward.resize(block.operations.size());
            none.backward.resize(block.operations.size());
            for (const Recompute recompute : choices.recomputes) {
                plan.offload = space.fixed.offload;
                const LayerCost layer = model.offloaded(plan, PlanModel::layer_cost(block, none, recompute));
                for (const space_detail::Outer& outer : outers) {
                    plan.pipeline = outer.pipeline;
                    plan.data = outer.data;
                    if (outer.per_copy % size != 0 || outer.data % experts != 0) {
                        continue;
                    }
                    for (const PipelineSchedule& schedule : schedules_of(choices, run, plan)) {
                        plan.schedule = schedule;
                        for (const int zero : zero_levels_of(choices, plan)) {
                            plan.zero = zero;
                            if (model.memory(plan, layer).total() <= model.capacity()) {
                                return true;
                            }
                        }
                    }
                }
            }
        }
    }
    return false;
}

bool may_fit(const PlanModel& model, const PlanSpace& space, const std::stop_token& stop) {
    std::vector<TensorStrategy> strategies = space.strategies;
    if (!space.algorithms.empty()) {
        strategies.push_back(TensorStrategy::of_algorithm);
    }
    for (const TensorStrategy strategy : strategies) {
        for (const TensorGrid grid : tensor_grids(model.run(), space, strategy, model.rules())) {
            if (stop.stop_requested()) {
                return false;
            }
            if (may_fit(model, space, strategy, grid)) {
                return true;
            }
        }
    }
    return false;
}

/// The spaces that are searched one after the other until something fits: on a torus each strategy, as tuning
/// the programs of all takes seconds.
std::vector<PlanSpace> parts_of(const PlanModel& model, const PlanSpace& space) {
    if (!model.torus()) {
        return {space};
    }
    std::vector<PlanSpace> parts;
    for (const TensorStrategy strategy : space.strategies) {
        parts.push_back(space);
        parts.back().strategies = {strategy};
        parts.back().algorithms.clear();
    }
    for (const Algorithm* algorithm : space.algorithms) {
        parts.push_back(space);
        parts.back().strategies.clear();
        parts.back().algorithms = {algorithm};
    }
    return parts;
}

} // namespace

std::vector<std::string> what_would_fit(const PlanModel& model, const PlanSpace& space,
                                        const std::stop_token& stop) {
    std::vector<std::string> ways;
    const auto try_one = [&](const PlanSpace& other, const std::string& words) {
        for (const PlanSpace& part : parts_of(model, other)) {
            if (!may_fit(model, part, stop)) {
                continue;
            }
            if (const Result<PlanSearch> found = search_plans(model, part, 0, {stop});
                found && found->feasible > 0) {
                const double memory = found->smallest.reading.memory.total();
                ways.push_back(fmt::format("{} ({})", words, bytes_text(memory)));
                return;
            }
        }
    };
    for (const Recompute recompute : {Recompute::attention, Recompute::full}) {
        if (recompute > std::ranges::max(space.choices.recomputes)) {
            PlanSpace other = space;
            other.choices.recomputes = {recompute};
            try_one(other, say("recomputation of {}",
                               recompute == Recompute::full ? said("whole layers") : said("attention")));
        }
    }
    for (int level = std::ranges::max(space.choices.zero_levels) + 1; level <= 3; ++level) {
        PlanSpace other = space;
        other.choices.zero_levels = {level};
        try_one(other, say("ZeRO {}", level));
    }
    if (!ways.empty()) {
        return ways;
    }
    const std::int64_t most = std::min(most_times_chips * space.chips, most_planned_chips);
    // Whatever is shared, all chips together hold weights, gradients and optimizer of each parameter once.
    const KeptNumbers& keeps = model.run().keeps;
    const auto of_a_parameter = static_cast<double>(weight_bytes + keeps.gradient() + keeps.state());
    const double all = of_a_parameter * static_cast<double>(layer_parameters(model.run().model));
    const bool whole = !model.rules().has(Slip::rounding_down);
    const std::int64_t least =
        std::max(space.chips + 1, whole ? static_cast<std::int64_t>(all / model.capacity()) : 1);
    const bool grids = !space.algorithms.empty() ||
                       std::ranges::any_of(space.strategies,
                                           [](TensorStrategy one) { return one != TensorStrategy::one_d; });
    for (const std::int64_t chips : chip_counts(model.run(), grids, least, most)) {
        if (!ways.empty() || stop.stop_requested()) {
            break;
        }
        PlanSpace other = space;
        other.chips = chips;
        try_one(other, say("{} chips", chips));
    }
    return ways;
}

} // namespace meshslice
