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

/// What the layout has to make room for.
struct TimelineRoom {
    std::size_t panes = 1; ///< one for each algorithm
    int top = 0;           ///< pixels above all, for what stands over the picture
    bool title = false;    ///< a line above all
    int overview = 0;      ///< height of the strip of the whole run, above the ruler
    bool headers = false;  ///< a line above each pane
    int labels = 150;      ///< width of the row names
    int legendLines = 1;
    bool briefLegend = false; ///< in short words, for a picture that is not high
    bool noLegend = false;    ///< for a picture that is low: only the read-out's line
    int scrollBar = 0;        ///< width
};

/// Where everything is: ruler on top, then for each algorithm a header, the bands of its GEMMs and its
/// rows, and the legend below.
struct TimelineLayout {
    struct Pane {
        QRect header;
        QRect bands;
        QRect rows;
    };

    QRect title;
    QRect overview;
    QRect ruler; ///< over the data; the row names' column is left of it
    std::vector<Pane> panes;
    QRect legend;
    int labels = 0;
    int right = 0; ///< where the data end

    [[nodiscard]] int dataWidth() const { return right - labels; }
    /// The pane whose header, bands or rows hold the height `y`.
    [[nodiscard]] std::optional<std::size_t> paneAt(int y) const;
};
[[nodiscard]] TimelineLayout layoutTimeline(const QSize& size, const TimelineRoom& room);

/// How many whole lines fit, and which is where, from 0. Only whole ones are shown, so nothing ever needs
/// clipping.
[[nodiscard]] std::size_t rowsThatFit(const QRect& area, int rowHeight);
[[nodiscard]] QRect lineRect(const QRect& area, int rowHeight, std::size_t line);
/// None above, below, and past the last of `lines`.
[[nodiscard]] std::optional<std::size_t> lineAt(const QRect& area, int rowHeight, std::size_t lines, int y);

} // namespace meshslice::ui
