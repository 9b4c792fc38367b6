#include "core/study/choices.h"

#include "core/gemm/algorithms.h"
#include "core/tune/tune.h"

#include <algorithm>
#include <iterator>

namespace meshslice {
namespace {

/// The counts that work for all products; the first objection where some product does not fit at all.
Result<std::vector<std::int64_t>> common_counts(const Scenario& scenario, const std::vector<Gemm>& gemms) {
    const auto algorithm = meshslice::algorithm(scenario.algorithm);
    const auto torus = algorithm ? torus_of(scenario, **algorithm) : Result<Torus>(Torus());
    if (!algorithm || !torus) {
        return refuse(!algorithm ? algorithm.error() : torus.error());
    }
    std::vector<std::int64_t> common;
    for (std::size_t i = 0; i < gemms.size(); ++i) {
        auto counts = (*algorithm)->slice_counts(gemms[i].shape, gemms[i].dataflow, *torus, scenario.block);
        if (!counts) {
            return refuse(counts.error());
        }
        if (i == 0) {
            common = *counts;
        } else {
            std::vector<std::int64_t> both;
            std::ranges::set_intersection(common, *counts, std::back_inserter(both));
            common = std::move(both);
        }
    }
    return common;
}

} // namespace

Result<std::vector<Gemm>> products(const Scenario& scenario, const std::string& algorithm_id) {
    if (scenario.gemm) {
        return std::vector{Gemm{{}, Pass::forward, scenario.gemm->dataflow, scenario.gemm->shape, 1}};
    }
    const auto layers = fully_connected_layers(scenario.model, scenario.tokens());
    if (!layers) {
        return refuse(layers.error());
    }
    const auto algorithm = meshslice::algorithm(algorithm_id);
    if (!algorithm) {
        return refuse(algorithm.error());
    }
    std::vector<Gemm> all;
    for (std::size_t index = 0; index < layers->size(); ++index) {
        const FullyConnectedLayer& layer = (*layers)[index];
        const Stationary own =
            (*algorithm)->stationary ? (*algorithm)->stationary(index) : largest_matrix_stays(layer);
        const Stationary stationary = scenario.stationary.value_or(own);
        for (const Gemm& gemm :
             training_gemms(layer.name, stationary, layer.tokens, layer.in, layer.out, layer.copies)) {
            if (const auto fits = checked(gemm.shape); !fits) {
                return refuse(fits.error());
            }
            all.push_back(gemm);
        }
    }
    return all;
}

Result<Torus> torus_of(const Scenario& scenario, const Algorithm& algorithm) {
    Result<Torus> torus = scenario.torus();
    if (!torus || algorithm.torus_axes != 1 || torus->axis_count() == 1) {
        return torus;
    }
    return Torus::create(std::vector<std::int32_t>{torus->chips()});
}

std::vector<std::int64_t> slice_choices(const Scenario& scenario) {
    const auto algorithm = meshslice::algorithm(scenario.algorithm);
    const auto gemms = products(scenario, scenario.algorithm);
    if (!algorithm || !(*algorithm)->slices || !gemms) {
        return {};
    }
    return common_counts(scenario, *gemms).value_or(std::vector<std::int64_t>{});
}

std::vector<MeshChoice> mesh_choices(const Scenario& scenario) {
    const auto gemms = products(scenario, scenario.algorithm);
    std::int64_t chips = 1;
    for (const std::int32_t size : scenario.mesh) {
        chips *= size;
    }
    std::vector<MeshChoice> choices;
    for (std::int64_t columns = 1; columns <= chips; ++columns) {
        if (chips % columns != 0) {
            continue;
        }
        MeshChoice choice{{static_cast<std::int32_t>(chips / columns), static_cast<std::int32_t>(columns)},
                          {}};
        if (gemms) {
            Scenario arranged = scenario;
            arranged.mesh = choice.mesh;
            const auto counts = common_counts(arranged, *gemms);
            choice.objection = counts ? std::string() : counts.error().sentence;
        } else {
            choice.objection = gemms.error().sentence;
        }
        choices.push_back(std::move(choice));
    }
    return choices;
}

} // namespace meshslice
