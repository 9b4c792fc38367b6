// How fast a training plan's pipeline is simulated. The figure to look at: 64 stages x 512 micro-batches,
// which are 65 536 passes, in milliseconds.

#include "core/plan/pipeline/simulate_pipeline.h"

#include <benchmark/benchmark.h>

namespace meshslice {
namespace {

void simulate_alike_stages(benchmark::State& state, PipelineOrder order, std::int32_t chunks) {
    PipelineStage stage;
    stage.chunks.assign(
        static_cast<std::size_t>(chunks),
        {Time(40'000'000), Time(80'000'000), Bytes(100'000'000), 4, Time(3'000'000), Time(3'000'000)});
    stage.send_forward = stage.send_backward = Time(2'000'000);
    const PipelineWork work{order, static_cast<std::int32_t>(state.range(1)),
                            std::vector<PipelineStage>(static_cast<std::size_t>(state.range(0)), stage)};
    const double passes = 2.0 * static_cast<double>(state.range(0) * state.range(1)) * chunks;
    for (auto _ : state) {
        const auto run = simulate_pipeline(work);
        benchmark::DoNotOptimize(run->time());
    }
    state.counters["passes"] = passes;
    state.counters["time_per_pass"] = benchmark::Counter(
        passes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
void one_forward_one_backward(benchmark::State& state) {
    simulate_alike_stages(state, PipelineOrder::one_forward_one_backward, 1);
}
void interleaved(benchmark::State& state) {
    simulate_alike_stages(state, PipelineOrder::interleaved, 2);
}
BENCHMARK(one_forward_one_backward)
    ->Name("pipeline, 1F1B, stages/micro-batches")
    ->Args({4, 8})
    ->Args({64, 512})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(interleaved)
    ->Name("pipeline, interleaved:2, stages/micro-batches")
    ->Args({64, 512})
    ->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace meshslice
