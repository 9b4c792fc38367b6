#pragma once

#include "core/scenario/project.h"
#include "ui/look/palette.h"
#include "ui/timeline/timeline_geometry.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// So near, in pixels, a pointer is at a mark.
inline constexpr double mark_reach = 5;
/// The mark at a pixel position; the nearest of several, none where none is near.
[[nodiscard]] std::optional<std::size_t> markAt(const std::vector<TimeMark>& marks, const TimeScale& scale,
                                                double x);
/// "Mark 3": the first number that no mark has.
[[nodiscard]] std::string freeMarkName(const std::vector<TimeMark>& marks);
/// With one more at a time; or without the one that is there.
[[nodiscard]] std::vector<TimeMark> toggled(const std::vector<TimeMark>& marks, const TimeScale& scale,
                                            double x);
/// Lines over the rows, and on the axis a flag with the name of each.
void paintMarks(QPainter& painter, const std::vector<TimeMark>& marks, const TimeScale& scale,
                const QRect& ruler, int bottom, Theme theme);

} // namespace meshslice::ui
