#include "ui/lineup/lineup_geometry.h"

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr int title_margin = 12; ///< above and below its lines
constexpr int controls_height = 32;
constexpr int subtitle_height = 20;
constexpr int ruler_height = 24;
constexpr int legend_line = 20;
constexpr int phases_height = 16;
constexpr int objection_height = 22;
constexpr int least_gap = 10; ///< below each algorithm's lanes
constexpr int most_gap = 28;
constexpr int highest_row = 30;
constexpr int lowest_scrolled_row = 14; ///< lower rows are scrolled instead
constexpr int lowest_row = 4;
constexpr int lowest_row_with_phases = 8;
constexpr int narrowest_data = 260; ///< next to the lanes' names

} // namespace

LineupLayout layoutLineup(const QSize& size, const LineupRoom& room) {
    LineupLayout layout;
    // Names give way to data: first the lanes', then half of the algorithms'.
    layout.names = room.names;
    int places = room.places;
    const int sides = room.ends + room.scrollBar;
    if (size.width() - room.names - places - sides < narrowest_data) {
        places = 0;
    }
    layout.names = std::min(layout.names, size.width() / 3);
    layout.left = layout.names + places;
    layout.right = std::max(layout.left, size.width() - sides);

    layout.title = QRect(0, 0, size.width(),
                         room.titleLines > 0 ? title_margin + room.titleLines * lineup_title_line : 4);
    layout.subtitle =
        QRect(0, layout.title.height(), size.width(), room.controls ? controls_height : subtitle_height);
    int y = layout.subtitle.top() + layout.subtitle.height();
    layout.ruler = QRect(layout.left, y, layout.dataWidth(), ruler_height);
    y += ruler_height;
    const int legend = room.legendLines * legend_line + 4;
    layout.legend = QRect(0, std::max(y, size.height() - legend), size.width(), legend);
    layout.body = QRect(0, y, size.width(), layout.legend.top() - y);

    int running = 0;
    int lanes = 0;
    int objections = 0;
    for (const std::size_t count : room.lanes) {
        (count > 0 ? running : objections) += 1;
        lanes += static_cast<int>(count);
    }
    const int free = layout.body.height() - 4 - objections * objection_height - running * least_gap;
    const auto rowHeight = [&](int phases) { return (free - running * phases) / std::max(1, lanes); };
    int phases = phases_height;
    int height = rowHeight(phases);
    if (room.scrollBar > 0) {
        height = std::max(height, lowest_scrolled_row);
    } else if (height < lowest_row_with_phases) {
        phases = 0;
        height = std::max(rowHeight(phases), lowest_row);
    }
    layout.rowHeight = std::min(height, highest_row);
    const int rest = free - running * phases - lanes * layout.rowHeight;
    const int gap = std::clamp(least_gap + rest / std::max(1, running), least_gap, most_gap);

    int top = y + 4 - room.scrolled;
    for (const std::size_t count : room.lanes) {
        LineupLayout::Block block;
        if (!layout.blocks.empty() && !layout.blocks.back().lanes.empty()) {
            block.separator = top - gap / 2 + 1;
        }
        if (count == 0) {
            block.area = QRect(0, top, size.width(), objection_height);
            top += objection_height;
        } else {
            block.phases = QRect(layout.left, top, layout.dataWidth(), phases);
            for (std::size_t lane = 0; lane < count; ++lane) {
                block.lanes.emplace_back(layout.left,
                                         top + phases + static_cast<int>(lane) * layout.rowHeight,
                                         layout.dataWidth(), layout.rowHeight);
            }
            const int used = phases + static_cast<int>(count) * layout.rowHeight;
            block.area = QRect(0, top, size.width(), used);
            top += used + gap;
        }
        layout.blocks.push_back(std::move(block));
    }
    layout.hidden = std::max(0, top + room.scrolled - (y + layout.body.height()));
    return layout;
}

std::optional<LineupPlace> placeAt(const LineupLayout& layout, const QPoint& point) {
    if (!layout.body.contains(point)) {
        return std::nullopt;
    }
    for (std::size_t block = 0; block < layout.blocks.size(); ++block) {
        const LineupLayout::Block& at = layout.blocks[block];
        if (!at.area.contains(point)) {
            continue;
        }
        LineupPlace place{block, {}, at.phases.contains(point)};
        for (std::size_t lane = 0; lane < at.lanes.size(); ++lane) {
            if (at.lanes[lane].contains(point)) {
                place.lane = lane;
            }
        }
        return place;
    }
    return std::nullopt;
}

} // namespace meshslice::ui
