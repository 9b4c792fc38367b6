#pragma once

#include "core/run/run.h"
#include "ui/look/palette.h"
#include "ui/timeline/timeline_bars.h"
#include "ui/timeline/timeline_geometry.h"

#include <QPointF>
#include <QRect>
#include <QSize>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// A row of the picture: a lane, and the lanes that explain what it does not do.
struct RunRow {
    std::vector<std::size_t> lanes; ///< the first is its own
    QString name;                   ///< "stage 3", "chip 0,1  east link"
    std::string place;
};
/// What is drawn of a run.
struct ShownRun {
    RunPtr run;
    std::vector<RunRow> rows;
    std::vector<std::size_t> counters; ///< lanes
    std::vector<Role> roles;           ///< that its rows have
};
/// `first`: of each place its first lane alone, which is called as the place is; else all.
[[nodiscard]] ShownRun shownRun(RunPtr run, bool first);

/// What the picture says about a run, where its labels are not enough.
struct RunWords {
    QString finding; ///< what it shows, as a sentence
    std::function<QString(Role)> role = {};
    std::function<QStringList(std::size_t lane, std::uint64_t item)> bar = {};
    std::function<QStringList(std::size_t row)> row = {};
    /// The heading of what is held while a row is selected, whole and shorter; and of the limit.
    std::function<QStringList(std::size_t row)> held = {};
    QStringList limit = {};
};

/// What of a run is looked at.
struct RunWindow {
    ShownRun shown;
    RunWords words;
    TimeRange range;
    std::size_t row = 0;               ///< selected
    std::optional<std::uint64_t> item; ///< selected, of the first lane of the row
    std::size_t firstRow = 0;          ///< the first that is seen
    double limit = 0;                  ///< of what is held; 0: none
    QStringList path = {};             ///< from the outermost run to this one
    QString note = {};                 ///< a sentence in place of the legend's remark

    [[nodiscard]] TimeRange whole() const { return {Time(0), shown.run->end()}; }
};

/// Where everything stands.
struct RunLayout {
    QRect title;
    QRect path; ///< empty where there is only one run
    QRect legend;
    QRect ruler; ///< over the data
    QRect rows;  ///< one of `row` pixels for each row that is seen
    int row = 0;
    std::size_t first = 0; ///< the first row that is seen
    std::size_t count = 0; ///< rows that are seen
    QRect held;            ///< the plot of the counters, without its labels; empty where there are none
    int labels = 0;

    [[nodiscard]] QRect rowOf(std::size_t number) const {
        return {rows.left(), rows.top() + row * (static_cast<int>(number) - static_cast<int>(first)),
                rows.width(), row};
    }
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;
    [[nodiscard]] TimeScale scale(const RunWindow& window) const {
        return {window.range, rows.left(), rows.width()};
    }
};
[[nodiscard]] RunLayout layoutRun(const QSize& size, const RunWindow& window);
/// How high the picture has to be for its rows to be seen one by one; many are scrolled instead.
[[nodiscard]] int leastRunHeight(const RunWindow& window);

/// The bars of a row, from left to right.
[[nodiscard]] std::vector<RunSlice> slicesOf(const RunWindow& window, std::size_t row, TimeRange range,
                                             double pixel);
/// What a counter has over time as the corners of a line of steps: x in pixels. Of many changes within one
/// pixel the least, the most and the last.
[[nodiscard]] std::vector<QPointF> counterLine(const Run& run, std::size_t lane, const TimeScale& scale);
[[nodiscard]] double counterAt(const Run& run, std::size_t lane, Time time);

/// What stands at a point of a row: one bar, or several within the pixel.
struct RunHit {
    std::size_t row = 0;
    std::size_t lane = 0;
    RunSlice bar;               ///< the only one, or the longest
    std::vector<RunSlice> more; ///< all of several
};
[[nodiscard]] std::optional<RunHit> hitAt(const RunWindow& window, const RunLayout& layout,
                                          const QPoint& point);
/// The same line by line; what is held there, or the name of a row. Empty where there is nothing.
[[nodiscard]] QStringList runLinesAt(const RunWindow& window, const RunLayout& layout, const QPoint& point);

void paintRun(QPainter& painter, const QSize& size, const RunWindow& window, Theme theme);

} // namespace meshslice::ui
