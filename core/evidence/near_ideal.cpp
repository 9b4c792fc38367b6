#include "core/evidence/near_ideal.h"

#include "core/evidence/measured_scenario.h"
#include "core/evidence/training/training_amounts.h"
#include "core/plan/search/chosen_plan.h"
#include "core/plan/search/plan_question.h"

#include <cmath>

namespace meshslice {
namespace {

/// More than any plan needs: whether a run fits says nothing of how fast it is.
constexpr auto room_for_all = Bytes(std::int64_t{1} << 50);

/// The shortest ideal time of the plans that a run may have had; none where it cannot be put as a plan.
std::optional<double> least_ideal(const TrainingRow& row) {
    const Result<Scenario> scenario = measured_scenario(row, default_scenario());
    if (!scenario) {
        return std::nullopt;
    }
    Result<PlanQuestion> question = plan_question(*scenario);
    if (!question) {
        return std::nullopt;
    }
    question->ends = question->optimizer_step = true;
    question->machine.hbm.value = room_for_all;
    if (!row.again_told) {
        question->split.recompute = "none";
    }
    const Result<PlanModel> model = plan_model(*question);
    const Result<PlanSpace> space = model ? plan_space(*question, *model) : refuse(model.error());
    const Result<PlanSearch> found = space ? search_plans(*model, *space, 1) : refuse(space.error());
    return found && found->feasible > 0 ? std::optional(found->ranked.front().reading.time.total)
                                        : std::nullopt;
}

std::optional<ClosestToIdeal> closest_of(bool experts) {
    ClosestToIdeal closest;
    for (const TrainingRow& row : measured_training()) {
        const bool counts = row.reason.empty() && !row.doubtful && row.quantity != TrainingQuantity::none &&
                            (row.experts > 0) == experts;
        const std::optional<double> ideal = counts ? least_ideal(row) : std::nullopt;
        if (!ideal) {
            continue;
        }
        const double times = measured_step(row) / *ideal;
        if (closest.runs == 0 || times < closest.times) {
            closest = {times,        closest.runs,  row.id,        row.model,
                       row.hardware, row.precision, row.framework, std::llround(row.chips),
                       experts};
        }
        ++closest.runs;
    }
    return closest.runs > 0 ? std::optional(closest) : std::nullopt;
}

} // namespace

std::optional<ClosestToIdeal> closest_to_ideal(bool experts) {
    if (experts) {
        static const std::optional<ClosestToIdeal> with = closest_of(true);
        return with;
    }
    static const std::optional<ClosestToIdeal> without = closest_of(false);
    return without;
}

} // namespace meshslice
