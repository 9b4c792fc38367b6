#pragma once

#include "ui/timeline/run_window.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QPoint>
#include <QRect>
#include <QSize>

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// Where everything of a picture of runs stands: the finding, a line about it, the axis; the runs, each with
/// its name, the names of its stretches and its rows, or one line for its objection; what they hold; and the
/// legend.
struct RunLayout {
    struct Block {
        QRect area; ///< all of it, from the left edge to the right
        QRect heading;
        QRect spans;           ///< over the data; empty where there are none, or rows are too low for it
        QRect rows;            ///< over the data
        std::size_t first = 0; ///< the number of its first row
        std::size_t count = 0; ///< rows
        std::optional<int> line = {}; ///< height of a line above it
    };

    QRect title;
    QRect about; ///< empty where there is nothing to say
    QRect overview;
    QRect ruler; ///< over the data
    QRect body;  ///< where the blocks are seen, over the whole width
    QRect held;  ///< the plot of the counters, without its labels; empty where there are none
    QRect legend;
    std::vector<Block> blocks;
    int row = 0;    ///< height
    int names = 0;  ///< width of the runs' names
    int left = 0;   ///< where the data begin
    int right = 0;  ///< where they end
    int hidden = 0; ///< pixels that do not fit and can be scrolled
    bool legendless = false;
    bool brief = false; ///< the legend

    [[nodiscard]] int dataWidth() const { return right - left; }
    [[nodiscard]] TimeScale scale(const RunWindow& window) const { return {window.range, left, dataWidth()}; }
    [[nodiscard]] QRect rowOf(std::size_t number) const;
    /// None above, between and below them.
    [[nodiscard]] std::optional<std::size_t> blockAt(const QPoint& point) const;
    [[nodiscard]] std::optional<std::size_t> rowAt(const QPoint& point) const;
    /// How many whole rows of a height of their own a run has room for.
    [[nodiscard]] std::size_t rowsThatFit(std::size_t block) const;
    /// The rows that are seen.
    [[nodiscard]] std::vector<std::size_t> seen() const;
    [[nodiscard]] bool inData(const QPoint& point) const;
};
[[nodiscard]] RunLayout layoutRun(const QSize& size, const RunWindow& window);
/// How high the picture has to be for its rows to be seen one by one; many are scrolled instead.
[[nodiscard]] int leastRunHeight(const RunWindow& window);

inline constexpr int run_margin = 12;
inline constexpr int run_title_line = 20; ///< height
inline constexpr int held_heading = 20;   ///< above what is held
/// The finding in the lines that it takes; none where a figure has no title.
[[nodiscard]] QStringList findingLines(const RunWindow& window, int width);
/// The legend that the layout has room for.
[[nodiscard]] std::vector<LegendItem> legendOf(const RunWindow& window, const RunLayout& layout);
/// Where a note stands: right of the legend's last line, or on a line of its own.
[[nodiscard]] QRectF noteLine(const RunWindow& window, const RunLayout& layout);

} // namespace meshslice::ui
