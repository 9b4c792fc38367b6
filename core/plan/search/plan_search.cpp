#include "core/plan/search/plan_search.h"

#include "core/base/concurrently.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/plan/search/plan_bundle.h"
#include "core/plan/step_parts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// Of a search on a torus: what its progress is when its groups are tuned.
constexpr double tuning_share = 0.9;

auto numbers(const Plan& plan) {
    const Placement& at = plan.placement;
    return std::make_tuple(plan.tensor1 * plan.tensor2, plan.pipeline, plan.strategy, plan.tensor1,
                           plan.micro_batch, plan.panels, plan.recompute, plan.schedule.kind,
                           plan.schedule.chunks, plan.zero, at, plan.around,
                           plan.algorithm == nullptr ? std::string_view() : plan.algorithm->id, plan.axes);
}

/// What plans are compared by.
struct Offer {
    const Plan& plan;
    double time = 0;   ///< seconds
    double memory = 0; ///< bytes
    bool fits = false;
};
Offer offer_of(const RankedPlan& one) {
    return {one.plan, one.reading.time.total, one.reading.memory.total(), one.reading.fits};
}

/// Compares numbers only as far as it has to, so that most plans are left behind after one.
bool better(const Offer& one, const Offer& other) {
    if (one.fits != other.fits) {
        return one.fits;
    }
    if (!one.fits && one.memory != other.memory) {
        return one.memory < other.memory;
    }
    return one.time != other.time ? one.time < other.time : numbers(one.plan) < numbers(other.plan);
}

/// Whether it needs less memory; of equal ones the faster.
bool smaller(const Offer& one, const Offer& other) {
    return one.memory != other.memory ? one.memory < other.memory : better(one, other);
}

/// Whether a plan is behind `other` that has the offer's memory and takes at least its time, whatever its
/// other numbers.
bool certainly_behind(const Offer& least, const RankedPlan& other) {
    const Offer its = offer_of(other);
    if (its.fits != least.fits) {
        return its.fits;
    }
    if (!its.fits && its.memory != least.memory) {
        return its.memory < least.memory;
    }
    return its.time < least.time;
}

/// Grids on which a strategy does what 1D does: 2D with a whole sequence, any on one chip.
bool as_one_d(TensorStrategy strategy, TensorGrid grid) {
    return (strategy == TensorStrategy::two_d && grid.tensor2 == 1) ||
           (strategy != TensorStrategy::one_d && grid.tensor1 == 1 && grid.tensor2 == 1);
}

/// What plans share of which the ranking has the best one alone.
auto split(const Plan& plan) {
    return std::make_tuple(plan.strategy, plan.algorithm == nullptr ? std::string_view() : plan.algorithm->id,
                           plan.data, plan.pipeline, plan.tensor1, plan.tensor2);
}

/// The best until now, in order; with `once`, each split once.
class Best {
  public:
    Best(std::size_t most, bool once) : most_(most), once_(once) {}

    template <class Read> // -> PlanReading
    void add(const Offer& offer, const Read& read) {
        const bool full = plans_.size() == most_;
        if (full && (most_ == 0 || !better(offer, offer_of(*plans_.rbegin())))) {
            return;
        }
        const auto same = once_ ? splits_.find(split(offer.plan)) : splits_.end();
        if (same != splits_.end()) {
            if (better(offer, offer_of(*same->second))) {
                plans_.erase(same->second);
                same->second = plans_.insert({offer.plan, read()}).first;
            }
            return;
        }
        if (full) {
            if (once_) {
                splits_.erase(split(plans_.rbegin()->plan));
            }
            plans_.erase(std::prev(plans_.end()));
        }
        const auto at = plans_.insert({offer.plan, read()}).first;
        if (once_) {
            splits_.emplace(split(offer.plan), at);
        }
    }

    /// Whether add() has no place for any plan of this split, memory and at least this time.
    [[nodiscard]] bool rejects(const Offer& least) const {
        if (plans_.size() == most_ && (most_ == 0 || certainly_behind(least, *plans_.rbegin()))) {
            return true;
        }
        const auto same = once_ ? splits_.find(split(least.plan)) : splits_.end();
        return same != splits_.end() && certainly_behind(least, *same->second);
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
    template <class Read> // -> PlanReading
    void add(const Offer& offer, const Read& read) {
        const auto at = at_time(offer.time);
        if (at != plans_.begin() && memory_before(at) <= offer.memory) {
            return;
        }
        auto last = at;
        if (last != plans_.end() && last->reading.time.total == offer.time) {
            const double its = last->reading.memory.total();
            if (its < offer.memory || (its == offer.memory && !(numbers(offer.plan) < numbers(last->plan)))) {
                return;
            }
        }
        while (last != plans_.end() && last->reading.memory.total() >= offer.memory) {
            ++last;
        }
        plans_.insert(plans_.erase(at, last), {offer.plan, read()});
    }

    /// Whether add() has no place for any plan of this memory and at least this time.
    [[nodiscard]] bool rejects(const Offer& least) {
        if (rejected_by_ < plans_.size() && plans_[rejected_by_].reading.time.total < least.time &&
            plans_[rejected_by_].reading.memory.total() <= least.memory) {
            return true; // most plans are behind the one that the plan before them was behind
        }
        const auto at = at_time(least.time);
        if (at == plans_.begin() || memory_before(at) > least.memory) {
            return false;
        }
        rejected_by_ = static_cast<std::size_t>(at - plans_.begin()) - 1;
        return true;
    }

    std::vector<RankedPlan> plans() && { return std::move(plans_); }

  private:
    [[nodiscard]] std::vector<RankedPlan>::const_iterator at_time(double time) const {
        return std::ranges::lower_bound(plans_, time, {},
                                        [](const RankedPlan& one) { return one.reading.time.total; });
    }
    [[nodiscard]] static double memory_before(std::vector<RankedPlan>::const_iterator at) {
        return std::prev(at)->reading.memory.total();
    }

    std::vector<RankedPlan> plans_;
    std::size_t rejected_by_ = 0;
};

/// One grid of a strategy.
struct StrategyGrid {
    TensorStrategy strategy;
    const Algorithm* algorithm;
    TensorGrid grid;
};

/// The plan of a grid that the rest of a search fills in.
Plan plan_on(const StrategyGrid& its, const PlanSpace& space) {
    Plan plan;
    plan.tensor_overlap = space.tensor_overlap;
    plan.data_overlap = space.data_overlap;
    plan.strategy = its.strategy;
    plan.algorithm = its.algorithm;
    plan.tensor1 = its.grid.tensor1;
    plan.tensor2 = its.grid.tensor2;
    return plan;
}

std::vector<StrategyGrid> strategy_grids(const PlanModel& model, const PlanSpace& space) {
    // The published rules count both, and add biases differently.
    const bool with_one_d = !model.rules().has(Slip::whole_biases) &&
                            std::ranges::count(space.strategies, TensorStrategy::one_d) > 0;
    std::vector<StrategyGrid> grids;
    const auto add = [&](TensorStrategy strategy, const Algorithm* algorithm) {
        for (const TensorGrid grid : tensor_grids(model.run(), space, strategy, model.rules())) {
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

/// Tunes the tensor-parallel groups of all grids, on all cores, so that a search finds them remembered: on a
/// torus that is nearly all of its work. Each grid has meshes of its own, so none is tuned twice. False when
/// stopped.
bool tune_groups(const PlanModel& model, const PlanSpace& space, const std::vector<StrategyGrid>& grids,
                 const RunControl& control) {
    const double each = tuning_share / static_cast<double>(grids.size());
    return for_each_concurrently(grids.size(), 0, [&](std::size_t k) {
        if (control.stop.stop_requested()) {
            return false;
        }
        if (grids[k].algorithm != nullptr) {
            SpaceCounts counts{};
            LayerCosts layers;
            const bool all = for_each_placed(model, space, plan_on(grids[k], space), counts,
                                             [&](const Plan& one, const std::vector<Placed>&) {
                                                 static_cast<void>(layers.read(model, one));
                                                 return !control.stop.stop_requested();
                                             });
            if (!all) {
                return false;
            }
        }
        if (control.progress != nullptr) {
            control.progress->fetch_add(each);
        }
        return true;
    });
}

} // namespace

bool plan_before(const RankedPlan& a, const RankedPlan& b) {
    return better(offer_of(a), offer_of(b));
}

Result<PlanSearch> search_plans(const PlanModel& model, const PlanSpace& space, std::size_t top,
                                const RunControl& control) {
    if (const Result<void> sound = check_fixed(model, space); !sound) {
        return refuse(sound.error());
    }
    const std::vector<StrategyGrid> grids = strategy_grids(model, space);
    std::string objection; // of the first algorithm that does not run
    PlanSearch found;
    SpaceCounts counts{};
    const bool once = !model.rules().has(Slip::full_domains);
    Best best(top, once);
    Frontier frontier;
    PlanBundle bundle;
    // Counts all, and reads those only that can be in the answer.
    const auto wanted = [&](const PlanBound& bound) {
        const bool fits = bound.memory <= model.capacity();
        const bool first = found.candidates == 0;
        found.candidates += bound.count;
        found.feasible += fits ? bound.count : 0;
        const Offer least{bound.plan, bound.time, bound.memory, fits};
        const RankedPlan& smallest = found.smallest;
        const double memory = smallest.reading.memory.total();
        return first || least.memory < memory ||
               (least.memory == memory && !certainly_behind(least, smallest)) || !best.rejects(least) ||
               (fits && !frontier.rejects(least));
    };
    bool any_read = false;
    const auto consider = [&](const PlacedPlans& plans, const std::vector<Placed>& placed) {
        const bool fits = plans.memory <= model.capacity();
        // They need the same memory: only the fastest can be the smallest, or on the frontier.
        const auto fastest = static_cast<std::size_t>(std::ranges::min_element(plans.time) -
                                                      plans.time.begin()); // the first of several
        Plan plan = plans.plan;
        const auto offer = [&](std::size_t at) {
            placed[at].put(plan);
            return Offer{plan, plans.time[at], plans.memory, fits};
        };
        const auto read = [&] { return model.reading(plan, plans.layer); };
        const Offer its = offer(fastest);
        if (!any_read || smaller(its, offer_of(found.smallest))) {
            found.smallest = {plan, read()};
        }
        any_read = true;
        if (fits) {
            frontier.add(its, read);
        }
        if (once) {
            best.add(its, read);
            return;
        }
        for (std::size_t at = 0; at < placed.size(); ++at) {
            best.add(offer(at), read);
        }
    };
    if (model.torus() && !tune_groups(model, space, grids, control)) {
        return cancelled();
    }
    for (std::size_t k = 0; k < grids.size(); ++k) {
        LayerCosts layers;
        const auto visit = [&](const Plan& one, const std::vector<Placed>& placed) {
            if (layers.read(model, one)) {
                bundle.for_each(model, one, placed, space.choices, layers, wanted,
                                [&](const PlacedPlans& plans) { consider(plans, placed); });
            } else if (objection.empty()) {
                objection = layers.refusal().sentence;
            }
            return !control.stop.stop_requested();
        };
        if (control.stop.stop_requested() ||
            !for_each_placed(model, space, plan_on(grids[k], space), counts, visit)) {
            return cancelled();
        }
        if (control.progress != nullptr) {
            const double done = static_cast<double>(k + 1) / static_cast<double>(grids.size());
            *control.progress = model.torus() ? tuning_share + (1 - tuning_share) * done : done;
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
    const auto longer = [&](const StepPart& part) { return ours.*part.time - its.*part.time; };
    const auto largest = std::ranges::max_element(step_parts, {}, longer);
    if (more == 0) {
        const auto group = [](const Plan& one) { return one.tensor1 * one.tensor2; };
        return group(plan.plan) > group(best.plan) ? said("as fast, with larger tensor-parallel groups")
                                                   : said("as fast");
    }
    return say("{} more of {}", seconds_text(longer(*largest)), part_name(*largest, plan.plan));
}

} // namespace meshslice
