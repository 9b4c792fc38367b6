#include "core/search/dataflow_search.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "core/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

constexpr std::array<LayerDataflow, 6> choices = {{{Stationary::Y, false},
                                                   {Stationary::X, false},
                                                   {Stationary::W, false},
                                                   {Stationary::Y, true},
                                                   {Stationary::X, true},
                                                   {Stationary::W, true}}};
using LayerTimes = std::array<Time, choices.size()>;

Result<Time> layer_time(const Scenario& scenario, const Algorithm& algorithm, const Torus& torus,
                        const std::vector<Gemm>& gemms, std::stop_token stop) {
    const GemmOptions given = gemm_options(scenario);
    Time sum;
    for (const Gemm& gemm : gemms) {
        const auto tuned = tune(algorithm, gemm.shape, gemm.dataflow, torus, given, scenario.plan.slices,
                                scenario.hardware, scenario.assume.schedule, stop);
        if (!tuned) {
            return refuse(tuned.error());
        }
        sum += tuned->estimate.total * gemm.copies;
    }
    return sum;
}

DataflowPlan plan(const std::vector<LayerDataflow>& layers, const std::vector<LayerTimes>& times) {
    DataflowPlan result{layers, {}, {}, transpositions(layers)};
    for (std::size_t k = 0; k < layers.size(); ++k) {
        const auto which = std::ranges::find(choices, layers[k]) - choices.begin();
        result.times.push_back(times[k][static_cast<std::size_t>(which)]);
        result.time += result.times.back();
    }
    return result;
}

/// Better: faster, then with fewer transpositions; else the earlier one stays.
bool better(const DataflowPlan& one, const DataflowPlan& than) {
    return one.time != than.time ? one.time < than.time
                                 : one.transpositions.size() < than.transpositions.size();
}

/// All that a scenario can ask for. `times`: of each layer in each of the `choices`.
std::vector<SharedDataflow> shared_dataflows(const std::vector<FullyConnectedLayer>& layers,
                                             const std::vector<LayerTimes>& times) {
    std::vector<SharedDataflow> all;
    for (const std::optional<Stationary> asked :
         {std::optional<Stationary>(), std::optional(Stationary::Y), std::optional(Stationary::X),
          std::optional(Stationary::W)}) {
        SharedDataflow one{asked, {}};
        for (std::size_t k = 0; k < layers.size(); ++k) {
            const LayerDataflow own{asked.value_or(largest_matrix_stays(layers[k])), false};
            one.time += times[k][static_cast<std::size_t>(std::ranges::find(choices, own) - choices.begin())];
        }
        all.push_back(one);
    }
    std::ranges::stable_sort(all, {}, &SharedDataflow::time);
    return all;
}

} // namespace

Result<DataflowSearch> search_dataflows(const Scenario& scenario, const RunControl& control) {
    Scenario healthy = scenario;
    healthy.assume.faults = {}; // They are of the machine that it is simulated on, maybe on another mesh.
    const Result<Scenario> valid = checked(healthy);
    const auto algorithm = meshslice::algorithm(scenario.plan.algorithm);
    if (!valid || !algorithm) {
        return refuse(!valid ? valid.error() : algorithm.error());
    }
    if (scenario.gemm) {
        return refuse("One GEMM has one dataflow; the search is over the layers of a model's block.");
    }
    if ((*algorithm)->stationary) {
        return refuse(say("{} says itself which matrix of a layer stays; there is nothing to search. "
                          "MeshSlice, Collective and the other algorithms on two axes leave it open.",
                          (*algorithm)->title));
    }
    auto layers = fully_connected_layers(scenario.model, scenario.tokens(), scenario.sequence);
    const Result<Torus> torus = torus_of(scenario, **algorithm);
    if (!layers || !torus) {
        return refuse(!layers ? layers.error() : torus.error());
    }
    DataflowSearch search;
    search.algorithm = scenario.plan.algorithm;
    search.mesh = scenario.mesh;
    search.layers = *std::move(layers);
    std::vector<LayerTimes> times(search.layers.size());
    for (std::size_t k = 0; k < search.layers.size(); ++k) {
        for (std::size_t choice = 0; choice < choices.size(); ++choice) {
            const auto time = layer_time(scenario, **algorithm, *torus,
                                         training_gemms(search.layers[k], choices[choice]), control.stop);
            if (!time) {
                const bool stopped = time.error().kind == Error::Kind::cancelled;
                return refuse(stopped ? time.error()
                                      : Error{fmt::format("{}, {}: {}", search.layers[k].name,
                                                          text(choices[choice]), time.error().sentence)});
            }
            times[k][choice] = *time;
        }
    }
    search.shared = shared_dataflows(search.layers, times);
    search.heuristic = plan(heuristic_dataflows(search.layers), times);
    search.y_everywhere = plan(std::vector<LayerDataflow>(search.layers.size()), times);
    search.fastest = search.heuristic;
    search.untransposed = search.y_everywhere; // Never transposes.
    std::size_t count = 1;
    for (std::size_t k = 0; k < search.layers.size(); ++k) {
        count *= choices.size();
    }
    for (std::size_t number = 0; number < count; ++number) {
        std::vector<LayerDataflow> layers_of_plan;
        for (std::size_t rest = number; layers_of_plan.size() < search.layers.size();
             rest /= choices.size()) {
            layers_of_plan.push_back(choices[rest % choices.size()]);
        }
        DataflowPlan one = plan(layers_of_plan, times);
        if (one.transpositions.empty() && better(one, search.untransposed)) {
            search.untransposed = one;
        }
        if (better(one, search.fastest)) {
            search.fastest = std::move(one);
        }
    }
    return search;
}

} // namespace meshslice
