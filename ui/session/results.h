#pragma once

#include "core/scenario/file/project.h"
#include "core/step/run/density.h"
#include "core/step/run/step_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice::ui {

/// What the engine answered to one scenario. Immutable; views share it and derive what they show from it.
struct Results {
    std::uint64_t number = 0; ///< of the run, ascending: an older one never replaces a newer one
    Scenario scenario;
    std::vector<TrainingStep>
        steps;             ///< the scenario's algorithm and, if there is one, the one to compare with
    Time slicing;          ///< what slices cost the slower of two
    std::string objection; ///< why the algorithm to compare with does not run, where it does not
    /// For each step: why it has no timeline, where the engine only estimates it and its numbers are the
    /// closed form's. Empty, or missing at the end, for a step that was simulated.
    std::vector<std::string> estimated_because;
    /// Where no scenario made them, as in the lab: what is shown in place of the scenario's steps.
    std::vector<StepRunPtr> runs;
    /// For each step, of the whole time from 0 to the end of the longest: the run from afar.
    std::vector<StepDensity> densities;
    /// The variant that the scenario is compared with, where there is one: then the second step is that
    /// variant's own algorithm.
    std::optional<Variant> reference;

    [[nodiscard]] const Scenario& scenario_of(std::size_t step) const {
        return step > 0 && reference ? reference->scenario : scenario;
    }
    /// One for each step.
    [[nodiscard]] std::vector<const Scenario*> scenarios() const {
        std::vector<const Scenario*> all;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            all.push_back(&scenario_of(step));
        }
        return all;
    }

    /// Why a step was only estimated; empty where it was simulated.
    [[nodiscard]] std::string not_simulated(std::size_t step) const {
        return step < estimated_because.size() ? estimated_because[step] : std::string();
    }
    [[nodiscard]] bool all_simulated() const {
        return std::ranges::all_of(estimated_because, &std::string::empty);
    }
};
using ResultsPtr = std::shared_ptr<const Results>;

} // namespace meshslice::ui
