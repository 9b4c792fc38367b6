// The first of the autotuner's ranking on every core and link.

#include "core/search/autotune.h"
#include "core/step/training_step.h"

#include <algorithm>

namespace meshslice {
namespace {

/// A candidate as it is simulated: a place on the scenario's mesh is another chip on another mesh, or none.
Scenario simulated_scenario(const Scenario& scenario, const Candidate& candidate) {
    Scenario with = applied(scenario, candidate);
    if (candidate.step.mesh != scenario.mesh) {
        with.assume.faults.parts.clear();
    }
    return with;
}

} // namespace

Result<void> simulate_best(Tuning& tuning, const Scenario& scenario, std::size_t most,
                           const RunControl& control) {
    const std::size_t count = std::min(most, tuning.ranked.size());
    for (std::size_t k = 0; k < count; ++k) {
        Candidate& candidate = tuning.ranked[k];
        const auto step =
            training_step(simulated_scenario(scenario, candidate), candidate.step.algorithm, Depth::simulate,
                          {control.stop, count == 1 ? control.progress : nullptr});
        if (!step && step.error().kind == Error::Kind::cancelled) {
            return refuse(step.error());
        }
        if (step) {
            candidate.simulated = step->time;
            if (!scenario.assume.faults.parts.empty()) {
                candidate.simulated_with_faults = candidate.step.mesh == scenario.mesh;
            }
        } else {
            candidate.not_simulated = step.error().sentence;
        }
        if (control.progress) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(count));
        }
    }
    return {};
}

} // namespace meshslice
