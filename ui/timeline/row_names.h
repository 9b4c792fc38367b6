#pragma once

#include "ui/timeline/timeline_picture.h"

class QPainter;

namespace meshslice::ui {

/// As wide as the longest name of a row, or of a group.
[[nodiscard]] int labelWidth(const StepRuns& runs, RowHeight height, const std::vector<RowList>& lists = {});
/// Left of the rows of a step their names, and over them those of groups.
void paintRowNames(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme);

} // namespace meshslice::ui
