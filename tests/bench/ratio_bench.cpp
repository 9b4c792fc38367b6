// How fast the engine simulates one way compared with another, both in turns in one run, so that what else
// the machine does falls on both. The figures to look at: one chip of each class at least 50 times faster
// than every chip of a 64x64 torus, and a recorded interval (a launch, a copy, a synchronization, a
// transfer or a multiplication) that costs the same on 4x4 as on 64x64 chips.

#include "core/gemm/algorithms.h"
#include "core/scenario/scenario.h"
#include "core/simulate/engine/simulate.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

namespace meshslice {
namespace {

constexpr GemmShape gpt3_ff1{262144, 49152, 12288};

/// GPT-3's FF1 forward, one way round.
struct Case {
    Machine hardware = default_scenario().hardware;
    Schedule schedule{DataType::bf16, RingMode::one_way, {1}};
    Conditions conditions;
    Program program;
    Folding folding = Folding::none;

    /// By MeshSlice in 16 slices.
    explicit Case(std::int32_t rows, std::int32_t columns)
        : program(*(*algorithm("meshslice"))
                       ->write(gpt3_ff1, Dataflow::OS, *Torus::create({rows, columns}), {16, 4})) {}
    /// By 1D tensor parallelism on one ring.
    explicit Case(std::int32_t chips)
        : program(
              *(*algorithm("1d-tp"))
                   ->write(gpt3_ff1, Dataflow::OS, *Torus::create(std::vector<std::int32_t>{chips}), {})) {}

    [[nodiscard]] double link_steps() const {
        const Torus& torus = program.torus;
        return 16.0 * torus.chips() * (torus.size(Axis::vertical) + torus.size(Axis::horizontal) - 2);
    }
    /// That the run records.
    [[nodiscard]] double intervals() const {
        Conditions unlike = conditions; // Every chip's, not one's of each class.
        unlike.jitter = Time(1);
        return static_cast<double>(recorded_intervals(program, hardware, schedule, unlike));
    }
    /// Seconds.
    [[nodiscard]] double simulated() const {
        const auto start = std::chrono::steady_clock::now();
        const auto timeline = simulate(program, hardware, schedule, conditions, {}, folding);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        benchmark::DoNotOptimize(timeline);
        return took.count();
    }
};

struct Sums {
    double one = 0; ///< seconds
    double other = 0;
};
/// The other often enough that its time stands still.
Sums in_turns(benchmark::State& state, const Case& one, const Case& other, int others_a_turn = 1) {
    Sums sums;
    for (auto _ : state) {
        sums.one += one.simulated();
        for (int k = 0; k < others_a_turn; ++k) {
            sums.other += other.simulated() / others_a_turn;
        }
    }
    return sums;
}

void classes_against_every_chip(benchmark::State& state) {
    const Case every(64, 64);
    Case classes = every;
    classes.folding = Folding::alike_chips;
    const Sums sums = in_turns(state, every, classes, 20);
    state.counters["times_faster"] = sums.one / sums.other;
}
BENCHMARK(classes_against_every_chip)
    ->Name("64x64, one chip of each class against every chip")
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

void interval_against_8x8(benchmark::State& state) {
    const auto size = static_cast<std::int32_t>(state.range(0));
    const Case large(size, size);
    const Case small(8, 8);
    benchmark::DoNotOptimize(large.simulated()); // The system gives memory for the first time.
    const Sums sums = in_turns(state, large, small, 20);
    const double nanoseconds = 1e9 * sums.one / static_cast<double>(state.iterations());
    state.counters["ns_a_step"] = nanoseconds / large.link_steps();
    state.counters["ns_an_interval"] = nanoseconds / large.intervals();
    state.counters["times_8x8"] = (sums.one / large.intervals()) / (sums.other / small.intervals());
}
BENCHMARK(interval_against_8x8)
    ->Name("a recorded interval of every chip against one of 8x8, N x N chips")
    ->Arg(4)
    ->Arg(16)
    ->Arg(32)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);

void tiles_against_constant_rate(benchmark::State& state) {
    Case tiles(32, 8);
    tiles.schedule.chip = ChipModel::tiled;
    Case constant = tiles;
    constant.schedule.chip = ChipModel::constant_rate;
    const Sums sums = in_turns(state, tiles, constant);
    state.counters["times_constant_rate"] = sums.one / sums.other;
}
BENCHMARK(tiles_against_constant_rate)
    ->Name("32x8, every chip, tile by tile against a constant rate")
    ->Unit(benchmark::kMillisecond);

void fault_against_none(benchmark::State& state, const Faults& faults) {
    const Case none(32, 8);
    Case faulty = none;
    faulty.conditions = *conditions(none.program.torus, faults);
    const Sums sums = in_turns(state, faulty, none);
    state.counters["times_healthy"] = sums.one / sums.other;
}
void slow_link_against_none(benchmark::State& state) {
    fault_against_none(state, {{*parse_fault("3,5 east 50%")}, {}, 1});
}
void jitter_against_none(benchmark::State& state) {
    fault_against_none(state, {{}, Time(5'000'000), 1});
}
BENCHMARK(slow_link_against_none)
    ->Name("32x8, every chip, a slow link against none")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(jitter_against_none)
    ->Name("32x8, every chip, jitter of 5 us against none")
    ->Unit(benchmark::kMillisecond);

/// From the stop to the answer, at moments spread over the run: while it is laid out, and while events are
/// handled. The figure to look at: the longest, under 10 ms.
void stop(benchmark::State& state, const Case& large) {
    using Clock = std::chrono::steady_clock;
    constexpr int moments = 20;
    const double whole = large.simulated();
    std::vector<double> took; // seconds
    for (auto _ : state) {
        for (int moment = 0; moment < moments; ++moment) {
            std::stop_source source;
            bool cancelled = false;
            Clock::time_point answered;
            std::jthread run([&] {
                cancelled = !simulate(large.program, large.hardware, large.schedule, {},
                                      {source.get_token(), nullptr}, Folding::none);
                answered = Clock::now();
            });
            std::this_thread::sleep_for(std::chrono::duration<double>(whole * moment / moments));
            const Clock::time_point stopped = Clock::now();
            source.request_stop();
            run.join();
            if (cancelled) { // Else it was done before.
                took.push_back(std::chrono::duration<double>(answered - stopped).count());
            }
        }
    }
    if (took.empty()) {
        state.SkipWithError("every run was done before it was stopped");
        return;
    }
    std::ranges::sort(took);
    state.counters["stops"] = static_cast<double>(took.size());
    state.counters["median_ms"] = 1e3 * took[took.size() / 2];
    state.counters["longest_ms"] = 1e3 * took.back();
}
void stop_on_a_torus(benchmark::State& state) {
    stop(state, Case(64, 64));
}
/// One launch there is followed by all the steps of 1024 chips.
void stop_on_a_ring(benchmark::State& state) {
    stop(state, Case(1024));
}
BENCHMARK(stop_on_a_torus)
    ->Name("64x64, every chip, a stop until it is answered")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(stop_on_a_ring)
    ->Name("ring of 1024, every chip, a stop until it is answered")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace meshslice
