#include "core/search/autotune.h"

#include "core/base/text.h"
#include "core/cost/link_bandwidth.h"
#include "core/scenario/choices.h"
#include "core/step/distinct_gemms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace meshslice {
namespace {

/// One algorithm on one mesh: every distinct GEMM is searched once.
Result<std::vector<TunedGemm>> tuned_gemms(const Scenario& scenario, const Algorithm& algorithm,
                                           const Torus& torus, const std::vector<Gemm>& gemms,
                                           std::stop_token stop) {
    const GemmOptions given = gemm_options(scenario);
    std::vector<TunedGemm> all;
    const std::vector<std::size_t> first = distinct_gemms(gemms);
    all.reserve(gemms.size());
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        if (first[k] != k) {
            all.push_back(all[first[k]]);
            continue;
        }
        const Gemm& gemm = gemms[k];
        const auto in_layer = [&](const std::string& sentence) {
            return refuse(gemm.layer.empty()
                              ? sentence
                              : fmt::format("{} {}: {}", gemm.layer, name(gemm.pass), sentence));
        };
        auto tuned = tune(algorithm, gemm.shape, gemm.dataflow, torus, given, scenario.slices,
                          scenario.hardware, scenario.schedule, stop);
        if (!tuned) {
            if (tuned.error().kind == Error::Kind::cancelled) {
                return refuse(tuned.error());
            }
            return in_layer(tuned.error().sentence);
        }
        all.push_back(*tuned);
    }
    return all;
}

Candidate candidate_of(const Scenario& scenario, const Algorithm& algorithm,
                       const std::vector<std::int32_t>& mesh, const std::vector<Gemm>& gemms,
                       const std::vector<TunedGemm>& tuned, const TuneRequest& request) {
    Candidate candidate;
    candidate.algorithm = algorithm.id;
    candidate.title = algorithm.title;
    candidate.mesh = mesh;
    candidate.products.reserve(gemms.size());
    std::vector<Memory> memories;
    Flop work;
    for (std::size_t k = 0; k < gemms.size(); ++k) {
        candidate.products.push_back({gemms[k], tuned[k]});
        candidate.time += tuned[k].estimate.total * gemms[k].copies;
        work += flop(gemms[k].shape) * gemms[k].copies;
        memories.push_back(tuned[k].memory);
    }
    const double peak =
        static_cast<double>(chips_of(mesh)) * scenario.hardware.peak_rate(scenario.schedule.type).value();
    candidate.utilisation = static_cast<double>(work.value()) / (peak * in_seconds(candidate.time));
    candidate.memory = memory_use(gemms, memories, scenario.model.layers,
                                  element_bytes(scenario.schedule.type), request.memory);
    candidate.fits = candidate.memory.total() <= scenario.hardware.hbm.value;
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

Time Candidate::compute() const {
    Time sum;
    for (const TunedProduct& product : products) {
        sum += product.tuned.estimate.compute * product.gemm.copies;
    }
    return sum;
}

std::array<LinkTime, 3> Candidate::links() const {
    std::array<LinkTime, 3> sums{};
    for (const TunedProduct& product : products) {
        for (std::size_t axis = 0; axis < sums.size(); ++axis) {
            sums[axis] += product.tuned.estimate.links[axis] * product.gemm.copies;
        }
    }
    return sums;
}

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
    double done = 0;
    for (const Algorithm* algorithm : *chosen) {
        const auto gemms = products(scenario, std::string(algorithm->id));
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
            const Result<Torus> torus = torus_of(mesh, scenario.wraps, scenario.folded, *algorithm);
            const Result<std::vector<TunedGemm>> tuned =
                torus.and_then([&](const Torus& there) -> Result<std::vector<TunedGemm>> {
                    return tuned_gemms(scenario, *algorithm, there, *gemms, control.stop);
                });
            if (!tuned && tuned.error().kind == Error::Kind::cancelled) {
                return refuse(tuned.error());
            }
            if (tuned) {
                tuning.ranked.push_back(candidate_of(scenario, *algorithm, mesh, *gemms, *tuned, request));
            } else {
                tuning.refused.push_back({std::string(algorithm->id), std::string(algorithm->title), mesh,
                                          tuned.error().sentence});
            }
        }
        done += 1;
        if (control.progress) {
            control.progress->store(done / static_cast<double>(chosen->size()));
        }
    }
    if (tuning.ranked.empty()) { // The scenario's own algorithm says it best, if it was asked.
        const auto own = std::ranges::find(tuning.refused, scenario.algorithm, &Refusal::algorithm);
        return refuse(own == tuning.refused.end() ? tuning.refused.front().sentence : own->sentence);
    }
    std::ranges::stable_sort(tuning.ranked, [&](const Candidate& a, const Candidate& b) {
        const bool a_last = request.fits_memory && !a.fits;
        const bool b_last = request.fits_memory && !b.fits;
        return a_last != b_last ? b_last : a.time < b.time;
    });
    if (request.fits_memory && !tuning.ranked.front().fits) {
        const Candidate& least = *std::ranges::min_element(
            tuning.ranked, {}, [](const Candidate& one) { return one.memory.total(); });
        return refuse(fmt::format(
            "Nothing fits into the {} of HBM that a chip has: the least is {} a chip, with {} on {}. More "
            "chips{} may do.",
            text(tuning.capacity), text(least.memory.total()), least.title, mesh_text(least),
            scenario.batch > 1 && !scenario.gemm ? " or a smaller batch" : ""));
    }
    return tuning;
}

const Candidate* first_with_open_dataflows(const Tuning& tuning) {
    const auto open = std::ranges::find_if(
        tuning.ranked, [](const Candidate& one) { return !algorithm(one.algorithm).value()->stationary; });
    return open == tuning.ranked.end() ? nullptr : &*open;
}

Scenario applied(const Scenario& scenario, const Candidate& candidate) {
    Scenario with = scenario;
    with.algorithm = candidate.algorithm;
    with.mesh = candidate.mesh;
    return with;
}

} // namespace meshslice
