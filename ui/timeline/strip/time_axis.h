#pragma once

#include "ui/look/palette.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QString>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// How times are written along the ruler: in one unit for the whole picture, at multiples of a step of 1, 2
/// or 5.
struct TimeAxis {
    Time step{1};
    Time unit{1};     ///< 1 ps, 1 ns, 1 us, 1 ms or 1 s
    QString unitName; ///< "ms"

    /// The unit is the largest that fits into the range; ticks are at least `spacing` pixels apart.
    [[nodiscard]] static TimeAxis choose(const TimeScale& scale, int spacing);

    /// The multiples of the step within the range.
    [[nodiscard]] std::vector<Time> ticks(TimeRange range) const;
    /// A time in the unit, exact to `resolution`, thousands set apart by thin spaces; no unit.
    [[nodiscard]] QString number(Time time, Time resolution) const;
    [[nodiscard]] QString tickLabel(Time time) const { return number(time, step); }
    /// With unit, for a read-out as exact as a pixel of the scale is.
    [[nodiscard]] QString readOut(Time time, const TimeScale& scale) const;
};

/// A time in the unit of its own size, exact to `resolution`: "14.2031 ms".
[[nodiscard]] QString preciseTime(Time time, Time resolution);
/// A moment, exact enough to tell the ends of a stretch of this length apart, where three digits would say
/// the same of both.
[[nodiscard]] QString moment(Time time, Time length);

/// The axis above the data, its unit left of it.
void paintRuler(QPainter& painter, const QRect& ruler, const TimeScale& scale, const TimeAxis& axis,
                Theme theme);

} // namespace meshslice::ui
