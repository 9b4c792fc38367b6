#include "core/scenario/choices.h"

#include "core/gemm/algorithms.h"
#include "core/torus/routes.h"
#include "core/tune/tune.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

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
        auto counts =
            (*algorithm)->slice_counts(gemms[i].shape, gemms[i].dataflow, *torus, gemm_options(scenario));
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

/// How far from the scenario's chip count other meshes are looked for.
constexpr std::int64_t furthest_count = 512;

/// Whether the scenario's algorithm wants three axes and the hardware has them.
bool uses_layers(const Scenario& scenario) {
    const auto algorithm = meshslice::algorithm(scenario.algorithm);
    return algorithm && (*algorithm)->torus_axes == 3 && scenario.hardware.torus_axes.value >= 3;
}

std::string objection_on(const Scenario& scenario, const std::vector<std::int32_t>& mesh) {
    Scenario arranged = scenario;
    arranged.mesh = mesh;
    arranged.slices.reset(); // chosen after the mesh
    return objection(arranged, arranged.algorithm);
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

namespace {

bool flattens(const Torus& torus, const Algorithm& algorithm) {
    return algorithm.torus_axes == 1 && torus.axis_count() > 1;
}

} // namespace

Result<Torus> torus_of(const Scenario& scenario, const Algorithm& algorithm) {
    Result<Torus> torus = scenario.torus();
    if (!torus || !flattens(*torus, algorithm)) {
        return torus;
    }
    const Result<Walk> walk = walk_through(*torus);
    if (!walk) {
        return refuse(walk.error());
    }
    return Torus::create(std::vector<TorusAxis>{{torus->chips(), true, walk->folded}});
}

Result<Torus> torus_of(const std::vector<std::int32_t>& mesh, const std::array<bool, 3>& wraps, bool folded,
                       const Algorithm& algorithm) {
    Scenario there;
    there.mesh = mesh;
    there.wraps = wraps;
    there.folded = folded;
    return torus_of(there, algorithm);
}

GemmOptions gemm_options(const Scenario& scenario) {
    return {1, scenario.block, scenario.packets.value_or(0), scenario.decomposed};
}

Result<Conditions> conditions_of(const Scenario& scenario, const Algorithm& algorithm) {
    const Result<Torus> torus = scenario.torus();
    if (!torus) {
        return refuse(torus.error());
    }
    return flattens(*torus, algorithm) ? conditions_on_ring(*torus, scenario.faults)
                                       : conditions(*torus, scenario.faults);
}

std::vector<std::int64_t> slice_choices(const Scenario& scenario) {
    const auto algorithm = meshslice::algorithm(scenario.algorithm);
    const auto gemms = products(scenario, scenario.algorithm);
    if (!algorithm || !takes(**algorithm, OptionId::slices) || !gemms) {
        return {};
    }
    return common_counts(scenario, *gemms).value_or(std::vector<std::int64_t>{});
}

std::string objection(const Scenario& scenario, const std::string& algorithm_id) {
    Scenario with = scenario;
    with.algorithm = algorithm_id;
    const auto algorithm = meshslice::algorithm(algorithm_id);
    const auto gemms = products(with, algorithm_id);
    if (!algorithm || !gemms) {
        return algorithm ? gemms.error().sentence : algorithm.error().sentence;
    }
    const auto counts = common_counts(with, *gemms);
    if (!counts) {
        return counts.error().sentence;
    }
    const OptionSpec* slices = option(**algorithm, OptionId::slices);
    if (slices && slices->taken == Taken::exactly && with.slices &&
        std::ranges::find(*counts, *with.slices) == counts->end()) {
        return fmt::format("S = {} does not fit; counts that do are {}. The best by estimate always fits.",
                           *with.slices, fmt::join(*counts, ", "));
    }
    return {};
}

std::int64_t chips_of(const std::vector<std::int32_t>& mesh) {
    return std::accumulate(mesh.begin(), mesh.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<std::vector<std::int32_t>> meshes_of(std::int32_t chips, bool layered) {
    std::vector<std::int32_t> divisors;
    for (std::int32_t size = 1; size <= chips; ++size) {
        if (chips % size == 0) {
            divisors.push_back(size);
        }
    }
    std::vector<std::vector<std::int32_t>> meshes;
    for (const std::int32_t layers : divisors) {
        if (!layered && layers > 1) {
            break;
        }
        for (const std::int32_t columns : divisors) {
            if (chips / layers % columns == 0) {
                meshes.push_back({chips / layers / columns, columns});
                if (layered) {
                    meshes.back().push_back(layers);
                }
            }
        }
    }
    return meshes;
}

std::vector<MeshChoice> mesh_choices(const Scenario& scenario) {
    const std::int64_t chips = chips_of(scenario.mesh);
    const bool layered = uses_layers(scenario);
    std::vector<MeshChoice> choices;
    for (auto& mesh : meshes_of(static_cast<std::int32_t>(chips), layered)) {
        std::string sentence = objection_on(scenario, mesh);
        if (!layered ||
            sentence.empty()) { // of layered ones there are too many to list those that do not run
            choices.push_back({std::move(mesh), std::move(sentence)});
        }
    }
    return choices;
}

std::vector<std::vector<std::int32_t>> near_meshes(const Scenario& scenario, std::size_t most) {
    const std::int64_t chips = chips_of(scenario.mesh);
    std::vector<std::vector<std::int32_t>> found;
    for (std::int64_t distance = 1; distance <= furthest_count && found.size() < most; ++distance) {
        for (const std::int64_t count : {chips - distance, chips + distance}) {
            if (count < 2 || count > Torus::most_chips) {
                continue;
            }
            for (auto& mesh : meshes_of(static_cast<std::int32_t>(count), uses_layers(scenario))) {
                if (found.size() < most && objection_on(scenario, mesh).empty()) {
                    found.push_back(std::move(mesh));
                }
            }
        }
    }
    return found;
}

} // namespace meshslice
