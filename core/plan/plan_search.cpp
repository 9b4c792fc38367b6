#include "core/plan/plan_search.h"

#include "core/base/quantity.h"
#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

auto numbers(const Plan& plan) {
    const Placement& at = plan.placement;
    return std::make_tuple(plan.tensor1 * plan.tensor2, plan.pipeline, plan.strategy, plan.tensor1,
                           plan.micro_batch, plan.panels, at.tensor1, at.tensor2, at.data, at.pipeline);
}

/// What is ranked of a reading, so that most plans are left behind after one comparison.
bool better(bool fits, double value, const Plan& plan, const RankedPlan& other) {
    if (fits != other.reading.fits) {
        return fits;
    }
    const double its = fits ? other.reading.time.total : other.reading.memory.total();
    return value != its ? value < its : numbers(plan) < numbers(other.plan);
}

double ranked_value(const PlanReading& reading) {
    return reading.fits ? reading.time.total : reading.memory.total();
}

/// The best so far, the worst of them on top of a heap.
class Best {
  public:
    explicit Best(std::size_t most) : most_(most) {}

    void add(const Plan& plan, const PlanReading& reading) {
        if (plans_.size() == most_) {
            if (most_ == 0 || !better(reading.fits, ranked_value(reading), plan, plans_.front())) {
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

std::string gigabytes(double bytes) {
    return text(Bytes(static_cast<std::int64_t>(std::llround(bytes))));
}

} // namespace

bool plan_before(const RankedPlan& a, const RankedPlan& b) {
    return better(a.reading.fits, ranked_value(a.reading), a.plan, b);
}

Result<PlanSearch> search_plans(const PlanModel& model, const PlanSpace& space, std::size_t top,
                                const RunControl& control) {
    std::vector<std::pair<TensorStrategy, TensorGrid>> grids;
    for (const TensorStrategy strategy : space.strategies) {
        for (const TensorGrid grid : tensor_grids(model.run(), space.chips, strategy, model.rules())) {
            grids.emplace_back(strategy, grid);
        }
    }
    PlanSearch found;
    SpaceCounts counts{};
    Best best(top);
    Frontier frontier;
    const auto visit = [&, layer = LastLayer()](const Plan& plan) mutable {
        const PlanReading reading = model.reading(plan, layer.of(model, plan));
        if (found.candidates == 0 || reading.memory.total() < found.smallest.reading.memory.total()) {
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

std::string why_behind(const RankedPlan& best, const RankedPlan& plan, double capacity) {
    if (!plan.reading.fits) {
        return say("needs {} more than a chip has", gigabytes(plan.reading.memory.total() - capacity));
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
        return said("as fast, with larger groups");
    }
    // Picoseconds count four million seconds.
    const std::string time =
        largest->first < 4e6 ? text(seconds(largest->first)) : fmt::format("{:.3g} s", largest->first);
    return say("{} more of {}", time, largest->second);
}

std::vector<std::string> what_would_fit(const PlanModel& model, const PlanSpace& space) {
    std::vector<std::string> ways;
    const auto try_one = [&](const PlanSpace& other, const std::string& words) {
        if (const Result<PlanSearch> found = search_plans(model, other, 0); found && found->feasible > 0) {
            ways.push_back(fmt::format("{} ({})", words, gigabytes(found->smallest.reading.memory.total())));
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
    for (std::int64_t times = 2; times <= 64 && ways.empty(); times *= 2) {
        PlanSpace other = space;
        other.chips *= times;
        try_one(other, say("{} chips", other.chips));
    }
    return ways;
}

} // namespace meshslice
