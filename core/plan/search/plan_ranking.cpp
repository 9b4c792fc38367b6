#include "core/plan/search/plan_ranking.h"

namespace meshslice {

std::size_t simplicity(const Plan& plan) {
    switch (plan.strategy) {
    case TensorStrategy::one_d: return 0;
    case TensorStrategy::two_d: return 1;
    case TensorStrategy::summa: return 2;
    case TensorStrategy::of_algorithm: break;
    }
    return kinds_of_simplicity - 1;
}

bool plan_before(const RankedPlan& a, const RankedPlan& b) {
    return better(compared(a), compared(b));
}

/// Of a frontier, the fastest first: as long as less memory costs next to no time.
static const RankedPlan& with_least_memory(const std::vector<RankedPlan>& frontier, double longest) {
    std::size_t at = 0;
    const auto time = [&](std::size_t k) { return frontier[k].reading.time.total; };
    while (at + 1 < frontier.size() && time(at + 1) <= std::min(as_fast_for_memory * time(at), longest)) {
        ++at;
    }
    return frontier[at];
}

std::vector<RankedPlan> PlanRanking::in_order() && {
    std::vector<RankedPlan> by_time = std::move(best_).in_order();
    if (!ties_) {
        return by_time;
    }
    const double longest = as_fast * fastest_;
    const auto slower = [&](const RankedPlan& one) { return one.reading.time.total > longest; };
    std::vector<RankedPlan> made;
    for (Kind& its : kinds_) {
        std::vector<RankedPlan> plans = std::move(its.best).in_order();
        std::erase_if(plans, slower);
        if (made.empty() && !plans.empty()) {
            const RankedPlan first = with_least_memory(std::move(its.frontier).plans(), longest);
            std::erase_if(plans, [&](const RankedPlan& one) { return split(one.plan) == split(first.plan); });
            made.push_back(first);
        }
        std::ranges::move(plans, std::back_inserter(made));
    }
    std::erase_if(by_time, [&](const RankedPlan& one) { return one.reading.fits && !slower(one); });
    std::ranges::move(by_time, std::back_inserter(made));
    made.resize(std::min(made.size(), most_));
    return made;
}

} // namespace meshslice
