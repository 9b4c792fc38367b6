#include "core/search/autotune.h"

#include "core/base/concurrently.h"
#include "core/base/text.h"
#include "core/cost/link_bandwidth.h"
#include "core/scenario/choices.h"
#include "core/scenario/suggestions.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

namespace meshslice {
namespace {

Candidate candidate_of(const Algorithm& algorithm, TrainingStep step) {
    Candidate candidate;
    candidate.title = algorithm.title;
    candidate.step = std::move(step);
    return candidate;
}

/// One algorithm on one mesh, or on none, where the machine has none for it.
struct Attempt {
    const Algorithm* algorithm;
    std::size_t gemms; ///< which of the lists of GEMMs is the algorithm's
    Mesh mesh;
    Result<TrainingStep> step;
};

/// The order of the ranking.
bool ranks_before(const Candidate& a, const Candidate& b) {
    if (a.step.fits() != b.step.fits()) {
        return a.step.fits();
    }
    const Bytes own = a.step.fits() ? Bytes(0) : a.step.memory.bytes();
    const Bytes other = b.step.fits() ? Bytes(0) : b.step.memory.bytes();
    return own != other ? own < other : a.step.time < b.step.time;
}

/// Where none is named, all that this hardware can run.
Result<std::vector<const Algorithm*>> asked_for(const std::vector<std::string>& ids,
                                                const Machine& hardware) {
    std::vector<const Algorithm*> chosen;
    for (const Algorithm& algorithm : all_algorithms()) {
        if (ids.empty() && (!algorithm.on_gpu_rings || feeds_rings(hardware))) {
            chosen.push_back(*meshslice::algorithm(algorithm.id));
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
    Scenario there = scenario;
    for (const Mesh& mesh : meshes) {
        there.mesh = mesh;
        const auto ring = torus_of(there, algorithm);
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

/// A mesh of as many chips that the machine has; the scenario's own where there is none.
Mesh any_mesh(const Scenario& scenario, const std::vector<const Algorithm*>& algorithms) {
    for (const Algorithm* algorithm : algorithms) {
        const auto chips = static_cast<std::int32_t>(chips_of(scenario.mesh));
        if (const auto meshes = meshes_for(scenario.hardware, *algorithm, chips); !meshes.empty()) {
            return meshes.front();
        }
    }
    return scenario.mesh;
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

Result<Tuning> autotune(const Scenario& scenario, const TuneRequest& request, const RunControl& control,
                        unsigned threads) {
    Scenario arranged = scenario;
    if (request.mesh) {
        arranged.mesh = *request.mesh;
    }
    const auto chosen = asked_for(request.algorithms, arranged.hardware);
    if (!chosen) {
        return refuse(chosen.error());
    }
    if (!request.mesh && !checked(arranged.mesh, arranged.hardware)) {
        arranged.mesh = any_mesh(arranged, *chosen); // Only its number of chips was asked for.
    }
    if (const auto valid = checked(arranged); !valid) {
        return refuse(valid.error());
    }
    Tuning tuning;
    std::vector<Attempt> attempts;
    std::vector<std::vector<Gemm>> gemms;
    for (const Algorithm* algorithm : *chosen) {
        auto own = products(arranged, std::string(algorithm->id));
        if (!own) {
            return refuse(own.error());
        }
        gemms.push_back(*std::move(own));
        const auto meshes =
            request.mesh ? std::vector<Mesh>{*request.mesh} : tuned_meshes(arranged, *algorithm);
        if (meshes.empty()) {
            attempts.push_back(
                {algorithm, gemms.size() - 1, {}, refuse(no_mesh(arranged.hardware, *algorithm))});
        }
        for (const auto& mesh : meshes) {
            attempts.push_back({algorithm, gemms.size() - 1, mesh, {}});
        }
    }
    std::atomic<std::size_t> done = 0;
    const auto attempt = [&](std::size_t which) {
        Attempt& one = attempts[which];
        if (!one.mesh.empty()) {
            Scenario there = arranged;
            there.mesh = one.mesh;
            one.step = estimated_step(there, *one.algorithm, gemms[one.gemms], {}, control.stop);
        }
        if (control.progress) {
            control.progress->store(static_cast<double>(++done) / static_cast<double>(attempts.size()));
        }
        return one.step || one.step.error().kind != Error::Kind::cancelled;
    };
    if (!for_each_concurrently(attempts.size(), threads, attempt)) {
        return cancelled();
    }
    for (Attempt& one : attempts) {
        if (one.step) {
            tuning.ranked.push_back(candidate_of(*one.algorithm, *std::move(one.step)));
        } else {
            tuning.refused.push_back({std::string(one.algorithm->id), std::string(one.algorithm->title),
                                      one.mesh, one.step.error().sentence});
        }
    }
    if (tuning.ranked.empty()) { // The scenario's own algorithm says it best, if it was asked.
        const auto own = std::ranges::find(tuning.refused, scenario.plan.algorithm, &Refusal::algorithm);
        const Refusal& said = own == tuning.refused.end() ? tuning.refused.front() : *own;
        Scenario there = arranged;
        there.mesh = said.mesh.empty() ? arranged.mesh : said.mesh;
        return refuse(with_suggestions({said.sentence}, there, said.algorithm));
    }
    std::ranges::stable_sort(tuning.ranked, ranks_before);
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
    with.plan.algorithm = candidate.step.algorithm;
    with.mesh = candidate.step.mesh;
    return with;
}

} // namespace meshslice
