#pragma once

#include "ui/session/results.h"

#include <QString>

namespace meshslice::ui {

/// An algorithm's name for people: "MeshSlice" for "meshslice".
[[nodiscard]] QString algorithmTitle(const std::string& id);
/// What a step is called next to others: its variant, else its algorithm.
[[nodiscard]] QString stepTitle(const TrainingStep& step);
/// The same in short: "A", "B"; of algorithms "MeshSlice".
[[nodiscard]] QString stepName(const Results& results, std::size_t step);

/// What the comparison of the two algorithms shows, as a sentence; empty where there is no second one or the
/// two expose alike.
[[nodiscard]] QString comparisonFinding(const Results& results);

} // namespace meshslice::ui
