#include "core/scenario/suggestions.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

bool runs(const Scenario& scenario, const Algorithm& algorithm) {
    return objection(scenario, scenario.plan.algorithm).empty() && checked(scenario) &&
           conditions_of(scenario, algorithm);
}

bool fit(const std::vector<Gemm>& gemms, const Result<Torus>& torus, const Scenario& scenario,
         const Algorithm& algorithm) {
    return torus && std::ranges::all_of(gemms, [&](const Gemm& gemm) {
               return algorithm.slice_counts(gemm.shape, gemm.dataflow, *torus, gemm_options(scenario))
                   .has_value();
           });
}

/// Whether the GEMMs fit some mesh of so many chips, as far as that can be asked without one: a ring of all
/// of them is the same whichever mesh it winds through, and finding the way is long.
bool may_fit(std::int64_t chips, const std::vector<Gemm>& gemms, const Scenario& scenario,
             const Algorithm& algorithm) {
    return algorithm.torus_axes != 1 ||
           fit(gemms, Torus::create(std::vector{static_cast<std::int32_t>(chips)}), scenario, algorithm);
}

/// Those of the nearest number of chips on which the algorithm runs, the scenario's own number first.
std::vector<Mesh> meshes_that_work(Scenario there, const Algorithm& algorithm,
                                   const std::vector<Gemm>& gemms) {
    constexpr std::int64_t farthest = 1024; // A cluster of quite another size is not what was meant.
    const std::int64_t chips = chips_of(there.mesh);
    for (std::int64_t away = 0; away < std::min(chips, farthest); ++away) {
        for (const std::int64_t count : {chips + away, chips - away}) {
            if (count < 2 || count > Torus::most_chips || !may_fit(count, gemms, there, algorithm)) {
                continue;
            }
            std::vector<Mesh> meshes =
                meshes_for(there.hardware, algorithm, static_cast<std::int32_t>(count));
            std::erase_if(meshes, [&](const Mesh& mesh) {
                there.mesh = mesh;
                return !fit(gemms, torus_of(there, algorithm), there, algorithm) || !runs(there, algorithm);
            });
            if (!meshes.empty()) {
                return meshes;
            }
        }
    }
    return {};
}

std::string meshes_text(const std::vector<Mesh>& meshes) {
    constexpr std::size_t most_shown = 6;
    std::vector<std::string> words;
    for (const Mesh& mesh : meshes) {
        if (words.size() == most_shown) {
            return fmt::format("{}, ...", fmt::join(words, ", "));
        }
        words.push_back(fmt::format("{}", fmt::join(mesh, "x")));
    }
    return fmt::format("{}", fmt::join(words, ", ")) + said(".");
}

} // namespace

Suggestions suggestions(const Scenario& scenario, const std::string& algorithm_id) {
    const Result<const Algorithm*> algorithm = meshslice::algorithm(algorithm_id);
    Scenario there = scenario;
    there.plan.algorithm = algorithm_id;
    there.hardware.measured_products = {}; // They refuse nothing, and may be long to copy.
    const Result<std::vector<Gemm>> gemms = products(there, algorithm_id); // The same on every mesh.
    if (!algorithm || !gemms || runs(there, **algorithm)) {
        return {};
    }
    Suggestions found;
    Scenario open = there;
    open.plan.slices.reset();
    if (there.plan.slices && runs(open, **algorithm)) {
        found.slices = slice_choices(there);
        return found;
    }
    Scenario closed = there;
    closed.wraps = {true, true, true};
    closed.folded = false;
    found.closed_rings = runs(closed, **algorithm);
    found.meshes = meshes_that_work(there, **algorithm, *gemms);
    if (found.meshes.empty() && there.plan.slices) {
        found.meshes = meshes_that_work(open, **algorithm, *gemms);
        found.open_slices = !found.meshes.empty();
    }
    return found;
}

std::string text(const Suggestions& suggestions) {
    std::vector<std::string> sentences;
    if (!suggestions.slices.empty()) {
        sentences.push_back(say("Slice counts that work: {}.", fmt::join(suggestions.slices, ", ")));
    }
    if (suggestions.closed_rings) {
        sentences.push_back(said("It runs with wrap-around on all axes."));
    }
    if (!suggestions.meshes.empty()) {
        sentences.push_back(suggestions.open_slices
                                ? say("Meshes of {} chips that work with S left open: {}",
                                      chips_of(suggestions.meshes.front()), meshes_text(suggestions.meshes))
                                : say("Meshes of {} chips that work: {}",
                                      chips_of(suggestions.meshes.front()), meshes_text(suggestions.meshes)));
    }
    return fmt::format("{}", fmt::join(sentences, said(" ")));
}

Error with_suggestions(Error refusal, const Scenario& scenario, const std::string& algorithm) {
    if (refusal.kind == Error::Kind::wrong_input) {
        const std::string words = text(suggestions(scenario, algorithm));
        refusal.sentence += (words.empty() ? std::string() : said(" ")) + words;
    }
    return refusal;
}

} // namespace meshslice
