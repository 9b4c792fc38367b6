#pragma once

#include "core/figure/table.h"
#include "ui/session/results.h"
#include "ui/session/selection.h"

#include <QString>

namespace meshslice::ui {

/// The link below the table that copies it.
inline constexpr const char* copy_stretch_link = "copy:stretch";

/// What cores and links do within a marked stretch of time, one column for each algorithm or variant: shares
/// of the time, bytes, FLOP, and what of the communication is hidden and exposed. As rich text.
[[nodiscard]] QString stretchText(const Results& results, TimeRange marked);
/// The same for a spreadsheet, one row for each.
[[nodiscard]] Table stretchTable(const Results& results, TimeRange marked);

} // namespace meshslice::ui
