#include "core/scenario/choices.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "core/torus/routes.h"
#include "core/tune/tune.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace meshslice {
namespace {

/// How far from the scenario's chip count other meshes are looked for.
constexpr std::int64_t furthest_count = 512;

/// Tokens in a sequence of the MeshSlice paper's models (section 4.1), as in a new scenario.
constexpr std::int64_t papers_sequence = 2048;

} // namespace

std::int64_t usual_sequence(const Transformer& model) {
    return model.sequence > 0 ? model.sequence : papers_sequence;
}

Result<std::vector<Gemm>> products(const Scenario& scenario, const std::string& algorithm_id) {
    if (scenario.gemm) {
        return std::vector{Gemm{{}, Pass::forward, scenario.gemm->dataflow, scenario.gemm->shape, 1}};
    }
    const auto layers = fully_connected_layers(scenario.model, scenario.tokens(), scenario.sequence);
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
        const Stationary stationary = scenario.plan.stationary.value_or(own);
        for (const Gemm& gemm : training_gemms(layer, stationary)) {
            if (const auto fits = checked(gemm.shape); !fits) {
                return refuse(fits.error());
            }
            all.push_back(gemm);
        }
    }
    return all;
}

namespace {

/// Refuses algorithms for GPUs whose stores feed rings on other hardware, and with a chip model without
/// stages.
Result<void> runs_on_hardware(const Scenario& scenario, const Algorithm& algorithm) {
    if (!algorithm.on_gpu_rings) {
        return {};
    }
    const bool torus = algorithm.torus_axes == 2;
    if (const auto there = torus ? makes_fed_torus(scenario.hardware) : makes_fed_ring(scenario.hardware);
        !there) {
        return there;
    }
    if (!staged(scenario.assume.schedule, scenario.hardware)) {
        return refuse(say("{} runs with the chip model by-hardware, which makes GEMMs in stages and feeds "
                          "the ring from them; {} knows no stages.",
                          algorithm.title, name(scenario.assume.schedule.chip)));
    }
    return {};
}

} // namespace

Result<AlgorithmAndGemms> algorithm_and_gemms(const Scenario& scenario, const std::string& id) {
    const Result<const Algorithm*> found = algorithm(id);
    if (!found) {
        return refuse(found.error());
    }
    if (const auto runs = runs_on_hardware(scenario, **found); !runs) {
        return refuse(runs.error());
    }
    return products(scenario, id).map([&](std::vector<Gemm> gemms) {
        return AlgorithmAndGemms{*found, std::move(gemms)};
    });
}

namespace {

bool flattens(const Torus& torus, const Algorithm& algorithm) {
    return algorithm.torus_axes == 1 && torus.axis_count() > 1;
}

} // namespace

void take_a_mesh(Scenario& scenario) {
    const Result<const Algorithm*> known = algorithm(scenario.plan.algorithm);
    if (!known || !is_torus(scenario.hardware) || checked(scenario.mesh, scenario.hardware)) {
        return;
    }
    const std::vector<Mesh> meshes =
        meshes_for(scenario.hardware, **known, static_cast<std::int32_t>(chips_of(scenario.mesh)));
    if (!meshes.empty()) {
        scenario.mesh = *std::ranges::min_element(
            meshes, {}, [](const Mesh& mesh) { return *std::ranges::max_element(mesh); });
    }
}

Result<Torus> torus_of(const Scenario& scenario, const Algorithm& algorithm) {
    if (!is_torus(scenario.hardware)) {
        return refuse(no_torus(scenario.hardware));
    }
    Result<Torus> torus = scenario.torus();
    if (!torus || !flattens(*torus, algorithm)) {
        return torus;
    }
    const Result<bool> folded = walk_is_folded(*torus);
    if (!folded) {
        return refuse(folded.error());
    }
    TorusAxis ring{torus->chips(), true, *folded};
    for (std::size_t axis = 0; axis < torus->axes().size(); ++axis) {
        ring.through[axis] = torus->axes()[axis].size > 1;
    }
    return Torus::create(std::vector{ring});
}

GemmOptions gemm_options(const Scenario& scenario) {
    GemmOptions options{1, scenario.plan.block, scenario.plan.packets.value_or(0), scenario.plan.decomposed};
    if (feeds_rings(scenario.hardware)) {
        options.tile = scenario.hardware.output_tile.value;
        options.chunk_order = scenario.plan.chunk_order;
    }
    return options;
}

Result<Conditions> conditions_of(const Scenario& scenario, const Algorithm& algorithm) {
    const Result<Torus> torus = scenario.torus();
    if (!torus) {
        return refuse(torus.error());
    }
    return conditions_on(*torus, scenario.assume.faults, algorithm);
}

Result<Conditions> conditions_on(const Torus& mesh, const Faults& faults, const Algorithm& algorithm) {
    return flattens(mesh, algorithm) ? conditions_on_ring(mesh, faults) : conditions(mesh, faults);
}

namespace {

/// The counts that work for all GEMMs; the first objection where some GEMM does not fit at all.
Result<std::vector<std::int64_t>> common_counts(const Scenario& scenario, const Algorithm& algorithm,
                                                const std::vector<Gemm>& gemms) {
    const Result<Torus> torus = torus_of(scenario, algorithm);
    if (!torus) {
        return refuse(torus.error());
    }
    const GemmOptions options = gemm_options(scenario);
    std::vector<std::int64_t> common;
    for (std::size_t i = 0; i < gemms.size(); ++i) {
        auto counts = algorithm.slice_counts(gemms[i].shape, gemms[i].dataflow, *torus, options);
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

/// Asks one mesh after the other whether the scenario runs on it with an algorithm. What no mesh changes, its
/// GEMMs above all, is found once: there may be thousands of meshes.
class Trials {
  public:
    Trials(Scenario scenario, const std::string& algorithm)
        : scenario_(std::move(scenario)), run_(algorithm_and_gemms(scenario_, algorithm)) {}

    /// The engine's sentence where it does not run; empty where it does.
    [[nodiscard]] std::string objection_on(Mesh mesh) {
        scenario_.mesh = std::move(mesh);
        if (const Result<void> there_is = checked(scenario_.mesh, scenario_.hardware); !there_is) {
            return there_is.error().sentence;
        }
        if (!run_) {
            return run_.error().sentence;
        }
        const auto counts = common_counts(scenario_, *run_->algorithm, run_->gemms);
        if (!counts) {
            return counts.error().sentence;
        }
        const OptionSpec* slices = option(*run_->algorithm, OptionId::slices);
        if (slices && slices->taken == Taken::exactly && scenario_.plan.slices &&
            std::ranges::find(*counts, *scenario_.plan.slices) == counts->end()) {
            return say("S = {} does not fit; these do: {}. The best by estimate always fits.",
                       *scenario_.plan.slices, fmt::join(*counts, ", "));
        }
        return {};
    }

  private:
    Scenario scenario_;
    Result<AlgorithmAndGemms> run_;
};

/// S is chosen after the mesh.
Trials trials_of_meshes(Scenario scenario) {
    scenario.plan.slices.reset();
    const std::string algorithm = scenario.plan.algorithm;
    return {std::move(scenario), algorithm};
}

} // namespace

std::vector<std::int64_t> slice_choices(const Scenario& scenario) {
    const auto algorithm = meshslice::algorithm(scenario.plan.algorithm);
    const auto gemms = products(scenario, scenario.plan.algorithm);
    if (!algorithm || !takes(**algorithm, OptionId::slices) || !gemms) {
        return {};
    }
    return common_counts(scenario, **algorithm, *gemms).value_or(std::vector<std::int64_t>{});
}

std::string objection(const Scenario& scenario, const std::string& algorithm_id) {
    return Trials(scenario, algorithm_id).objection_on(scenario.mesh);
}

std::vector<MeshChoice> mesh_choices(const Scenario& scenario) {
    const auto algorithm = meshslice::algorithm(scenario.plan.algorithm);
    if (!algorithm) {
        return {{scenario.mesh, algorithm.error().sentence}};
    }
    const auto chips = static_cast<std::int32_t>(chips_of(scenario.mesh));
    Trials trials = trials_of_meshes(scenario);
    std::vector<MeshChoice> choices;
    for (Mesh& mesh : meshes_for(scenario.hardware, **algorithm, chips)) {
        const bool layered = mesh.size() > 2; // There are too many of these to list those that do not run.
        std::string sentence = trials.objection_on(mesh);
        if (!layered || sentence.empty()) {
            choices.push_back({std::move(mesh), std::move(sentence)});
        }
    }
    if (choices.empty()) {
        choices.push_back({scenario.mesh, no_mesh(scenario.hardware, **algorithm)});
    }
    return choices;
}

std::vector<Mesh> near_meshes(const Scenario& scenario, std::size_t most) {
    const auto algorithm = meshslice::algorithm(scenario.plan.algorithm);
    const std::int64_t chips = chips_of(scenario.mesh);
    Trials trials = trials_of_meshes(scenario);
    std::vector<Mesh> found;
    for (std::int64_t distance = 1; distance <= furthest_count && algorithm && found.size() < most;
         ++distance) {
        for (const std::int64_t count : {chips - distance, chips + distance}) {
            if (count < 2 || count > Torus::most_chips) {
                continue;
            }
            for (Mesh& mesh : meshes_for(scenario.hardware, **algorithm, static_cast<std::int32_t>(count))) {
                if (found.size() < most && trials.objection_on(mesh).empty()) {
                    found.push_back(std::move(mesh));
                }
            }
        }
    }
    return found;
}

namespace {

/// How much taller one mesh is than the other, in doublings; a smaller number is more alike.
double unlike(const Mesh& mesh, const Mesh& other) {
    const auto shape = [](const Mesh& one) {
        return std::log2(one[0]) - (one.size() > 1 ? std::log2(one[1]) : 0.0);
    };
    return std::abs(shape(mesh) - shape(other)) + (mesh.size() == other.size() ? 0.0 : 1.0);
}

} // namespace

std::optional<Mesh> nearest_mesh(const Scenario& scenario) {
    const auto algorithm = meshslice::algorithm(scenario.plan.algorithm);
    Trials trials = trials_of_meshes(scenario);
    for (std::int64_t chips = chips_of(scenario.mesh); chips > 0 && algorithm; chips /= 2) {
        std::vector<Mesh> meshes =
            meshes_for(scenario.hardware, **algorithm, static_cast<std::int32_t>(chips));
        std::ranges::stable_sort(meshes, {}, [&](const Mesh& mesh) { return unlike(mesh, scenario.mesh); });
        const auto runs =
            std::ranges::find_if(meshes, [&](const Mesh& mesh) { return trials.objection_on(mesh).empty(); });
        if (runs != meshes.end()) {
            return *runs;
        }
    }
    return std::nullopt;
}

Result<void> set_chips(Scenario& scenario, std::int64_t chips) {
    if (chips < 1 || chips > Torus::most_chips) {
        return refuse(say("A mesh has 1 to {} chips.", Torus::most_chips));
    }
    const Result<const Algorithm*> algorithm = meshslice::algorithm(scenario.plan.algorithm);
    if (!algorithm) {
        return refuse(algorithm.error());
    }
    const auto longest = [](const Mesh& mesh) { return *std::ranges::max_element(mesh); };
    std::vector<Mesh> meshes = meshes_for(scenario.hardware, **algorithm, static_cast<std::int32_t>(chips));
    std::ranges::stable_sort(meshes, {}, longest);
    Trials trials = trials_of_meshes(scenario);
    const auto runs =
        std::ranges::find_if(meshes, [&](const Mesh& mesh) { return trials.objection_on(mesh).empty(); });
    if (runs != meshes.end()) {
        scenario.mesh = *runs;
        return {};
    }
    Scenario there = scenario;
    there.mesh = {static_cast<std::int32_t>(chips), 1};
    std::vector<std::string> numbers;
    for (const Mesh& mesh : near_meshes(there, 4)) {
        const std::string number = std::to_string(chips_of(mesh));
        if (std::ranges::find(numbers, number) == numbers.end()) {
            numbers.push_back(number);
        }
    }
    return refuse(numbers.empty()
                      ? say("{} does not run on any mesh of {} chips.", (*algorithm)->title, chips)
                      : say("{} does not run on any mesh of {} chips; {} work.", (*algorithm)->title, chips,
                            listed(numbers, "and")));
}

} // namespace meshslice
