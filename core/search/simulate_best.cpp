// The first of the autotuner's ranking on every core and link.

#include "core/base/listing.h"
#include "core/base/text.h"
#include "core/search/autotune.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice {
namespace {

/// A candidate as it is simulated: a place on the scenario's mesh is another chip on another mesh, or none.
Scenario simulated_scenario(const Scenario& scenario, const Candidate& candidate) {
    Scenario with = applied(scenario, candidate);
    if (candidate.step.mesh != scenario.mesh) {
        with.faults.parts.clear();
    }
    return with;
}

/// Which of the first candidates were simulated with the faults; empty where there are none, or none was.
std::string faults_note(const Tuning& tuning, const Scenario& scenario, std::size_t count) {
    std::vector<std::string> with;
    std::size_t simulated = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Candidate& one = tuning.ranked[k];
        simulated += one.simulated ? 1 : 0;
        if (one.simulated_with_faults.value_or(false)) {
            with.push_back(one.title);
        }
    }
    if (scenario.faults.parts.empty() || simulated == 0) {
        return {};
    }
    const std::string mesh = fmt::format("{}", fmt::join(scenario.mesh, "x"));
    if (with.size() == simulated) {
        return fmt::format("Simulated with the faults of {}.", mesh);
    }
    if (with.empty()) {
        return fmt::format(
            "Simulated without the faults: they name places of {}, and none of these is on that "
            "mesh. --mesh {} simulates with them.",
            mesh, mesh);
    }
    return fmt::format("On {}, {} {} simulated with the faults; on other meshes their places are others, so "
                       "the rest is simulated without.",
                       mesh, listed(with), with.size() == 1 ? "is" : "are");
}

/// The first pair whose order by simulation is another, and what could not be simulated.
std::string simulation_note(const Tuning& tuning, const Scenario& scenario, std::size_t count) {
    std::vector<std::string> sentences;
    if (std::string note = faults_note(tuning, scenario, count); !note.empty()) {
        sentences.push_back(std::move(note));
    }
    std::array<const Candidate*, 2> last{}; // Without and with faults: only alike ones are compared.
    bool disagree = false;                  // is said once
    std::size_t missing = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Candidate& one = tuning.ranked[k];
        if (!one.simulated) {
            if (++missing == 1) {
                sentences.push_back(fmt::format("{} on {} could not be simulated: {}", one.title,
                                                mesh_text(one.step.torus), one.not_simulated));
            }
            continue;
        }
        const Candidate*& before = last[one.simulated_with_faults.value_or(false) ? 1 : 0];
        if (before && !disagree && *one.simulated < *before->simulated && before->step.time < one.step.time) {
            disagree = true;
            sentences.push_back(
                fmt::format("Estimate and simulation disagree on the order: by estimate {} on {} comes "
                            "before {} on {} ({} against {}), by simulation after it ({} against {}).",
                            before->title, mesh_text(before->step.torus), one.title,
                            mesh_text(one.step.torus), text(before->step.time), text(one.step.time),
                            text(*before->simulated), text(*one.simulated)));
        }
        before = &one;
    }
    if (missing > 1) {
        sentences.push_back(fmt::format("Nor could {} other{}.", missing - 1, missing == 2 ? "" : "s"));
    }
    return fmt::format("{}", fmt::join(sentences, " "));
}

} // namespace

Result<std::string> simulate_best(Tuning& tuning, const Scenario& scenario, std::size_t most,
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
            if (!scenario.faults.parts.empty()) {
                candidate.simulated_with_faults = candidate.step.mesh == scenario.mesh;
            }
        } else {
            candidate.not_simulated = step.error().sentence;
        }
        if (control.progress) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(count));
        }
    }
    return simulation_note(tuning, scenario, count);
}

} // namespace meshslice
