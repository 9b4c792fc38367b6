#pragma once

#include "core/step/run/density.h"
#include "ui/look/palette.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QRect>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// Pixels that the strip of the whole run takes for so many algorithms.
[[nodiscard]] int overviewHeight(std::size_t steps);
/// Each algorithm's run from its beginning to its end: how many cores multiply, and below how many links are
/// busy. One part for each pixel or so.
void paintOverview(QPainter& painter, const QRect& strip, const std::vector<StepDensity>& steps, Theme theme);
/// The same of some rows in one line of the timeline: cores above, links below.
void paintSummary(QPainter& painter, const QRect& area, const StepDensity& summary, Theme theme);
/// A frame around the range that is seen, the rest of the run fainter.
void paintOverviewFrame(QPainter& painter, const QRect& strip, TimeRange whole, TimeRange range, Theme theme);

/// What dragging in the strip does: where the frame is grabbed it moves, next to it it comes to the pointer
/// first; while all is seen, the dragged part becomes the range.
class OverviewDrag {
  public:
    OverviewDrag() = default;
    OverviewDrag(const QRect& strip, TimeRange whole, TimeRange range, int x);

    /// The range with the pointer there.
    [[nodiscard]] TimeRange at(int x) const;

  private:
    TimeScale scale_;
    TimeRange range_;
    Time grabbed_;        ///< of the run, where the drag began
    bool frames_ = false; ///< it frames a new range
};

} // namespace meshslice::ui
