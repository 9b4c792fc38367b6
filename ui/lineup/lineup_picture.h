#pragma once

#include "ui/charts/legend.h"
#include "ui/lineup/lineup_data.h"
#include "ui/lineup/lineup_geometry.h"
#include "ui/look/palette.h"
#include "ui/timeline/time_axis.h"
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

    [[nodiscard]] const LineupRun& run(std::size_t block) const { return lineup->runs[order[block]]; }
};

/// The room that names, times and legend ask for.
[[nodiscard]] LineupRoom lineupRoom(const Lineup& lineup, const LineupWindow& window, const QSize& size);
[[nodiscard]] LineupPicture makeLineupPicture(const LineupPtr& lineup, const LineupWindow& window,
                                              const QSize& size, const LineupRoom& room);
void paint(QPainter& painter, const LineupPicture& picture, Theme theme);

/// "FF1 forward on 4x4; chip 0,0": what the picture is about, below the finding.
[[nodiscard]] QString aboutLineup(const Lineup& lineup, Chip chip);
/// "prologue", "steady state, 7 × 0.412 ms", or as much of it as there is room for.
[[nodiscard]] QString phaseText(const LineupPhase& phase, const QFont& font, double width);
/// What a lane is called: "core", "horizontal links".
[[nodiscard]] QString laneName(const Row& place, int axes);
/// The chip's coordinates, "3,5".
[[nodiscard]] QString chipText(const Lineup& lineup, Chip chip);

} // namespace meshslice::ui
