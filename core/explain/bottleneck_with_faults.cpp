#include "core/explain/bottleneck_with_faults.h"

#include "core/step/run/simulated_bottleneck.h"

namespace meshslice {

Result<Bottleneck> bottleneck_with_faults(const GemmResult& result, const Algorithm& algorithm,
                                          const Scenario& scenario, const Conditions& conditions,
                                          const CriticalPath& path, const RunControl& control,
                                          unsigned threads) {
    const Time now = result.timeline->end();
    Result<Bottleneck> found =
        simulated_bottleneck(result, algorithm, scenario, conditions, control, threads);
    const CauseTimes exposed = all_phases(path.exposed);
    for (std::size_t axis = 0; found && axis < core_engine && now > Time(0); ++axis) {
        found->links_busy[axis] = ratio(exposed.of(static_cast<Place>(axis)), now);
    }
    return found;
}

} // namespace meshslice
