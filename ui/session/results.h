#pragma once

#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <algorithm>
#include <cstdint>
#include <memory>
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
