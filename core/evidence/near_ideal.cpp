#include "core/evidence/near_ideal.h"

#include "core/evidence/measured_scenario.h"
#include "core/evidence/training/training_amounts.h"
#include "core/plan/search/chosen_plan.h"
#include "core/plan/search/plan_question.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace meshslice {
namespace {

/// More than any plan needs: whether a run fits says nothing of how fast it is.
constexpr auto room_for_all = Bytes(std::int64_t{1} << 50);

} // namespace

std::optional<double> shortest_ideal(const TrainingRow& row) {
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

namespace {

/// Of the rows of models with experts, or of those without, those that may have a plan.
std::vector<const TrainingRow*> rows_of(bool experts) {
    std::vector<const TrainingRow*> rows;
    for (const TrainingRow& row : measured_training()) {
        if (row.reason.empty() && !row.doubtful && row.quantity != TrainingQuantity::none &&
            (row.experts > 0) == experts) {
            rows.push_back(&row);
        }
    }
    return rows;
}

std::optional<ClosestToIdeal> closest_of(bool experts) {
    ClosestToIdeal closest;
    for (const TrainingRow* const row : rows_of(experts)) {
        const std::optional<double> ideal = shortest_ideal(*row);
        if (!ideal) {
            continue;
        }
        const double times = measured_step(*row) / *ideal;
        if (closest.runs == 0 || times < closest.times) {
            closest = {times,         closest.runs,   row->id,        row->model,
                       row->hardware, row->precision, row->framework, std::llround(row->chips),
                       experts};
        }
        ++closest.runs;
    }
    return closest.runs > 0 ? std::optional(closest) : std::nullopt;
}

/// No run that came closest took more than this: what some of those took that use their chips' peak best,
/// about.
double most_of_closest(bool experts) {
    constexpr std::size_t some = 4;
    std::vector<const TrainingRow*> rows = rows_of(experts);
    std::ranges::stable_sort(rows, std::greater(), [](const TrainingRow* row) {
        return row->layers * row->hidden * row->hidden * row->tokens() /
               (measured_step(*row) * row->chips * row->chip->bf16);
    });
    double most = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < std::min(some, rows.size()); ++k) {
        if (const std::optional<double> ideal = shortest_ideal(*rows[k])) {
            most = std::min(most, measured_step(*rows[k]) / *ideal);
        }
    }
    return most;
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

std::optional<ClosestToIdeal> closest_above(double times, bool experts) {
    const auto most = [&] {
        if (experts) {
            static const double with = most_of_closest(true);
            return with;
        }
        static const double without = most_of_closest(false);
        return without;
    };
    if (times >= most()) {
        return std::nullopt;
    }
    const std::optional<ClosestToIdeal> closest = closest_to_ideal(experts);
    return closest && times < closest->times ? closest : std::nullopt;
}

} // namespace meshslice
