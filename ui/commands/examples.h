#pragma once

#include "core/scenario/scenario.h"

#include <QString>

#include <vector>

namespace meshslice::ui {

/// A scenario that comes with the program.
struct Example {
    QString title; ///< what it is of: "GPT-3 175B, 32 × 8, TPU v4"
    QString point; ///< what it shows
    Scenario scenario;
};
[[nodiscard]] std::vector<Example> examples();

/// A name for a scenario's file that says what is in it: "gpt3-175b-32x8-meshslice.json".
[[nodiscard]] QString proposedFileName(const Scenario& scenario);

} // namespace meshslice::ui
