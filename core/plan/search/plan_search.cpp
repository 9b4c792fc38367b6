#include "core/plan/search/plan_search.h"

#include "core/base/concurrently.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/plan/search/advice/plan_bundle.h"
#include "core/plan/search/panel_costs.h"
#include "core/plan/search/plan_ranking.h"
#include "core/plan/search/strategy_grids.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// Of a search on a torus: what its progress is when its groups are tuned.
constexpr double tuning_share = 0.9;

/// Plans of a split and micro-batch that were counted with a panel count; as many have any other.
struct CountedPlans {
    std::int64_t candidates = 0, feasible = 0;
    bool shared = false; ///< see PanelCosts
};

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
            LayerCosts layers({});
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

/// What is expected of the plans of a search that fit.
class ExpectedOfSearch {
  public:
    static constexpr double not_expected = std::numeric_limits<double>::infinity();

    explicit ExpectedOfSearch(const ExpectedSeconds& expected) : expected_(expected) {}

    /// As RankedPlan::expected has it. `ideal`: s, a bound from below; less than it is not expected.
    double of(const Plan& plan, double ideal, bool fits) {
        if (!expected_ || !fits) {
            return 0;
        }
        const std::optional<double> seconds = expected_(plan);
        if (!seconds || *seconds < ideal) {
            return not_expected;
        }
        return *seconds;
    }
    /// Whether its split is not known to be expected to take so little.
    [[nodiscard]] bool improves(const Plan& plan, double seconds) const {
        if (!(seconds > 0) || seconds == not_expected) {
            return false;
        }
        const auto known = least_.find(split(plan));
        return known == least_.end() || seconds < known->second;
    }
    void keep(const Plan& plan, double seconds) {
        if (improves(plan, seconds)) {
            least_[split(plan)] = seconds;
        }
    }
    /// As PlanSearch::expected_splits has it.
    [[nodiscard]] std::vector<double> splits() const {
        std::vector<double> all;
        for (const auto& [its, seconds] : least_) {
            all.push_back(seconds);
        }
        std::ranges::sort(all);
        return all;
    }

  private:
    const ExpectedSeconds& expected_;
    std::map<decltype(split(Plan())), double> least_;
};

} // namespace

Result<PlanSearch> search_plans(const PlanModel& model, const PlanSpace& space, std::size_t top,
                                const RunControl& control, const ExpectedSeconds& expected) {
    if (const Result<void> sound = check_fixed(model, space); !sound) {
        return refuse(sound.error());
    }
    const std::vector<StrategyGrid> grids = strategy_grids(model, space);
    std::string objection; // of the first algorithm that does not run
    PlanSearch found;
    SpaceCounts counts{};
    const bool once = !model.rules().has(Slip::full_domains);
    PlanRanking ranking(top, once, once && !expected);
    ExpectedOfSearch expects(expected);
    double its_expected = 0; // of what is looked at
    Frontier frontier;
    PlanBundle bundle;
    bool any_read = false;
    // Counts all, and reads those only that can be in the answer.
    const auto wanted = [&](const PlanBound& bound) {
        const bool fits = bound.memory <= model.capacity();
        const bool first = !any_read;
        found.candidates += bound.count;
        found.feasible += fits ? bound.count : 0;
        its_expected = expects.of(bound.plan, bound.time, fits);
        const ComparedPlan least{bound.plan, bound.time, bound.memory, fits, its_expected};
        const RankedPlan& smallest = found.smallest;
        const double memory = smallest.reading.memory.total();
        return first || least.memory < memory ||
               (least.memory == memory && !certainly_behind(least, smallest)) || !ranking.rejects(least) ||
               (fits && !frontier.rejects(least)) || expects.improves(bound.plan, its_expected);
    };
    const auto consider = [&](const PlacedPlans& plans, const std::vector<Placed>& placed) {
        const bool fits = plans.memory <= model.capacity();
        // They need the same memory: only the fastest can be the smallest, or on the frontier.
        const auto fastest = static_cast<std::size_t>(std::ranges::min_element(plans.time) -
                                                      plans.time.begin()); // the first of several
        Plan plan = plans.plan;
        const auto offer = [&](std::size_t at) {
            placed[at].put(plan);
            const double ideal = plans.time[at];
            return ComparedPlan{plan, ideal, plans.memory, fits,
                                its_expected < ideal && fits && expected ? ExpectedOfSearch::not_expected
                                                                         : its_expected};
        };
        const auto read = [&] { return model.reading(plan, plans.layer); };
        const ComparedPlan its = offer(fastest);
        expects.keep(plan, its.expected);
        if (!any_read || smaller(its, compared(found.smallest))) {
            found.smallest = {plan, read(), its.expected};
        }
        any_read = true;
        if (fits) {
            frontier.add(its, read);
        }
        if (once) {
            ranking.add(its, read);
            return;
        }
        for (std::size_t at = 0; at < placed.size(); ++at) {
            ranking.add(offer(at), read);
        }
    };
    if (model.torus() && !tune_groups(model, space, grids, control)) {
        return cancelled();
    }
    for (std::size_t k = 0; k < grids.size(); ++k) {
        const StrategyGrid& on = grids[k];
        PanelCosts costs(model, panels_of(model.run(), space, on.grid, on.strategy, model.rules()),
                         space.choices.recomputes);
        std::map<std::tuple<std::int64_t, TensorPart, std::int64_t>, CountedPlans>
            counted; // with other panels
        const auto visit = [&](const Plan& one, const std::vector<Placed>& placed) {
            CountedPlans& same = counted[{one.micro_batch, model.tensor_part(one), one.pipeline}];
            if (same.candidates == 0) {
                same.shared = !once || any_shares_links(model, one, placed);
            }
            const PanelCosts::Cost& its = costs.of(one, same.shared);
            const bool behind = once && its.behind;
            if (!its.runs) {
                if (objection.empty()) {
                    objection = its.refusal.sentence;
                }
                return !control.stop.stop_requested();
            }
            if (behind && same.candidates > 0) {
                found.candidates += same.candidates;
                found.feasible += same.feasible;
                return !control.stop.stop_requested();
            }
            const CountedPlans before{found.candidates, found.feasible, same.shared};
            bundle.for_each(
                model, one, placed, space.choices, its.layers,
                [&](const PlanBound& bound) { return wanted(bound) && !behind; },
                [&](const PlacedPlans& plans) { consider(plans, placed); });
            same.candidates = found.candidates - before.candidates;
            same.feasible = found.feasible - before.feasible;
            return !control.stop.stop_requested();
        };
        if (control.stop.stop_requested() ||
            !for_each_placed(model, space, plan_on(on, space), counts, visit)) {
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
    found.ranked = std::move(ranking).in_order();
    found.frontier = std::move(frontier).plans();
    found.expected_splits = expects.splits();
    return found;
}

std::string why_behind(const RankedPlan& best, const RankedPlan& plan, double capacity) {
    if (!plan.reading.fits) {
        return say("needs {} more than a chip has", bytes_text(plan.reading.memory.total() - capacity));
    }
    const PlanTime& ours = plan.reading.time;
    const PlanTime& its = best.reading.time;
    const double more = ours.total - its.total;
    if (!best.reading.fits || plan.plan == best.plan) {
        return {};
    }
    if (more < 0) {
        const double memory = plan.reading.memory.total() - best.reading.memory.total();
        return simplicity(plan.plan) > simplicity(best.plan)
                   ? say("{} faster, and {} is simpler", seconds_text(-more), strategy_title(best.plan))
               : memory > 0 ? say("{} faster, and needs {} more", seconds_text(-more), bytes_text(memory))
                            : say("{} faster", seconds_text(-more));
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
