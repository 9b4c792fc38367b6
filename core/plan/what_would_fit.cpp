// Where no plan fits: one change at a time that would make one fit.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/plan_search.h"
#include "core/scenario/planning.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_times_chips = 64;       ///< that are tried where the chips asked for are too few
constexpr double bytes_of_a_parameter = 2 + 2 + 12; ///< weight, gradient, optimizer's state

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
        if (recompute > std::ranges::max(space.choices.recomputes)) {
            PlanSpace other = space;
            other.choices.recomputes = {recompute};
            try_one(other, say("recomputation of {}",
                               recompute == Recompute::full ? said("whole layers") : said("attention")));
        }
    }
    for (int level = std::ranges::max(space.choices.zero_levels) + 1; level <= 3; ++level) {
        PlanSpace other = space;
        other.choices.zero_levels = {level};
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
