// How fast the autotuner searches, on one core and on all. The figures to look at: every algorithm, mesh,
// slice count and packet count for GPT-3 on 256 chips under 10 ms and on 4096 chips under 100 ms, also with
// three axes, where twice as many meshes are tried.

#include "core/machine/catalogue.h"
#include "core/search/autotune.h"

#include <benchmark/benchmark.h>

namespace meshslice {
namespace {

void tune_gpt3(benchmark::State& state, const char* hardware, unsigned threads) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset(hardware);
    const auto chips = static_cast<std::int32_t>(state.range(0));
    scenario.mesh = {chips, 1};
    scenario.batch = chips / 2;
    std::size_t candidates = 0;
    for (auto _ : state) {
        const auto tuning = autotune(scenario, {}, {}, threads);
        candidates = tuning->ranked.size();
        benchmark::DoNotOptimize(tuning);
    }
    state.counters["candidates"] = static_cast<double>(candidates);
}
void two_axes(benchmark::State& state) {
    tune_gpt3(state, "tpu-v4-cloud", 1);
}
void three_axes(benchmark::State& state) {
    tune_gpt3(state, "tpu-v4", 1);
}
void two_axes_on_all_cores(benchmark::State& state) {
    tune_gpt3(state, "tpu-v4-cloud", 0);
}
void three_axes_on_all_cores(benchmark::State& state) {
    tune_gpt3(state, "tpu-v4", 0);
}

BENCHMARK(two_axes)
    ->Name("autotune GPT-3, two axes, chips")
    ->Arg(256)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(three_axes)
    ->Name("autotune GPT-3, three axes, chips")
    ->Arg(256)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(two_axes_on_all_cores)
    ->Name("autotune GPT-3 on all cores, two axes, chips")
    ->Arg(256)
    ->Arg(4096)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(three_axes_on_all_cores)
    ->Name("autotune GPT-3 on all cores, three axes, chips")
    ->Arg(256)
    ->Arg(4096)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace meshslice
