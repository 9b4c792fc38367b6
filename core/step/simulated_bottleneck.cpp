#include "core/step/simulated_bottleneck.h"

#include "core/base/concurrently.h"
#include "core/simulate/engine/simulate.h"

#include <algorithm>

namespace meshslice {

Result<Bottleneck> simulated_bottleneck(const Program& program, const Machine& hardware,
                                        const Schedule& schedule, const Conditions& conditions,
                                        const Timeline& now, const Usage& usage,
                                        const std::stop_token& stop) {
    Bottleneck found;
    found.nothing_overlaps = usage.communication() > Time(0) && usage.overlapped == Time(0);
    for (const Part part : all_parts) {
        if (!has_part(program.torus, part) || now.end() == Time(0)) {
            continue;
        }
        const Machine faster = with_twice(hardware, program.torus, part);
        const auto then = simulate(program, faster, schedule, conditions, {stop, nullptr});
        double& saves = found.saves[static_cast<std::size_t>(part)];
        if (then) {
            saves = std::max(0.0, ratio(now.end() - (*then)->end(), now.end()));
        } else if (then.error().kind == Error::Kind::cancelled) {
            return refuse(then.error());
        } else {
            saves = bottleneck(program, hardware, schedule).saves[static_cast<std::size_t>(part)];
        }
    }
    found.part = largest(found.saves);
    return found;
}

Result<void> find_bottlenecks(std::vector<GemmResult>& gemms, const Scenario& scenario,
                              const Conditions& conditions, const std::stop_token& stop, unsigned threads) {
    std::vector<std::size_t> first(gemms.size()); // Those that are the same program share their run.
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        const auto same = std::ranges::find(gemms, gemms[k].timeline, &GemmResult::timeline);
        first[k] = static_cast<std::size_t>(same - gemms.begin());
    }
    std::vector<Result<Bottleneck>> found(gemms.size());
    const auto find_one = [&](std::size_t k) {
        const GemmResult& result = gemms[k];
        if (first[k] == k) {
            found[k] = simulated_bottleneck(*result.program, scenario.hardware, scenario.assume.schedule,
                                            conditions, *result.timeline, result.usage, stop);
        }
        return found[k].has_value();
    };
    if (!for_each_concurrently(gemms.size(), threads, find_one)) {
        return cancelled();
    }
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        found[first[k]]->links_busy = gemms[k].bottleneck.links_busy; // Which no simulation says.
        gemms[k].bottleneck = *found[first[k]];
    }
    return {};
}

} // namespace meshslice
