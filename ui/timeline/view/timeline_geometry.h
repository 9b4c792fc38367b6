#pragma once

#include "ui/session/selection.h"

#include <QRect>
#include <QSize>

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// Time to pixel and back. Pixels count from the left edge of the picture; `width` of them show `range`.
struct TimeScale {
    TimeRange range;
    int left = 0;
    int width = 0;

    /// A pixel position, not rounded; `left` where there is nothing to show. Within 2000 pixels of the
    /// picture, so that it always fits an int.
    [[nodiscard]] double x(Time time) const;
    /// The pixel edge nearest to a time.
    [[nodiscard]] int pixel(Time time) const;
    /// The time at a pixel position; `range.begin` where there is no width. Positions outside give times
    /// outside.
    [[nodiscard]] Time time(double x) const;
    [[nodiscard]] double pixelsPerPicosecond() const;
    [[nodiscard]] double picosecondsPerPixel() const;

    bool operator==(const TimeScale&) const = default;
};

/// The stretch of a column of the picture: at least a picosecond from the middle of it on.
[[nodiscard]] TimeRange pixelAt(const TimeScale& scale, int x);

[[nodiscard]] constexpr Time length(TimeRange range) {
    return range.end - range.begin;
}

/// The shortest stretch that is shown: a nanosecond over the whole picture, a thousandth of the shortest bar
/// there is.
inline constexpr Time least_range{1'000};

/// `range` made `factor` times as long, keeping `fixed` where it is in the picture, within `whole`.
[[nodiscard]] TimeRange zoomed(TimeRange range, Time fixed, double factor, TimeRange whole);
/// `range` moved by `by`, its length kept, within `whole`.
[[nodiscard]] TimeRange panned(TimeRange range, Time by, TimeRange whole);
/// `range` made to fit `whole` and to be no shorter than `least_range`; the whole where they do not touch.
[[nodiscard]] TimeRange within(TimeRange range, TimeRange whole);
/// `range` with a margin on either side, within `whole`.
[[nodiscard]] TimeRange withMargin(TimeRange range, double share, TimeRange whole);

enum class RowHeight : std::uint8_t { compact = 10, normal = 18, comfortable = 26 };
[[nodiscard]] constexpr int pixels(RowHeight height) {
    return static_cast<int>(height);
}

} // namespace meshslice::ui
