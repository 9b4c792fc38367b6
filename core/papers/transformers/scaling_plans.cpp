#include "core/papers/transformers/scaling_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

namespace meshslice {

Result<ByRules<PlanMarks>> best_by_chips(const Transformer& model, const Machine& cluster,
                                         TensorStrategy strategy, const std::vector<std::int32_t>& chips,
                                         const RunControl& control, const BlocksByRules& blocks) {
    std::vector<PlanModel> models;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        auto made = plan_model(model, cluster, rule_sets[r], blocks[r]);
        if (!made) {
            return refuse(made.error());
        }
        models.push_back(*std::move(made));
    }
    const auto by = [&](std::size_t r) { return best_plans(models[r], strategy, chips, control); };
    // Half as long on two cores.
    std::future<Result<PlanMarks>> other = std::async(std::launch::async, by, by_published);
    auto exact = by(by_exact);
    auto published = other.get();
    if (!exact || !published) {
        return refuse(!exact ? exact.error() : published.error());
    }
    return ByRules<PlanMarks>{*std::move(published), *std::move(exact)};
}

const RankedPlan* on_chips(const PlanMarks& marks, std::int64_t chips) {
    const auto at = std::ranges::find(marks, fmt::to_string(chips), &PlanMark::place);
    return at != marks.end() && at->plan ? &*at->plan : nullptr;
}

std::vector<const RankedPlan*> with_plans(const PlanMarks& marks) {
    std::vector<const RankedPlan*> plans;
    for (const PlanMark& mark : marks) {
        if (mark.plan) {
            plans.push_back(&*mark.plan);
        }
    }
    return plans;
}

ByRules<PlanMarks> with_splits(const ByRules<PlanMarks>& marks) {
    ByRules<PlanMarks> named;
    for (std::size_t k = 0; k < marks[by_exact].size(); ++k) {
        const PlanMark& mark = marks[by_exact][k];
        if (mark.plan) {
            const std::string place = fmt::format("{}: {}", mark.place, split_words(mark.plan->plan));
            named[by_exact].push_back({place, mark.plan});
            named[by_published].push_back({place, marks[by_published][k].plan});
        }
    }
    return named;
}

std::int64_t fewest_chips(const PlanMarks& marks) {
    const auto plans = with_plans(marks);
    return plans.empty() ? 0 : plans.front()->plan.chips();
}

} // namespace meshslice
