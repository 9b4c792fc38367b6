#include "core/step/best_mesh.h"

#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"

#include <optional>
#include <utility>

namespace meshslice {

std::vector<std::int64_t> slice_counts(const TrainingStep& step) {
    std::vector<std::int64_t> counts;
    for (const GemmResult& result : step.gemms) {
        counts.push_back(result.options.slices);
    }
    return counts;
}

Result<TrainingStep> on_best_mesh(const Scenario& scenario, const std::string& id, std::int32_t chips,
                                  const std::vector<std::int64_t>& unroll, const std::stop_token& stop) {
    const Result<AlgorithmAndGemms> found = algorithm_and_gemms(scenario, id);
    if (!found) {
        return refuse(found.error());
    }
    const Algorithm& algorithm = *found->algorithm;
    std::optional<TrainingStep> best;
    std::optional<Error> objection;
    Scenario arranged = scenario;
    for (const Mesh& mesh : meshes_for(scenario.hardware, algorithm, chips)) {
        arranged.mesh = mesh;
        Result<TrainingStep> step = estimated_step(arranged, algorithm, found->gemms, unroll, stop);
        if (!step && step.error().kind == Error::Kind::cancelled) {
            return step;
        }
        if (!step) {
            objection = objection.value_or(step.error());
        } else if (!best || step->time < best->time) {
            best = std::move(*step);
        }
        if (best && algorithm.torus_axes == 1 && scenario.hardware.network.axes_alike()) {
            break; // One ring through all chips, whatever the mesh.
        }
    }
    if (!best) {
        return refuse(objection.value_or(Error{no_mesh(scenario.hardware, algorithm)}));
    }
    return *std::move(best);
}

} // namespace meshslice
