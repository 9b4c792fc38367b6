#pragma once

#include "ui/charts/legend.h"
#include "ui/lineup/lineup_data.h"
#include "ui/lineup/lineup_geometry.h"
#include "ui/look/palette.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/timeline/timeline_bars.h"

#include <QString>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// What of the line-up is looked at.
struct LineupWindow {
    TimeRange range;
    Chip chip = 0;
    LineupOrder order = LineupOrder::asListed;
};

/// The line-up made ready for one size: everything that painting only has to replay.
struct LineupPicture {
    LineupPtr lineup;
    LineupWindow window;
    QSize size;
    LineupLayout layout;
    TimeScale scale;
    TimeAxis axis;
    std::vector<std::size_t> order;             ///< runs, by block
    std::vector<std::vector<LineupLane>> lanes; ///< by block
    std::vector<Bars> bars;                     ///< by block
    std::vector<LegendItem> legend;
    QString about;      ///< the line below the title
    int aboutLeft = 10; ///< where it begins

    [[nodiscard]] const LineupRun& run(std::size_t block) const { return lineup->runs[order[block]]; }
};

/// The room that names, times and legend ask for.
[[nodiscard]] LineupRoom lineupRoom(const Lineup& lineup, const LineupWindow& window, const QSize& size);
[[nodiscard]] LineupPicture makeLineupPicture(const LineupPtr& lineup, const LineupWindow& window,
                                              const QSize& size, const LineupRoom& room);
void paint(QPainter& painter, const LineupPicture& picture, Theme theme);

} // namespace meshslice::ui
