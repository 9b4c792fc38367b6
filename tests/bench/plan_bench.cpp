// How many plans a second are read, and the largest sweep of arXiv 2410.00273.

#include "core/machine/catalogue.h"
#include "core/plan/search/plan_search.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

void search(benchmark::State& state, const char* model, const char* on, std::int64_t chips,
            std::vector<TensorStrategy> strategies, ModelRules rules, const PlanChoices& choices = {}) {
    const TrainingRun run = training_run(*model_preset(model), 0, 4096).value();
    const PlanModel plan_model = PlanModel::of(run, *machine_preset(on), rules).value();
    PlanSpace space;
    space.chips = chips;
    space.strategies = std::move(strategies);
    space.choices = choices;
    std::int64_t plans = 0;
    for (auto _ : state) {
        const auto found = search_plans(plan_model, space, 10);
        benchmark::DoNotOptimize(found);
        plans += found->candidates;
    }
    state.counters["plans/s"] = benchmark::Counter(static_cast<double>(plans), benchmark::Counter::kIsRate);
    state.counters["plans"] = static_cast<double>(plans) / static_cast<double>(state.iterations());
}

BENCHMARK_CAPTURE(search, gpt_1t_1d_nvs8, "gpt3-1t", "b200-nvs8", 16'384, {TensorStrategy::one_d},
                  ModelRules::exact)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, vit_64k_2d_nvs8, "vit-64k", "b200-nvs8", 16'384, {TensorStrategy::two_d},
                  ModelRules::exact)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, gpt_1t_summa_nvs64_the_largest, "gpt3-1t", "b200-nvs64", 16'384,
                  {TensorStrategy::summa}, ModelRules::exact)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, the_largest_by_published_rules, "gpt3-1t", "b200-nvs64", 16'384,
                  {TensorStrategy::summa}, ModelRules::reference)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, gpt_1t_all_nvs64, "gpt3-1t", "b200-nvs64", 16'384,
                  {all_tensor_strategies.begin(), all_tensor_strategies.end()}, ModelRules::exact)
    ->Unit(benchmark::kMillisecond);

// With every schedule, recomputation and level of ZeRO, as a search by exact rules has them.
PlanChoices any() {
    return plan_choices({}).value();
}

BENCHMARK_CAPTURE(search, gpt_1t_summa_nvs64_any_choices, "gpt3-1t", "b200-nvs64", 16'384,
                  {TensorStrategy::summa}, ModelRules::exact, any())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, gpt_1t_all_nvs64_any_choices, "gpt3-1t", "b200-nvs64", 16'384,
                  {all_tensor_strategies.begin(), all_tensor_strategies.end()}, ModelRules::exact, any())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, gpt_1t_all_nvs8_of_1024_any_choices, "gpt3-1t", "b200-nvs8", 1024,
                  {all_tensor_strategies.begin(), all_tensor_strategies.end()}, ModelRules::exact, any())
    ->Unit(benchmark::kMillisecond);

// On a torus nearly all of a search is tuning GEMMs. Cold: nothing is tuned yet. Warm: as in the window after
// an edit of the batch, with what was tuned for the one before it. Compare the CPU times.
void search_torus(benchmark::State& state, bool warm) {
    const Machine v5p = *machine_preset("tpu-v5p");
    const TrainingRun run = training_run(*model_preset("gpt3-175b"), 0, 4096).value();
    TrainingRun before = run;
    before.batch = 8192;
    PlanSpace space;
    space.chips = 256;
    if (!set_strategies(space, "all", true)) {
        state.SkipWithError("no strategies");
        return;
    }
    space.choices = any();
    const auto groups = std::make_shared<TunedGroups>();
    if (warm) {
        benchmark::DoNotOptimize(
            search_plans(PlanModel::of(before, v5p, ModelRules::exact, groups).value(), space, 10));
    }
    const std::int64_t tuned_before = groups->tunings();
    for (auto _ : state) {
        const auto its = warm ? groups : std::make_shared<TunedGroups>();
        const PlanModel model = PlanModel::of(run, v5p, ModelRules::exact, its).value();
        benchmark::DoNotOptimize(search_plans(model, space, 10));
        state.counters["tuned"] = static_cast<double>(its->tunings() - (warm ? tuned_before : 0));
    }
}

BENCHMARK_CAPTURE(search_torus, gpt_175b_256_v5p_cold, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_torus, gpt_175b_256_v5p_warm, true)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace meshslice
