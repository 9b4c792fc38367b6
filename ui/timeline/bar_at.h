#pragma once

#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_model.h"

#include <QStringList>

namespace meshslice::ui {

/// What of a row stands at one pixel of the picture.
struct BarAt {
    TimelineModel::Found found;        ///< bars in the pixel
    std::optional<PlacedInterval> bar; ///< the one that is drawn there on its own
    std::optional<TimeRange> wait;     ///< of the core
    std::size_t next = 0;              ///< the bar of the row that ends the wait
    TimeRange pixel;
};
[[nodiscard]] BarAt barAt(const TimelineModel& model, std::size_t step, std::size_t row,
                          const TimeScale& scale, int x);

/// What it is, line by line; empty where there is nothing.
[[nodiscard]] QStringList linesOf(const TimelineModel& model, std::size_t step, std::size_t row,
                                  const BarAt& at);

} // namespace meshslice::ui
