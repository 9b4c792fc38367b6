#include "core/explain/bottleneck_with_faults.h"

#include "core/simulate/engine/simulate.h"

#include <algorithm>

namespace meshslice {

Result<Bottleneck> bottleneck_with_faults(const GemmResult& result, const Scenario& scenario,
                                          const Conditions& conditions, const CriticalPath& path,
                                          const std::stop_token& stop) {
    const Time now = result.timeline->end();
    Bottleneck found;
    found.nothing_overlaps = result.usage.communication() > Time(0) && result.usage.overlapped == Time(0);
    for (const Part part : all_parts) {
        if (!has_part(result.program->torus, part) || now == Time(0)) {
            continue;
        }
        const Hardware faster = with_twice(scenario.hardware, result.program->torus, part);
        const auto then = simulate(*result.program, faster, scenario.schedule, conditions, {stop, nullptr});
        if (!then) {
            return refuse(then.error());
        }
        found.saves[static_cast<std::size_t>(part)] = std::max(0.0, ratio(now - (*then)->end(), now));
    }
    const CauseTimes exposed = all_phases(path.exposed);
    for (std::size_t axis = 0; axis < core_engine && now > Time(0); ++axis) {
        found.links_busy[axis] = ratio(exposed.of(static_cast<Place>(axis)), now);
    }
    found.part = largest(found.saves);
    return found;
}

} // namespace meshslice
