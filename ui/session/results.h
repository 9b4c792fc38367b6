#pragma once

#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

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
    std::string objection; ///< why the algorithm to compare with does not run, where it does not
    /// Why a step has no timeline, where the engine only estimates it; its numbers are the closed form's.
    std::string not_simulated;
};
using ResultsPtr = std::shared_ptr<const Results>;

} // namespace meshslice::ui
