#include "core/search/autotune.h"

#include "core/base/text.h"
#include "core/cost/link_bandwidth.h"
#include "core/scenario/choices.h"
#include "core/scenario/suggestions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace meshslice {
namespace {

Candidate candidate_of(const Scenario& scenario, const Algorithm& algorithm, TrainingStep step,
                       const TuneRequest& request) {
    Candidate candidate;
    candidate.title = algorithm.title;
    candidate.memory =
        memory_use(step.gemms, scenario.model.layers, element_bytes(scenario.schedule.type), request.memory);
    candidate.fits = candidate.memory.total() <= scenario.hardware.hbm.value;
    candidate.step = std::move(step);
    return candidate;
}

Result<std::vector<const Algorithm*>> asked_for(const std::vector<std::string>& ids) {
    std::vector<const Algorithm*> chosen;
    for (const Algorithm& algorithm : algorithms()) {
        if (ids.empty()) {
            chosen.push_back(&algorithm);
        }
    }
    for (const std::string& id : ids) {
        const auto found = algorithm(id);
        if (!found) {
            return refuse(found.error());
        }
        if (std::ranges::find(chosen, *found) == chosen.end()) {
            chosen.push_back(*found);
        }
    }
    return chosen;
}

/// The mesh whose ring has the fastest links; of equals the nearest to a square. The very nearest where no
/// mesh has a ring.
Mesh best_for_a_ring(const Scenario& scenario, const Algorithm& algorithm, std::vector<Mesh> meshes) {
    std::ranges::stable_sort(meshes, {}, [](const Mesh& mesh) { return std::abs(mesh[0] - mesh[1]); });
    const Mesh* best = nullptr;
    Bandwidth fastest;
    for (const Mesh& mesh : meshes) {
        const auto ring = torus_of(mesh, scenario.wraps, scenario.folded, algorithm);
        if (!ring) {
            continue;
        }
        const Bandwidth links = link_bandwidth(scenario.hardware.network, *ring, Axis::vertical);
        if (links > fastest) {
            best = &mesh;
            fastest = links;
        }
        if (scenario.hardware.network.axes_alike()) {
            break;
        }
    }
    return best == nullptr ? meshes.front() : *best;
}

} // namespace

std::vector<Mesh> tuned_meshes(const Scenario& scenario, const Algorithm& algorithm) {
    const auto chips = static_cast<std::int32_t>(chips_of(scenario.mesh));
    std::vector<Mesh> meshes = meshes_for(scenario.hardware, algorithm, chips);
    if (algorithm.torus_axes == 3) { // One layer is a mesh of two axes.
        std::erase_if(meshes, [](const Mesh& mesh) { return mesh[2] == 1; });
    }
    return algorithm.torus_axes == 1 && chips > 1 && !meshes.empty()
               ? std::vector<Mesh>{best_for_a_ring(scenario, algorithm, std::move(meshes))}
               : meshes;
}

Result<Tuning> autotune(const Scenario& scenario, const TuneRequest& request, const RunControl& control) {
    Scenario arranged = scenario;
    if (request.mesh) {
        arranged.mesh = *request.mesh;
    }
    if (const auto valid = checked(arranged); !valid) {
        return refuse(valid.error());
    }
    const auto chosen = asked_for(request.algorithms);
    if (!chosen) {
        return refuse(chosen.error());
    }
    Tuning tuning;
    tuning.capacity = scenario.hardware.hbm.value;
    tuning.fits_memory = request.fits_memory;
    Scenario there = arranged;
    double done = 0;
    for (const Algorithm* algorithm : *chosen) {
        const auto gemms = products(arranged, std::string(algorithm->id));
        if (!gemms) {
            return refuse(gemms.error());
        }
        const auto meshes =
            request.mesh ? std::vector<Mesh>{*request.mesh} : tuned_meshes(arranged, *algorithm);
        if (meshes.empty()) {
            tuning.refused.push_back({std::string(algorithm->id),
                                      std::string(algorithm->title),
                                      {},
                                      no_mesh(arranged.hardware, *algorithm)});
        }
        for (const auto& mesh : meshes) {
            there.mesh = mesh;
            Result<TrainingStep> step = estimated_step(there, *algorithm, *gemms, {}, control.stop);
            if (step) {
                tuning.ranked.push_back(candidate_of(scenario, *algorithm, *std::move(step), request));
            } else if (step.error().kind == Error::Kind::cancelled) {
                return refuse(step.error());
            } else {
                tuning.refused.push_back(
                    {std::string(algorithm->id), std::string(algorithm->title), mesh, step.error().sentence});
            }
        }
        done += 1;
        if (control.progress) {
            control.progress->store(done / static_cast<double>(chosen->size()));
        }
    }
    if (tuning.ranked.empty()) { // The scenario's own algorithm says it best, if it was asked.
        const auto own = std::ranges::find(tuning.refused, scenario.algorithm, &Refusal::algorithm);
        const Refusal& said = own == tuning.refused.end() ? tuning.refused.front() : *own;
        there.mesh = said.mesh.empty() ? arranged.mesh : said.mesh;
        return refuse(with_suggestions({said.sentence}, there, said.algorithm));
    }
    std::ranges::stable_sort(tuning.ranked, [&](const Candidate& a, const Candidate& b) {
        const bool a_last = request.fits_memory && !a.fits;
        const bool b_last = request.fits_memory && !b.fits;
        return a_last != b_last ? b_last : a.step.time < b.step.time;
    });
    if (request.fits_memory && !tuning.ranked.front().fits) {
        const Candidate& least = *std::ranges::min_element(
            tuning.ranked, {}, [](const Candidate& one) { return one.memory.total(); });
        return refuse(fmt::format(
            "Nothing fits into the {} of HBM that a chip has: the least is {} a chip, with {} on {}. More "
            "chips{} may do.",
            text(tuning.capacity), text(least.memory.total()), least.title, mesh_text(least.step.torus),
            scenario.batch > 1 && !scenario.gemm ? " or a smaller batch" : ""));
    }
    return tuning;
}

const Candidate* first_with_open_dataflows(const Tuning& tuning) {
    const auto open = std::ranges::find_if(tuning.ranked, [](const Candidate& one) {
        return !algorithm(one.step.algorithm).value()->stationary;
    });
    return open == tuning.ranked.end() ? nullptr : &*open;
}

Scenario applied(const Scenario& scenario, const Candidate& candidate) {
    Scenario with = scenario;
    with.algorithm = candidate.step.algorithm;
    with.mesh = candidate.step.mesh;
    return with;
}

} // namespace meshslice
