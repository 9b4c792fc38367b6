#pragma once

#include "core/figure/table.h"
#include "core/step/run/step_stretch.h"
#include "ui/session/results.h"
#include "ui/session/selection.h"

#include <QString>

#include <vector>

namespace meshslice::ui {

/// The link below the table that copies it.
inline constexpr const char* copy_stretch_link = "copy:stretch";

/// What cores and links do within a marked stretch of time, one column for each algorithm or variant: shares
/// of the time, bytes, FLOP, and what of the communication is hidden and exposed; `made`: the steps'
/// step_stretches(). As rich text.
[[nodiscard]] QString stretchText(const Results& results, TimeRange marked,
                                  const std::vector<StepStretch>& made);
/// While they are being added up: only which stretch it is.
[[nodiscard]] QString stretchHeading(TimeRange marked);

} // namespace meshslice::ui
