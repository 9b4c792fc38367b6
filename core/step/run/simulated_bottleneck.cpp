#include "core/step/run/simulated_bottleneck.h"

#include "core/base/concurrently.h"
#include "core/simulate/engine/simulate.h"

#include <algorithm>

namespace meshslice {

namespace {

/// The GEMM as it runs with a part twice as fast.
std::shared_ptr<const Program> program_with_twice(const GemmResult& result, const Algorithm& algorithm,
                                                  Part part) {
    const auto which = static_cast<std::size_t>(part);
    if (result.options_with_twice.empty() || result.options_with_twice[which] == result.options) {
        return result.program;
    }
    Result<Program> other = algorithm.write(result.gemm.shape, result.gemm.dataflow, result.program->torus,
                                            result.options_with_twice[which]);
    return other ? std::make_shared<const Program>(*std::move(other)) : result.program;
}

} // namespace

Result<Bottleneck> simulated_bottleneck(const GemmResult& result, const Algorithm& algorithm,
                                        const Scenario& scenario, const Conditions& conditions,
                                        const RunControl& control, unsigned threads) {
    const Time now = result.timeline->end();
    const Torus& torus = result.program->torus;
    Bottleneck found;
    found.nothing_overlaps = result.usage.communication() > Time(0) && result.usage.overlapped == Time(0);
    const auto run_with_twice = [&](std::size_t which) {
        const Part part = all_parts[which];
        if (!has_part(torus, part) || now == Time(0)) {
            return true;
        }
        const Machine faster = with_twice(scenario.hardware, torus, part);
        const auto then = simulate(*program_with_twice(result, algorithm, part), faster,
                                   scenario.assume.schedule, conditions, control);
        if (then) {
            found.saves[which] = std::max(0.0, ratio(now - (*then)->end(), now));
        } else {
            found.saves[which] = result.bottleneck.saves[which];
        }
        return then || then.error().kind != Error::Kind::cancelled;
    };
    if (!for_each_concurrently(part_count, threads, run_with_twice)) {
        return cancelled();
    }
    found.part = largest(found.saves);
    return found;
}

Result<void> find_bottlenecks(std::vector<GemmResult>& gemms, const Algorithm& algorithm,
                              const Scenario& scenario, const Conditions& conditions,
                              const std::stop_token& stop, unsigned threads) {
    std::vector<std::size_t> first(gemms.size()); // Those that are the same program share their run.
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        const auto same = std::ranges::find(gemms, gemms[k].timeline, &GemmResult::timeline);
        first[k] = static_cast<std::size_t>(same - gemms.begin());
    }
    std::vector<Result<Bottleneck>> found(gemms.size());
    const auto find_one = [&](std::size_t k) {
        if (first[k] == k) {
            found[k] = simulated_bottleneck(gemms[k], algorithm, scenario, conditions, {stop}, 1);
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
