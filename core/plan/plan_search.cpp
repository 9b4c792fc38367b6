#include "core/plan/plan_search.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/planning.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
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
                           plan.micro_batch, plan.panels, at.tensor1, at.tensor2, at.data, at.pipeline,
                           plan.algorithm == nullptr ? std::string_view() : plan.algorithm->id, plan.axes);
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

/// Grids on which a strategy does what 1D does: 2D with a whole sequence, any on one chip.
bool as_one_d(TensorStrategy strategy, TensorGrid grid) {
    return (strategy == TensorStrategy::two_d && grid.tensor2 == 1) ||
           (strategy != TensorStrategy::one_d && grid.tensor1 == 1 && grid.tensor2 == 1);
}

/// What two plans share that differ in where they stand alone.
auto split(const Plan& plan) {
    return std::make_tuple(plan.strategy, plan.algorithm == nullptr ? std::string_view() : plan.algorithm->id,
                           plan.data, plan.pipeline, plan.tensor1, plan.tensor2, plan.micro_batch,
                           plan.panels);
}

/// The best so far, in order; with `once`, each split once, where it stands best.
class Best {
  public:
    Best(std::size_t most, bool once) : most_(most), once_(once) {}

    void add(const Plan& plan, const PlanReading& reading) {
        const bool full = plans_.size() == most_;
        if (full && (most_ == 0 || !better(plan, reading, *plans_.rbegin()))) {
            return;
        }
        const auto same = once_ ? splits_.find(split(plan)) : splits_.end();
        if (same != splits_.end()) {
            if (better(plan, reading, *same->second)) {
                plans_.erase(same->second);
                same->second = plans_.insert({plan, reading}).first;
            }
            return;
        }
        if (full) {
            if (once_) {
                splits_.erase(split(plans_.rbegin()->plan));
            }
            plans_.erase(std::prev(plans_.end()));
        }
        const auto at = plans_.insert({plan, reading}).first;
        if (once_) {
            splits_.emplace(split(plan), at);
        }
    }

    std::vector<RankedPlan> in_order() && { return {plans_.begin(), plans_.end()}; }

  private:
    struct Before {
        bool operator()(const RankedPlan& a, const RankedPlan& b) const { return plan_before(a, b); }
    };
    using Plans = std::set<RankedPlan, Before>;

    std::size_t most_;
    bool once_;
    Plans plans_;
    std::map<decltype(split(Plan())), Plans::iterator> splits_;
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
    /// Null where the plan's algorithm does not run; then refusal() says why.
    const LayerCost* of(const PlanModel& model, const Plan& plan) {
        const bool block =
            block_.operations.empty() || plan.micro_batch != plan_.micro_batch || plan.panels != plan_.panels;
        if (block) {
            block_ = model.block(plan);
        }
        const std::array<std::int64_t, 2> part = model.tensor_part(plan);
        if (block || part != part_) {
            cost_ = model.layer_or_refusal(plan, block_);
            plan_ = plan;
            part_ = part;
        }
        return cost_ ? &*cost_ : nullptr;
    }
    [[nodiscard]] const Error& refusal() const { return cost_.error(); }

  private:
    Plan plan_;
    std::array<std::int64_t, 2> part_{};
    Block block_;
    Result<LayerCost> cost_;
};

/// One grid of a strategy.
struct StrategyGrid {
    TensorStrategy strategy;
    const Algorithm* algorithm;
    TensorGrid grid;
};

std::vector<StrategyGrid> strategy_grids(const PlanModel& model, const PlanSpace& space) {
    // The published rules count both, and add biases differently.
    const bool with_one_d = !model.rules().has(Slip::whole_biases) &&
                            std::ranges::count(space.strategies, TensorStrategy::one_d) > 0;
    std::vector<StrategyGrid> grids;
    const auto add = [&](TensorStrategy strategy, const Algorithm* algorithm) {
        for (const TensorGrid grid : tensor_grids(model.run(), space.chips, strategy, model.rules())) {
            if (!with_one_d || !as_one_d(strategy, grid)) {
                grids.push_back({strategy, algorithm, grid});
            }
        }
    };
    for (const TensorStrategy strategy : space.strategies) {
        add(strategy, nullptr);
    }
    for (const Algorithm* algorithm : space.algorithms) {
        add(TensorStrategy::of_algorithm, algorithm);
    }
    return grids;
}

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
    const std::vector<StrategyGrid> grids = strategy_grids(model, space);
    PlanSpace of_algorithm = space;
    std::string objection; // of the first algorithm that does not run
    PlanSearch found;
    SpaceCounts counts{};
    Best best(top, !model.rules().has(Slip::full_domains));
    Frontier frontier;
    const auto visit = [&, layer = LastLayer()](const Plan& plan) mutable {
        const LayerCost* cost = layer.of(model, plan);
        if (cost == nullptr) {
            if (objection.empty()) {
                objection = layer.refusal().sentence;
            }
            return !control.stop.stop_requested();
        }
        const PlanReading reading = model.reading(plan, *cost);
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
        of_algorithm.common.algorithm = grids[k].algorithm;
        if (control.stop.stop_requested() ||
            !for_each_plan(model, of_algorithm, grids[k].strategy, grids[k].grid, counts,
                           [&](const Plan& plan) { return of_grid(plan); })) {
            return cancelled();
        }
        if (control.progress != nullptr) {
            *control.progress = static_cast<double>(k + 1) / static_cast<double>(grids.size());
        }
    }
    if (found.candidates == 0) {
        return refuse(objection.empty() ? why_none(model, space, counts)
                                        : say("No plan on {} chips runs: {}", space.chips, objection));
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
    if (model.torus() && !open.placement) {
        if (const Result<void> sound = model.check(given); !sound) {
            return refuse(sound.error());
        }
    }
    std::vector<space_detail::Placed> placed = {{given.placement, given.axes}};
    if (open.placement && !model.torus()) {
        placed.clear();
        for (const Placement& one : placements(given, model.domain(), given.chips(), ModelRules::exact)) {
            placed.push_back({one});
        }
    } else if (open.placement) {
        placed.clear();
        for (const auto& part : space_detail::placed_by_tensor_part(model, given, given.chips())) {
            placed.insert(placed.end(), part.begin(), part.end());
        }
    }
    LastLayer layer;
    std::string objection = say("No torus of {} chips that a pod of {} has holds the groups of the plan {}.",
                                given.chips(), model.hardware().title, text(given));
    for (const std::int64_t count : panels) {
        for (const space_detail::Placed& one : placed) {
            plan.panels = count;
            plan.placement = one.placement;
            plan.axes = one.axes;
            const LayerCost* cost = layer.of(model, plan);
            if (cost == nullptr) {
                objection = layer.refusal().sentence;
                continue;
            }
            const PlanReading reading = model.reading(plan, *cost);
            if (!best || better(plan, reading, *best)) {
                best = {plan, reading};
            }
        }
    }
    return best ? Result<RankedPlan>(*best) : refuse(objection);
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
