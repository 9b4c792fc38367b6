#pragma once

#include "ui/session/explainer.h"
#include "ui/session/results.h"
#include "ui/session/selection.h"

#include <QString>

#include <optional>

namespace meshslice::ui {

/// What is selected and why it takes the time it takes, as rich text: the closed form with its numbers put
/// in, where the time goes, what is moved and held, and the program; with the reasons of these results also
/// its critical path. Without a selection, what to do to get one.
[[nodiscard]] QString detailsText(const ResultsPtr& results, const std::optional<Selected>& selected,
                                  const ReasonsPtr& reasons = nullptr);

} // namespace meshslice::ui
