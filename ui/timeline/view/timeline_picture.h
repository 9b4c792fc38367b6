#pragma once

#include "ui/charts/labels/legend.h"
#include "ui/session/explainer.h"
#include "ui/timeline/bars/bar_search.h"
#include "ui/timeline/row_list.h"
#include "ui/timeline/run_picture.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/timeline/strip/time_marks.h"
#include "ui/timeline/view/timeline_notes.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice::ui {

/// What of the steps is looked at.
struct TimelineChoice {
    TimeRange range;
    std::size_t firstRow = 0; ///< of those that scroll
    RowHeight rowHeight = RowHeight::normal;
    ReasonsPtr reasons;                               ///< whose critical paths are marked; null for none
    std::shared_ptr<const std::vector<RowList>> rows; ///< by step
    std::vector<TimeMark> marks = {};
    std::vector<std::string> runNames = {}; ///< by which notes name the runs
    QString aligned = {};                ///< the GEMM that both runs begin together; empty: each begins at 0
    std::vector<Time> shifts = {};       ///< by run: how much later it is shown than it begins
    const BarSearch* found = nullptr;    ///< whose matches stand out; null in files
    GroupSummaries* summaries = nullptr; ///< keeps what was added up; null in files
    QString title = {};                  ///< empty in the window, whose title bar says it
    int top = 0;                         ///< pixels above all
    int scrollBar = 8;                   ///< width
    bool inWindow = false;               ///< which has a read-out, and whose rows come first
    bool overview = false;               ///< a strip of the whole run

    [[nodiscard]] Time shiftOf(std::size_t step) const {
        return step < shifts.size() ? shifts[step] : Time(0);
    }
};

/// Steps as runs, and what stands over their bars; made ready for one size.
struct TimelinePicture {
    RunWindow window;
    RunLayout layout;
    TimeScale scale;
    TimeAxis axis;
    TimelineChoice choice;
    std::vector<std::vector<RowLine>> lines;  ///< by step: what stands in the rows' area
    std::vector<std::vector<QRect>> critical; ///< by step: where the critical paths go
    std::vector<std::vector<QRect>> hits;     ///< by step: what is searched for, as wide and high as its bars
    std::vector<MarkFlag> flags;              ///< of the marks
    std::vector<NoteFlag> notes;              ///< on bars
    std::vector<QRect> lettered; ///< where words were painted over the data: lines of time leave them out

    /// The line at a height of a step's rows.
    [[nodiscard]] std::optional<RowLine> lineAt(std::size_t step, int y) const;
    /// Where a row is; none where it is not in sight.
    [[nodiscard]] std::optional<QRect> placeOf(std::size_t step, std::size_t row) const;
    [[nodiscard]] QRect lineRect(std::size_t step, std::size_t line) const {
        return layout.rowOf(layout.blocks[step].first + line);
    }
};

/// The legend of the roles there are on this torus, and of the critical path where it is marked. Where there
/// is little room it is brief: short words, and no remarks.
[[nodiscard]] std::vector<LegendItem> timelineLegend(const StepRuns& runs, bool critical = false,
                                                     bool brief = false, bool folded = false);
/// A line stands for the rows of a group.
[[nodiscard]] bool anyFolded(const std::vector<RowList>& lists);
/// As the picture stands before it is known which rows are in sight.
[[nodiscard]] RunLayout layoutTimeline(const StepRuns& runs, const TimelineChoice& choice, const QSize& size);
[[nodiscard]] TimelinePicture makePicture(const StepRuns& runs, const TimelineChoice& choice,
                                          const QSize& size);
void paint(QPainter& painter, TimelinePicture& picture, const QSize& size, Theme theme);

} // namespace meshslice::ui
