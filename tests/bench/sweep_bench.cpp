// How fast a sweep is. The figure to look at: 64 points of GPT-3's step under a second.

#include "core/question/catalogue/step_points.h"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace meshslice {
namespace {

void sweep_gpt3(benchmark::State& state) {
    Sweep sweep = sweep_of_steps(default_scenario(), {});
    sweep.fields = {*parse_vary(*sweep.over, sweep.scenario, "batch=8:1024:x2"),
                    *parse_vary(*sweep.over, sweep.scenario, "links=x0.125:x16:x2")};
    for (auto _ : state) {
        double best = 0;
        const auto ran = run_sweep(sweep, [&](const SweepPoint& point) {
            best = std::max(best, point.number("flop_utilization").value_or(0));
        });
        benchmark::DoNotOptimize(ran);
        benchmark::DoNotOptimize(best);
    }
    state.counters["points"] = static_cast<double>(sweep.size());
}

BENCHMARK(sweep_gpt3)
    ->Name("sweep 64 points of the GPT-3 step")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace meshslice
