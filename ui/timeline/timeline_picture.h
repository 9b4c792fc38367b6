#pragma once

#include "ui/charts/legend.h"
#include "ui/session/explainer.h"
#include "ui/timeline/bars/bar_search.h"
#include "ui/timeline/bars/bar_words.h"
#include "ui/timeline/step_runs.h"
#include "ui/timeline/strip/overview.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/timeline/strip/time_marks.h"
#include "ui/timeline/timeline_bars.h"
#include "ui/timeline/timeline_geometry.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// What of the results is looked at.
struct TimelineWindow {
    TimeRange range;
    std::size_t firstRow = 0; ///< of those that scroll
    RowHeight rowHeight = RowHeight::normal;
    ReasonsPtr reasons;                               ///< whose critical paths are marked; null for none
    std::shared_ptr<const std::vector<RowList>> rows; ///< by step
    std::vector<TimeMark> marks;
    const BarSearch* found = nullptr;    ///< whose matches stand out; null in files
    GroupSummaries* summaries = nullptr; ///< keeps what was added up; null in files
};

/// The timeline made ready for one size: everything that painting only has to replay.
struct TimelinePicture {
    StepRuns runs;
    TimelineWindow window;
    TimelineLayout layout;
    TimeScale scale;
    TimeAxis axis;
    std::vector<std::vector<RowLine>> lines;  ///< by step: what stands in the rows' area
    std::vector<Bars> bars;                   ///< by step
    std::vector<std::vector<BarWords>> words; ///< by step: in the bars
    std::vector<std::vector<QRect>> critical; ///< by step: where the critical paths go
    std::vector<std::vector<QRect>> hits;     ///< by step: what is searched for, as wide and high as its bars
    /// By step: of the lines that are folded groups, what their rows do.
    std::vector<std::map<std::size_t, StepDensity>> summaries;
    std::vector<MarkFlag> flags; ///< of the marks
    std::vector<QRect> lettered; ///< where words stand over the data: lines of time leave them out
    std::vector<LegendItem> legend;
    QString title; ///< empty in the window, whose title bar says it

    [[nodiscard]] int rowHeight() const { return pixels(window.rowHeight); }
    /// The line at a height of a step's rows.
    [[nodiscard]] std::optional<RowLine> lineAt(std::size_t step, int y) const;
    /// Where a row is; none where it is not in sight.
    [[nodiscard]] std::optional<QRect> placeOf(std::size_t step, std::size_t row) const;
    [[nodiscard]] QRect lineRect(std::size_t step, std::size_t line) const {
        return ui::lineRect(layout.panes[step].rows, rowHeight(), line);
    }
};

/// The legend of the roles there are on this torus, and of the critical path where it is marked. Where there
/// is little room it is brief: short words, and no remarks.
[[nodiscard]] std::vector<LegendItem> timelineLegend(const StepRuns& runs, bool critical = false,
                                                     bool brief = false, bool folded = false);
/// A line stands for the rows of a group.
[[nodiscard]] bool anyFolded(const std::vector<RowList>& lists);
[[nodiscard]] TimelinePicture makePicture(const StepRuns& runs, const TimelineWindow& window,
                                          const QSize& size, const TimelineRoom& room);
void paint(QPainter& painter, const TimelinePicture& picture, const QSize& size, Theme theme);

/// The parts that other pictures of time share: the axis above the data, its unit left of it, and the bars
/// of rows that are exposed where the core waits.
void paintRuler(QPainter& painter, const QRect& ruler, const TimeScale& scale, const TimeAxis& axis,
                Theme theme);
void paintBars(QPainter& painter, const Bars& bars, Theme theme);

/// How far the mark of a selected bar reaches beyond it: a gap of a pixel and a frame of 2. A bar that is too
/// narrow for a frame has a pointer above it and a line instead.
inline constexpr int selection_frame = 3;
inline constexpr int least_framed = 3; ///< pixels wide
void paintSelection(QPainter& painter, const QRect& bar, Theme theme);

} // namespace meshslice::ui
