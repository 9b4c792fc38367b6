// The same GEMM in our simulator, with everything recorded, and on SimGrid, in turns. The figure to look at:
// how many times faster ours is.

#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/simulate/engine/simulate.h"
#include "tests/parity/simgrid_run.h"

#include <benchmark/benchmark.h>

#include <chrono>

namespace meshslice::parity {
namespace {

/// Ours is done in milliseconds; this often in a row, for a mean that stands still.
constexpr int runs_of_ours = 10;

/// GPT-3's FF1 forward, OS, in 16 slices. Both simulate every chip by itself and every step of a ring.
void simulate_ff1(benchmark::State& state) {
    const auto rows = static_cast<std::int32_t>(state.range(0));
    const auto columns = static_cast<std::int32_t>(state.range(1));
    const Torus torus = *Torus::create({rows, columns});
    const Program program =
        *(*algorithm("meshslice"))->write({262144, 49152, 12288}, Dataflow::OS, torus, {16, 4});
    const Settings settings{
        *machine_preset("tpu-v4-cloud"), {DataType::bf16, RingMode::one_way, {1}}, {}, {}};
    double ours = 0;
    double simgrid = 0;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        for (int run = 0; run < runs_of_ours; ++run) {
            benchmark::DoNotOptimize(
                simulate(program, settings.hardware, settings.schedule, {}, {}, Folding::none));
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        ours += took.count() / runs_of_ours;
        const Result<SimGridRun> run = run_on_simgrid(program, settings);
        if (!run) {
            state.SkipWithError(run.error().sentence.c_str());
            break;
        }
        simgrid += run->wall_clock;
    }
    state.counters["ours_ms"] = benchmark::Counter(ours * 1e3, benchmark::Counter::kAvgIterations);
    state.counters["simgrid_ms"] = benchmark::Counter(simgrid * 1e3, benchmark::Counter::kAvgIterations);
    state.counters["times_faster"] = simgrid / ours;
}

BENCHMARK(simulate_ff1)
    ->Name("FF1 forward, S=16, one way, ours and SimGrid")
    ->Args({32, 8})
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(simulate_ff1)
    ->Name("FF1 forward, S=16, one way, ours and SimGrid")
    ->Args({64, 16})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace meshslice::parity
