#include "core/plan/plan_search.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/scenario/planning.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_times_chips = 64;       ///< that are tried where the chips asked for are too few
constexpr double bytes_of_a_parameter = 2 + 2 + 12; ///< weight, gradient, optimizer's state

auto numbers(const Plan& plan) {
    const Placement& at = plan.placement;
    return std::make_tuple(plan.tensor1 * plan.tensor2, plan.pipeline, plan.strategy, plan.tensor1,
                           plan.micro_batch, plan.panels, at.tensor1, at.tensor2, at.data, at.pipeline);
}

/// Compares numbers only as far as it has to, so that most plans are left behind after one.
bool better(const Plan& plan, const PlanReading& reading, const RankedPlan& other) {
    if (reading.fits != other.reading.fits) {
        return reading.fits;
    }
    const double memory = reading.memory.total(), its = other.reading.memory.total();
    if (!reading.fits && memory != its) {
        return memory < its;
    }
    if (reading.time.total != other.reading.time.total) {
        return reading.time.total < other.reading.time.total;
    }
    return numbers(plan) < numbers(other.plan);
}

/// Whether it needs less memory; of equal ones the faster.
bool smaller(const Plan& plan, const PlanReading& reading, const RankedPlan& other) {
    const double memory = reading.memory.total(), its = other.reading.memory.total();
    return memory != its ? memory < its : better(plan, reading, other);
}

/// Grids on which a strategy does exactly what 1D does: 2D with a whole sequence, SUMMA on one chip.
bool as_one_d(TensorStrategy strategy, TensorGrid grid) {
    return (strategy == TensorStrategy::two_d && grid.tensor2 == 1) ||
           (strategy == TensorStrategy::summa && grid.tensor1 == 1 && grid.tensor2 == 1);
}

/// The best so far, the worst of them on top of a heap.
class Best {
  public:
    explicit Best(std::size_t most) : most_(most) {}

    void add(const Plan& plan, const PlanReading& reading) {
        if (plans_.size() == most_) {
            if (most_ == 0 || !better(plan, reading, plans_.front())) {
                return;
            }
            std::ranges::pop_heap(plans_, plan_before);
            plans_.pop_back();
        }
        plans_.push_back({plan, reading});
        std::ranges::push_heap(plans_, plan_before);
    }

    std::vector<RankedPlan> in_order() && {
        std::ranges::sort(plans_, plan_before);
        return std::move(plans_);
    }

  private:
    std::size_t most_;
    std::vector<RankedPlan> plans_;
};

/// Plans that no other beats in both time and memory, in the order of their times.
class Frontier {
  public:
    void add(const Plan& plan, const PlanReading& reading) {
        const double time = reading.time.total, memory = reading.memory.total();
        const auto at = std::ranges::lower_bound(
            plans_, time, {}, [](const RankedPlan& one) { return one.reading.time.total; });
        if (at != plans_.begin() && std::prev(at)->reading.memory.total() <= memory) {
            return;
        }
        auto last = at;
        if (last != plans_.end() && last->reading.time.total == time) {
            const double its = last->reading.memory.total();
            if (its < memory || (its == memory && !(numbers(plan) < numbers(last->plan)))) {
                return;
            }
        }
        while (last != plans_.end() && last->reading.memory.total() >= memory) {
            ++last;
        }
        plans_.insert(plans_.erase(at, last), {plan, reading});
    }

    std::vector<RankedPlan> plans() && { return std::move(plans_); }

  private:
    std::vector<RankedPlan> plans_;
};

/// The layer's cost of the plan before, which most plans share.
class LastLayer {
  public:
    const LayerCost& of(const PlanModel& model, const Plan& plan) {
        const bool block =
            block_.operations.empty() || plan.micro_batch != plan_.micro_batch || plan.panels != plan_.panels;
        if (block) {
            block_ = model.block(plan);
        }
        if (block || plan.placement.tensor1 != plan_.placement.tensor1 ||
            plan.placement.tensor2 != plan_.placement.tensor2) {
            cost_ = model.layer(plan, block_);
            plan_ = plan;
        }
        return cost_;
    }

  private:
    Plan plan_;
    Block block_;
    LayerCost cost_;
};

/// Numbers of chips that a plan of the run may have, from `least` to `most`, in order: products of both sides
/// of a tensor-parallel grid, a pipeline depth and a data-parallel size.
std::set<std::int64_t> chip_counts(const TrainingRun& run, bool grids, std::int64_t least,
                                   std::int64_t most) {
    std::set<std::int64_t> counts = {1};
    for (const std::int64_t whole :
         {run.model.heads, grids ? run.sequence : 1, run.model.layers, run.batch}) {
        std::set<std::int64_t> next;
        for (const std::int64_t part : divisors(whole)) {
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

} // namespace

bool plan_before(const RankedPlan& a, const RankedPlan& b) {
    return better(a.plan, a.reading, b);
}

Result<PlanSearch> search_plans(const PlanModel& model, const PlanSpace& space, std::size_t top,
                                const RunControl& control) {
    // The published rules count both, and add biases differently.
    const bool with_one_d = !model.rules().has(Slip::whole_biases) &&
                            std::ranges::count(space.strategies, TensorStrategy::one_d) > 0;
    std::vector<std::pair<TensorStrategy, TensorGrid>> grids;
    for (const TensorStrategy strategy : space.strategies) {
        for (const TensorGrid grid : tensor_grids(model.run(), space.chips, strategy, model.rules())) {
            if (!with_one_d || !as_one_d(strategy, grid)) {
                grids.emplace_back(strategy, grid);
            }
        }
    }
    PlanSearch found;
    SpaceCounts counts{};
    Best best(top);
    Frontier frontier;
    const auto visit = [&, layer = LastLayer()](const Plan& plan) mutable {
        const PlanReading reading = model.reading(plan, layer.of(model, plan));
        if (found.candidates == 0 || smaller(plan, reading, found.smallest)) {
            found.smallest = {plan, reading};
        }
        ++found.candidates;
        if (reading.fits) {
            ++found.feasible;
            frontier.add(plan, reading);
        }
        best.add(plan, reading);
        return (found.candidates & 1023) != 0 || !control.stop.stop_requested();
    };
    for (std::size_t k = 0; k < grids.size(); ++k) {
        auto of_grid = visit; // with a layer of its own
        if (control.stop.stop_requested() ||
            !for_each_plan(model, space, grids[k].first, grids[k].second, counts,
                           [&](const Plan& plan) { return of_grid(plan); })) {
            return cancelled();
        }
        if (control.progress != nullptr) {
            *control.progress = static_cast<double>(k + 1) / static_cast<double>(grids.size());
        }
    }
    if (found.candidates == 0) {
        return refuse(why_none(model, space, counts));
    }
    found.ranked = std::move(best).in_order();
    found.frontier = std::move(frontier).plans();
    return found;
}

Result<RankedPlan> fastest_plan(const PlanModel& model, const Plan& given, OpenParts open) {
    std::vector<std::int64_t> panels = {given.panels};
    if (open.panels && given.strategy == TensorStrategy::summa) {
        panels = {std::lcm(given.tensor1, given.tensor2)}; // what check_plan() asks for, at least
    }
    std::optional<RankedPlan> best;
    Plan plan = given;
    plan.panels = panels.front();
    if (const Result<void> sound = check_plan(model.run(), plan, model.domain(), model.rules()); !sound) {
        return refuse(sound.error());
    }
    if (open.panels && given.strategy == TensorStrategy::summa) {
        const auto counts =
            panel_counts(model.run(), {given.tensor1, given.tensor2}, given.strategy, model.rules());
        panels = counts.empty() ? panels : counts;
    }
    std::vector<Placement> placed = {given.placement};
    if (open.placement) {
        placed = placements(given, model.domain(), given.chips(), ModelRules::exact);
    }
    for (const std::int64_t count : panels) {
        for (const Placement& placement : placed) {
            plan.panels = count;
            plan.placement = placement;
            const PlanReading reading = model.reading(plan, model.layer(plan));
            if (!best || better(plan, reading, *best)) {
                best = {plan, reading};
            }
        }
    }
    return *best;
}

std::string why_behind(const RankedPlan& best, const RankedPlan& plan, double capacity) {
    if (!plan.reading.fits) {
        return say("needs {} more than a chip has", bytes_text(plan.reading.memory.total() - capacity));
    }
    const PlanTime& ours = plan.reading.time;
    const PlanTime& its = best.reading.time;
    const double more = ours.total - its.total;
    if (!best.reading.fits || more < 0 || plan.plan == best.plan) {
        return {};
    }
    const std::pair<double, std::string> parts[] = {
        {ours.compute - its.compute, said("compute")},
        {ours.memory_exposed - its.memory_exposed, said("memory traffic beyond it")},
        {ours.tensor - its.tensor, said("tensor-parallel communication")},
        {ours.data - its.data, said("data-parallel communication")},
        {ours.pipeline - its.pipeline, said("transfers between stages")},
        {ours.bubble - its.bubble, said("pipeline bubble")},
        {ours.ends - its.ends, said("embedding, head and loss")},
        {ours.optimizer - its.optimizer, said("optimizer step")}};
    const auto largest = std::ranges::max_element(parts, {}, [](const auto& part) { return part.first; });
    if (more == 0) {
        const auto group = [](const Plan& one) { return one.tensor1 * one.tensor2; };
        return group(plan.plan) > group(best.plan) ? said("as fast, with larger tensor-parallel groups")
                                                   : said("as fast");
    }
    return say("{} more of {}", seconds_text(largest->first), largest->second);
}

std::vector<std::string> what_would_fit(const PlanModel& model, const PlanSpace& space,
                                        const std::stop_token& stop) {
    std::vector<std::string> ways;
    const auto try_one = [&](const PlanSpace& other, const std::string& words) {
        if (const Result<PlanSearch> found = search_plans(model, other, 0, {stop});
            found && found->feasible > 0) {
            ways.push_back(fmt::format("{} ({})", words, bytes_text(found->smallest.reading.memory.total())));
        }
    };
    for (const Recompute recompute : {Recompute::attention, Recompute::full}) {
        if (recompute > space.common.recompute) {
            PlanSpace other = space;
            other.common.recompute = recompute;
            try_one(other, say("recomputation of {}",
                               recompute == Recompute::full ? said("whole layers") : said("attention")));
        }
    }
    for (int level = space.common.zero + 1; level <= 3; ++level) {
        PlanSpace other = space;
        other.common.zero = level;
        try_one(other, say("ZeRO {}", level));
    }
    if (!ways.empty()) {
        return ways;
    }
    const std::int64_t most = std::min(most_times_chips * space.chips, most_planned_chips);
    // Whatever is shared, all chips together hold weights, gradients and optimizer of each parameter once.
    const double all = bytes_of_a_parameter * static_cast<double>(layer_parameters(model.run().model));
    const bool whole = !model.rules().has(Slip::rounding_down);
    const std::int64_t least =
        std::max(space.chips + 1, whole ? static_cast<std::int64_t>(all / model.capacity()) : 1);
    const bool grids = std::ranges::any_of(space.strategies,
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
