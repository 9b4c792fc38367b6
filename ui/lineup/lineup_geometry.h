#pragma once

#include <QRect>
#include <QSize>

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice::ui {

inline constexpr int lineup_title_line = 20; ///< height

/// What the layout has to make room for.
struct LineupRoom {
    std::vector<std::size_t> lanes; ///< of each algorithm, from top to bottom; 0 where it does not run
    int names = 120;                ///< width of the algorithms' names
    int places = 90;                ///< width of the lanes' names, right of them
    int ends = 70;                  ///< width of the total times right of the data
    int legendLines = 1;
    int scrollBar = 0;    ///< width; rows shrink less where there is one
    int scrolled = 0;     ///< pixels
    bool controls = true; ///< the line below the title holds widgets
    int titleLines = 1;   ///< 0: there is no title
};

/// Title, the line about the GEMM, the time axis; then for each algorithm a strip for prologue, steady
/// state and epilogue above its lanes, or one line for its objection; and the legend below.
struct LineupLayout {
    struct Block {
        QRect area;   ///< all of it, from the left edge to the right
        QRect phases; ///< over the data; empty where rows are too low for it
        std::vector<QRect> lanes;
        std::optional<int> separator; ///< height of a line above it
    };

    QRect title;
    QRect subtitle;
    QRect ruler;
    QRect body; ///< where the blocks are seen, over the whole width
    QRect legend;
    std::vector<Block> blocks;
    int names = 0;
    int left = 0;  ///< where the data begin
    int right = 0; ///< where they end
    int rowHeight = 0;
    int hidden = 0; ///< pixels that do not fit and can be scrolled

    [[nodiscard]] int dataWidth() const { return right - left; }
};
[[nodiscard]] LineupLayout layoutLineup(const QSize& size, const LineupRoom& room);

/// Which block and lane are at a point of the body; no lane above, between or next to them.
struct LineupPlace {
    std::size_t block = 0;
    std::optional<std::size_t> lane;
    bool phases = false;
};
[[nodiscard]] std::optional<LineupPlace> placeAt(const LineupLayout& layout, const QPoint& point);

} // namespace meshslice::ui
