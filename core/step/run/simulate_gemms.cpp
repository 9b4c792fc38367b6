#include "core/step/run/simulate_gemms.h"

#include "core/base/concurrently.h"
#include "core/base/say.h"
#include "core/simulate/engine/simulate_in_room.h"
#include "core/simulate/record/interval_memory.h"
#include "core/step/run/planned_recording.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

namespace meshslice {
namespace {

/// The GEMMs to simulate, those that record most first: the last to run is the one that all wait for.
std::vector<std::size_t> longest_first(const std::vector<std::size_t>& first,
                                       const std::vector<std::int64_t>& planned) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < planned.size(); ++k) {
        if (first[k] == k) { // Else it shares the other's.
            order.push_back(k);
        }
    }
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return planned[k]; });
    return order;
}

/// Of a run: memories give stages and pieces another share while they serve them, which only the run counts.
Error more_than_planned(std::int64_t most) {
    return {
        say("The simulation records more than {}, all that is kept in memory of the GEMMs together. It may "
            "fit with fewer slices or chips, or for one GEMM alone; the estimate has no such limit.",
            text(Recording{most}))};
}

} // namespace

Result<void> simulate_gemms(std::vector<GemmResult>& gemms, const std::vector<std::int64_t>& planned,
                            const Scenario& scenario, const Conditions& conditions, const RunControl& control,
                            unsigned threads, std::int64_t most) {
    std::vector<Result<std::shared_ptr<const Timeline>>> timelines(gemms.size());
    const std::vector<std::size_t> first = first_of_its_kind(gemms);
    const std::vector<std::size_t> order = longest_first(first, planned);
    std::int64_t all = 0;
    for (const std::size_t k : order) {
        all += planned[k];
    }
    const auto memory = std::make_shared<IntervalMemory>(static_cast<std::size_t>(all), control.memory);
    const auto room = std::make_shared<RecordingRoom>(most);
    std::atomic<std::int64_t> recorded = 0;
    const auto simulate_one = [&](std::size_t place) {
        const std::size_t k = order[place];
        const RunControl own{control.stop, order.size() == 1 ? control.progress : nullptr};
        timelines[k] = simulate_in_room(*gemms[k].program, scenario.hardware, scenario.assume.schedule,
                                        conditions, own, Folding::alike_chips, memory, room);
        if (!timelines[k]) {
            return false;
        }
        gemms[k].usage = usage(**timelines[k]);
        const double share = static_cast<double>(recorded += planned[k]) / static_cast<double>(all);
        if (control.progress && control.progress->load() < share) {
            control.progress->store(share);
        }
        return true;
    };
    if (!for_each_concurrently(order.size(), threads, simulate_one)) {
        if (room->exceeded() && !control.stop.stop_requested()) {
            return refuse(more_than_planned(most));
        }
        const auto refused = std::ranges::find_if(
            timelines, [](const Result<std::shared_ptr<const Timeline>>& timeline) { return !timeline; });
        return refuse(refused->error());
    }
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        gemms[k].timeline = *timelines[first[k]];
        gemms[k].usage = gemms[first[k]].usage;
        gemms[k].time = gemms[k].timeline->end() * gemms[k].gemm.copies;
    }
    return {};
}

} // namespace meshslice
