// How many requests a second the serving simulation takes on one core: input 1024, output 256, batch 64, at
// nine tenths of what the server finishes and at one and a half times that. The figure to look at: 10^5 at
// least.
//
// And the waits of queueing theory at 10^6 requests, as deviations in percent and in standard errors by batch
// means: within 3 % at utilizations of 0.3 to 0.8, and within three standard errors at 0.95.

#include "core/serve/simulate_serving.h"

#include <benchmark/benchmark.h>

#include <cmath>

namespace meshslice {
namespace {

/// About Llama 3 70B on eight GPUs: 5 ms of weights, 50 us a token of a prompt, 10 ns a key.
const StraightStepTimes about_llama(StraightCosts{5e-3, 5e-5, 0, 1e-5, 1e-8});

void serve(benchmark::State& state, PromptPolicy policy, double share, double spread, std::int64_t servers) {
    ServingDeployment deployment;
    ServerPool& pool = deployment.pools[0];
    pool.times = &about_llama;
    pool.servers = servers;
    pool.settings.prompts = policy;
    pool.settings.most_batch = 64;
    pool.settings.cache_room = 64 * 1280;
    Arrivals arrivals;
    arrivals.kinds[0].input = {LengthLaw::uniform, 1024, spread};
    arrivals.kinds[0].output = {LengthLaw::uniform, 256, spread};
    arrivals.requests = 1000 * servers;
    arrivals.rate = share * serving_capacity(deployment, arrivals).value();
    arrivals.requests = state.range(0);
    ServingSummary summary;
    for (auto _ : state) {
        summary = summarize(simulate_serving(deployment, arrivals).value());
        benchmark::DoNotOptimize(summary);
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.counters["batch"] = summary.decode_batch;
    state.counters["preemptions"] = static_cast<double>(summary.preemptions);
}
void chunked_prompts(benchmark::State& state) {
    serve(state, PromptPolicy::chunked, 0.9, 1, 1);
}
void chunked_prompts_of_many_lengths(benchmark::State& state) {
    serve(state, PromptPolicy::chunked, 0.9, 0.2, 1);
}
void whole_prompts(benchmark::State& state) {
    serve(state, PromptPolicy::whole, 0.9, 1, 1);
}
void more_than_it_serves(benchmark::State& state) {
    serve(state, PromptPolicy::chunked, 1.5, 0.8, 1);
}
void on_32_servers(benchmark::State& state) {
    serve(state, PromptPolicy::chunked, 0.9, 0.8, 32);
}
BENCHMARK(chunked_prompts)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(chunked_prompts_of_many_lengths)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(whole_prompts)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(more_than_it_serves)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(on_32_servers)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// One request after the other, in 1 s or in a time that is exponential around it.
void theory(benchmark::State& state, LengthLaw service) {
    constexpr double tokens = 10'000;
    constexpr std::size_t batches = 50, each = 20'000;
    const double utilization = static_cast<double>(state.range(0)) / 100;
    const StraightStepTimes times(StraightCosts{0, 1 / tokens, 0, 0, 0});
    ServingDeployment deployment;
    deployment.pools[0].times = &times;
    deployment.pools[0].settings.prompts = PromptPolicy::whole;
    deployment.pools[0].settings.most_batch = 1;
    Arrivals arrivals;
    arrivals.requests = batches * each;
    arrivals.rate = utilization;
    arrivals.kinds[0].input = {service, tokens};
    arrivals.kinds[0].output.nominal = 1;
    double sum = 0, squares = 0;
    for (auto _ : state) {
        const ServingResult found = simulate_serving(deployment, arrivals).value();
        sum = squares = 0;
        for (std::size_t batch = 0; batch < batches; ++batch) {
            double mean = 0;
            for (std::size_t index = batch * each; index < (batch + 1) * each; ++index) {
                mean += found.requests[index].queue() / each;
            }
            sum += mean;
            squares += mean * mean;
        }
    }
    const double mean = sum / batches;
    const double error = std::sqrt((squares / batches - mean * mean) / (batches - 1));
    const double expected =
        utilization / (1 - utilization) / (service == LengthLaw::fixed ? 2 : 1); // Pollaczek and Khinchine
    state.SetItemsProcessed(state.iterations() * arrivals.requests);
    state.counters["percent"] = 100 * (mean / expected - 1);
    state.counters["standard errors"] = (mean - expected) / error;
}
void waits_of_m_d_1(benchmark::State& state) {
    theory(state, LengthLaw::fixed);
}
void waits_of_m_m_1(benchmark::State& state) {
    theory(state, LengthLaw::exponential);
}
BENCHMARK(waits_of_m_d_1)->Arg(30)->Arg(50)->Arg(80)->Arg(95)->Unit(benchmark::kMillisecond);
BENCHMARK(waits_of_m_m_1)->Arg(30)->Arg(50)->Arg(80)->Arg(95)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace meshslice
