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

/// How much longer or shorter one time is than another: "−27%", "+3%", "× 2.1" where it is at least
/// twice as long, "=" where both are printed alike.
[[nodiscard]] QString timesText(Time reference, Time own);

/// What the comparison of the two algorithms shows, as a sentence; empty where there is no second one or the
/// two expose alike.
[[nodiscard]] QString comparisonFinding(const Results& results);

} // namespace meshslice::ui
