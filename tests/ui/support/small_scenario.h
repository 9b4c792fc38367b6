#pragma once

#include "core/scenario/scenario.h"

namespace meshslice::ui {

/// The default one on so few chips that a run is over at once.
inline Scenario smallScenario() {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    return scenario;
}

} // namespace meshslice::ui
