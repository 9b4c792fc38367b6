#include "core/plan/search/advice/chips_taken.h"

#include "core/base/concurrently.h"
#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// Numbers of chips that are searched, the space's own one of them.
constexpr std::size_t most_tried = 24;

/// Whether `one` comes before `other`: it fits, and is faster; as expected, where plans are ranked so.
bool before(const RankedPlan& one, const RankedPlan& other) {
    const auto order = [](const RankedPlan& its) {
        return std::tuple(!its.reading.fits, its.expected, its.reading.time.total);
    };
    return order(one) < order(other);
}

bool is_expected(const RankedPlan& one) {
    return one.expected > 0 && std::isfinite(one.expected);
}

} // namespace

std::vector<std::int64_t> chips_worth_trying(const TrainingRun& run, const PlanSpace& space) {
    const std::vector<std::int64_t> copies = divisors(run.batch);
    std::map<std::int64_t, double> worth; // the share of all chips that would be at work
    for (const std::int64_t tensor : divisors(run.model.heads)) {
        const std::int64_t most_stages = std::min(run.model.layers, space.chips / tensor);
        for (std::int64_t stages = 1; stages <= most_stages; ++stages) {
            const std::int64_t one_copy = tensor * stages;
            const auto above = std::ranges::upper_bound(copies, space.chips / one_copy);
            if (above == copies.begin()) {
                continue;
            }
            const std::int64_t data = *(above - 1);
            const auto batches = static_cast<double>(run.batch / data); // micro-batches of one sample
            const double filled = batches / (batches + static_cast<double>(stages - 1));
            double& best = worth[one_copy * data];
            best = std::max(best, static_cast<double>(one_copy * data) * filled);
        }
    }
    worth.erase(space.chips);
    std::vector<std::pair<std::int64_t, double>> sorted(worth.begin(), worth.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &std::pair<std::int64_t, double>::second);
    sorted.resize(std::min(sorted.size(), most_tried - 1));
    std::vector<std::int64_t> all = {space.chips};
    for (const auto& [chips, share] : sorted) {
        all.push_back(chips);
    }
    return all;
}

Result<ChipsTaken> chips_taken(const PlanModel& model, const PlanSpace& space, const RunControl& control,
                               const MakeExpected& expected) {
    const std::vector<std::int64_t> numbers = chips_worth_trying(model.run(), space);
    std::vector<std::optional<RankedPlan>> best(numbers.size());
    std::optional<Error> refusal; // of all chips
    const bool whole = for_each_concurrently(numbers.size(), 0, [&](std::size_t k) {
        PlanSpace its = space;
        its.chips = numbers[k];
        RunControl of_search;
        of_search.stop = control.stop;
        const Result<PlanSearch> found =
            search_plans(model, its, 1, of_search, expected ? expected() : ExpectedSeconds());
        if (found) {
            best[k] = found->feasible > 0 ? found->ranked.front() : found->smallest;
        } else if (k == 0) {
            refusal = found.error();
        }
        return !control.stop.stop_requested();
    });
    if (!whole) {
        return cancelled();
    }
    std::size_t taken = 0;
    for (std::size_t k = 1; k < numbers.size(); ++k) {
        if (best[k] && (!best[taken] || before(*best[k], *best[taken]))) {
            taken = k;
        }
    }
    if (!best[taken]) {
        return refuse(*refusal);
    }
    const bool all_fit = best[0] && best[0]->reading.fits;
    const bool by_expected = is_expected(*best[taken]) && (!all_fit || is_expected(*best[0]));
    const auto time = [&](const RankedPlan& one) {
        return by_expected ? one.expected : one.reading.time.total;
    };
    ChipsTaken made{space.chips, numbers[taken], numbers.size(), time(*best[taken])};
    made.expected = by_expected;
    made.copies = best[taken]->plan.data;
    if (all_fit) {
        made.with_all = time(*best[0]);
        made.copies_of_all = best[0]->plan.data;
        if (taken != 0 && !by_expected) {
            made.loss = why_behind(*best[taken], *best[0], model.capacity());
        }
    }
    return made;
}

std::string chips_taken_words(const ChipsTaken& taken) {
    if (taken.taken == taken.asked) {
        return say("All {} chips: none of {} smaller numbers of chips that were tried is faster.",
                   taken.asked, taken.tried - 1);
    }
    if (!taken.with_all) {
        return say("{} of {} chips: with all of them no plan fits.", taken.taken, taken.asked);
    }
    const std::string times =
        taken.expected
            ? say("{} of {} chips: with all of them a step is expected to take {} instead of {}.",
                  taken.taken, taken.asked, seconds_text(*taken.with_all), seconds_text(taken.time))
            : say("{} of {} chips: with all of them a step takes {}, {}.", taken.taken, taken.asked,
                  seconds_text(*taken.with_all), taken.loss);
    return taken.copies == taken.copies_of_all
               ? times
               : times + said(" ") +
                     say("The batch goes to {} copies of the model instead of {}.", taken.copies,
                         taken.copies_of_all);
}

} // namespace meshslice
