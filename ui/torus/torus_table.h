#pragma once

#include "core/figure/table.h"
#include "ui/torus/torus_picture.h"

#include <QStringList>

namespace meshslice::ui {

/// A row for each core and link: what it does at the moment, and how busy it is over the range, what it
/// carries, and its slack where that is known (else null).
[[nodiscard]] Table torusTable(const TimelineModel& model, const TorusFrame& frame, TimeRange range,
                               const StepSlack* slack);

/// What a row is and what its colour says, line by line: "chip 0,0  east link", "carries 1.20 MB in 61.7 ms".
[[nodiscard]] QStringList rowLines(const TorusPicture& picture, std::size_t row);

} // namespace meshslice::ui
