#pragma once

#include "ui/timeline/timeline_picture.h"

#include <vector>

class QPainter;

namespace meshslice::ui {

/// The matches of what is searched for in the rows of the lines of a step, a rectangle for those that touch.
[[nodiscard]] std::vector<QRect> searchHits(const TimelinePicture& picture, std::size_t step);
/// What is not searched for is fainter, and above what is there is a line: colour alone says nothing.
void paintSearchHits(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme);

} // namespace meshslice::ui
