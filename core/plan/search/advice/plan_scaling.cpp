#include "core/plan/search/advice/plan_scaling.h"

#include "core/machine/catalogue.h"
#include "core/plan/search/chosen_plan.h"

#include <utility>

namespace meshslice {

std::vector<std::int64_t> chips_around(std::int64_t chips) {
    std::vector<std::int64_t> all;
    for (const std::int64_t part : {8, 4, 2, 1}) {
        if (chips % part == 0) {
            all.push_back(chips / part);
        }
    }
    for (const std::int64_t times : {2, 4, 8}) {
        if (chips * times <= most_planned_chips) {
            all.push_back(chips * times);
        }
    }
    return all;
}

Result<PlanScaling> plan_scaling(const PlanQuestion& question, const RunControl& control,
                                 std::shared_ptr<TunedGroups> groups, const ExpectedSeconds& expected) {
    const Result<PlanModel> model = plan_model(question, std::move(groups));
    if (!model) {
        return refuse(model.error());
    }
    PlanScaling made{question, model->hardware().title, model->capacity(), {}};
    Result<PlanSpace> space = plan_space(question, *model);
    if (!space) {
        return refuse(space.error());
    }
    const std::vector<std::int64_t> numbers = chips_around(question.chips);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        space->chips = numbers[k];
        RunControl of_search;
        of_search.stop = control.stop;
        const Result<PlanSearch> found = search_plans(*model, *space, 1, of_search, expected);
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        PlanAtChips point{numbers[k], {}, {}};
        if (found) {
            point.best = found->feasible > 0 ? found->ranked.front() : found->smallest;
        } else {
            point.objection = found.error().sentence;
        }
        made.points.push_back(std::move(point));
        if (control.progress != nullptr) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(numbers.size()));
        }
    }
    return made;
}

} // namespace meshslice
