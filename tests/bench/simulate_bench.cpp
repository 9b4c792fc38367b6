// How fast the engine simulates, everything recorded. The figures to look at: one GPT-3 GEMM on 256 chips
// under 50 ms, the twelve of a training step under 500 ms, and the cost per interval flat as the torus grows.

#include "core/explain/why.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/program/ring_schedule.h"
#include "core/scenario/scenario.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/path/critical_path.h"
#include "core/simulate/record/memory_reserve.h"
#include "core/step/training_step.h"
#include "core/torus/faults.h"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>

namespace meshslice {
namespace {

constexpr GemmShape ff1_forward{262144, 49152, 12288};

/// As in the window: what one run has recorded in, the next one records in.
RunControl with_kept_memory() {
    static const auto reserve = std::make_shared<MemoryReserve>(std::size_t{1} << 30);
    return {{}, nullptr, reserve};
}

/// GPT-3's FF1 forward on rows x columns chips in 16 slices; the batch grows with the chips.
void simulate_ff1(benchmark::State& state, RingMode ring, Folding folding) {
    const auto rows = static_cast<std::int32_t>(state.range(0));
    const auto columns = static_cast<std::int32_t>(state.range(1));
    const Scenario scenario = default_scenario();
    const Torus torus = *Torus::create({rows, columns});
    const Program program = *(*algorithm("meshslice"))->write(ff1_forward, Dataflow::OS, torus, {16, 4});
    const Schedule schedule{DataType::bf16, ring, {1}};
    std::size_t intervals = 0;
    for (auto _ : state) {
        const auto timeline = simulate(program, scenario.hardware, schedule, {}, with_kept_memory(), folding);
        intervals = (*timeline)->interval_count();
        benchmark::DoNotOptimize(timeline);
    }
    const double ways = ring == RingMode::both_ways ? 2 : 1;
    const double steps = ways * rows * columns * 16.0 * (rows - 1 + columns - 1);
    state.counters["link_steps"] = steps;
    state.counters["intervals"] = static_cast<double>(intervals);
    state.counters["time_per_link_step"] = benchmark::Counter(
        steps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
void both_ways(benchmark::State& state) {
    simulate_ff1(state, RingMode::both_ways, Folding::none);
}
void one_way(benchmark::State& state) {
    simulate_ff1(state, RingMode::one_way, Folding::none);
}
void folded(benchmark::State& state) {
    simulate_ff1(state, RingMode::one_way, Folding::alike_chips);
}

/// In many slices next to a slow link: a loop whose turns come to be alike.
void long_loop(benchmark::State& state) {
    const Scenario scenario = default_scenario();
    const Torus torus = *Torus::create({32, 8});
    const Program program =
        *(*algorithm("meshslice"))->write(ff1_forward, Dataflow::OS, torus, {state.range(0), 4});
    const Conditions slow = *conditions(torus, {{*parse_fault("3,5 east 50%")}, {}, 1});
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            simulate(program, scenario.hardware, scenario.assume.schedule, slow, with_kept_memory()));
    }
}
BENCHMARK(long_loop)
    ->Name("simulate FF1 forward, 32x8, a slow link, slices")
    ->Arg(8)
    ->Arg(96)
    ->Unit(benchmark::kMillisecond);

/// T-NLG's FC-2 on a ring of GPUs, its stores feeding the reduce-scatter: one case folded under 2 ms, every
/// chip of 16 under 50 ms.
void fed_ring(benchmark::State& state, Folding folding) {
    const auto chips = static_cast<std::int32_t>(state.range(0));
    const Machine gpu = *machine_preset("t3-paper");
    const Program program =
        *(*algorithm("t3"))->write({8192, 4256, 17024}, Dataflow::LS, *Torus::create({TorusAxis{chips}}), {});
    const Schedule schedule{DataType::bf16, RingMode::one_way, {1}};
    for (auto _ : state) {
        benchmark::DoNotOptimize(simulate(program, gpu, schedule, {}, {}, folding));
    }
}
void fed_ring_folded(benchmark::State& state) {
    fed_ring(state, Folding::alike_chips);
}
void fed_ring_of_all(benchmark::State& state) {
    fed_ring(state, Folding::none);
}

BENCHMARK(fed_ring_folded)
    ->Name("simulate T3, T-NLG FC-2, one chip for all")
    ->Args({8})
    ->Args({16})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fed_ring_of_all)
    ->Name("simulate T3, T-NLG FC-2, every chip")
    ->Args({16})
    ->Unit(benchmark::kMillisecond);

BENCHMARK(both_ways)
    ->Name("simulate FF1 forward, S=16, both ways, every chip")
    ->Args({32, 8})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(one_way)
    ->Name("simulate FF1 forward, S=16, one way, every chip")
    ->Args({4, 4})
    ->Args({8, 8})
    ->Args({16, 16})
    ->Args({32, 8})
    ->Args({32, 32})
    ->Args({64, 64})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(folded)
    ->Name("simulate FF1 forward, S=16, one way, one of each class")
    ->Args({32, 8})
    ->Args({64, 64})
    ->Unit(benchmark::kMillisecond);

/// Why that run takes as long as it does, after it.
void critical_path_of(benchmark::State& state, Folding folding) {
    const Scenario scenario = default_scenario();
    const Torus torus = *Torus::create({32, 8});
    const Program program = *(*algorithm("meshslice"))->write(ff1_forward, Dataflow::OS, torus, {16, 4});
    const auto timeline = *simulate(program, scenario.hardware, scenario.assume.schedule, {}, {}, folding);
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            critical_path(program, scenario.hardware, scenario.assume.schedule, {}, *timeline));
    }
    state.counters["intervals"] = static_cast<double>(timeline->stored_intervals());
}
void critical_path_folded(benchmark::State& state) {
    critical_path_of(state, Folding::alike_chips);
}
void critical_path_full(benchmark::State& state) {
    critical_path_of(state, Folding::none);
}
BENCHMARK(critical_path_folded)
    ->Name("critical path of FF1 forward, 32x8, S=16, one of each class")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(critical_path_full)
    ->Name("critical path of FF1 forward, 32x8, S=16, every chip")
    ->Unit(benchmark::kMillisecond);

/// Argument: threads.
void gpt3_step_with(benchmark::State& state, const Faults& faults) {
    Scenario scenario = default_scenario();
    scenario.plan.slices = 16;
    scenario.assume.faults = faults;
    for (auto _ : state) {
        benchmark::DoNotOptimize(training_step(scenario, "meshslice", Depth::simulate, with_kept_memory(),
                                               static_cast<unsigned>(state.range(0))));
    }
}
void gpt3_step(benchmark::State& state) {
    gpt3_step_with(state, {});
}
/// One core that is hardly slower, so that no two chips of the torus are alike.
void gpt3_step_of_every_chip(benchmark::State& state) {
    gpt3_step_with(state, {{*parse_fault("3,5 core 99.9%")}, {}, 1});
}
BENCHMARK(gpt3_step_of_every_chip)
    ->Name("simulate the GPT-3 step, 12 products, S=16, no two chips alike")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
/// Faults that let the chips drift apart, so that fewer events share their time.
void gpt3_step_with_slow_link(benchmark::State& state) {
    gpt3_step_with(state, {{*parse_fault("3,5 east 50%")}, {}, 1});
}
void gpt3_step_with_dead_link(benchmark::State& state) {
    gpt3_step_with(state, {{*parse_fault("3,5 east dead")}, {}, 1});
}
void gpt3_step_with_jitter(benchmark::State& state) {
    gpt3_step_with(state, {{}, Time(5'000'000), 1});
}
BENCHMARK(gpt3_step_with_slow_link)
    ->Name("simulate the GPT-3 step, 12 products, S=16, a slow link")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(gpt3_step_with_dead_link)
    ->Name("simulate the GPT-3 step, 12 products, S=16, a dead link")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(gpt3_step_with_jitter)
    ->Name("simulate the GPT-3 step, 12 products, S=16, jitter of 5 us")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(gpt3_step)
    ->Name("simulate the GPT-3 step, 12 products, S=16")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// The step's critical paths and what would help, after the simulation.
void why_of_step(benchmark::State& state, const Faults& faults) {
    Scenario scenario = default_scenario();
    scenario.plan.slices = 16;
    scenario.assume.faults = faults;
    const TrainingStep step = *training_step(scenario, "meshslice", Depth::simulate);
    for (auto _ : state) {
        benchmark::DoNotOptimize(why(step, scenario));
    }
}
void why_of_alike_chips(benchmark::State& state) {
    why_of_step(state, {});
}
void why_of_every_chip(benchmark::State& state) {
    why_of_step(state, {{*parse_fault("3,5 core 99.9%")}, {}, 1});
}
BENCHMARK(why_of_alike_chips)
    ->Name("why of the GPT-3 step, 12 products, S=16")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(why_of_every_chip)
    ->Name("why of the GPT-3 step, 12 products, S=16, no two chips alike")
    ->Unit(benchmark::kMillisecond);

void gpt3_step_estimate(benchmark::State& state) {
    const Scenario scenario = default_scenario();
    for (auto _ : state) {
        benchmark::DoNotOptimize(training_step(scenario, "meshslice", Depth::estimate));
    }
}
BENCHMARK(gpt3_step_estimate)
    ->Name("tune and estimate the GPT-3 step, 12 products")
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace meshslice
