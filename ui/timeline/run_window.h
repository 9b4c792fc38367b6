#pragma once

#include "core/run/run.h"
#include "core/step/run/density.h"
#include "ui/charts/labels/legend.h"
#include "ui/session/selection.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// A row of the picture: a lane, and the lanes that explain what it does not do; or the heading of a group of
/// rows.
struct RunRow {
    std::vector<std::size_t> lanes;      ///< the first is its own; none of a heading
    QString name;                        ///< "stage 3", "east link"
    QString where = {};                  ///< before it, "chip 0,1"
    std::string place = {};              ///< of its lane
    bool quiet = false;                  ///< where it is has been said already
    bool warns = false;                  ///< its name says what is wrong with it
    std::optional<StepDensity> sum = {}; ///< of a heading: what the rows do that it stands for
};
/// A stretch of a run that has a name, above its rows.
struct RunSpan {
    TimeRange range;
    QStringList names;    ///< from the whole to the shortest
    QStringList lines;    ///< of a tip
    bool part = false;    ///< of a stretch of its own, below whose name it stands
    bool divides = false; ///< a line through the rows, where it begins
};
/// A run in the picture, its rows one below the other.
struct ShownRun {
    RunPtr run; ///< null where there is none, and `objection` says why
    std::vector<RunRow> rows;
    std::vector<std::size_t> counters; ///< lanes
    std::vector<Role> roles;           ///< that its rows have
    QStringList name = {};             ///< left of its rows, the first line in bold
    QString heading = {};              ///< above its rows
    std::size_t pinned = 0;            ///< rows that stay on top, set apart
    std::vector<RunSpan> spans = {};   ///< one after the other
    QStringList ends = {};             ///< right of where it ends, the first line in bold
    QString objection = {};
};
/// `first`: of each place its first lane alone, which is called as the place is; else all that do something.
[[nodiscard]] ShownRun shownRun(RunPtr run, bool first);

/// What the picture says about its runs, where their labels are not enough. Rows are numbered through all
/// runs.
struct RunWords {
    QString finding; ///< what it shows, as a sentence
    std::function<QString(Role)> role = {};
    std::function<QStringList(std::size_t lane, std::uint64_t item)> bar = {};
    std::function<QStringList(std::size_t row)> row = {};
    /// Of a run as a whole, where it has a name.
    std::function<QStringList(std::size_t run)> run = {};
    /// What stands in a row at a stretch of time as long as a pixel, where that is all there is to say.
    std::function<QStringList(std::size_t row, TimeRange pixel)> at = {};
    /// The heading of what is held while a row is selected, whole and shorter; and of the limit.
    std::function<QStringList(std::size_t row)> held = {};
    QStringList limit = {};
    /// In place of the roles' names; brief where there is little room.
    std::function<std::vector<LegendItem>(bool brief)> legend = {};
};

/// What of the runs is looked at. They stand one below the other on one axis of time.
struct RunWindow {
    std::vector<ShownRun> runs;
    RunWords words;
    TimeRange range;
    TimeRange opening = {};                 ///< what it opens with; empty: the whole
    std::optional<std::size_t> row = {};    ///< selected; where none can be, keys scroll
    std::optional<std::uint64_t> item = {}; ///< selected, of the first lane of the row
    int scrolled = 0;                       ///< pixels, unless rows have a height of their own
    double limit = 0;                       ///< of what is held; 0: none
    bool holdsBelow = false;                ///< what the first run holds stands below them all
    QStringList path = {};                  ///< from the outermost run to this one
    QString note = {};                      ///< a sentence right of the legend
    QString about = {};                     ///< a line below the finding
    int aboutLeft = 12;                     ///< where it begins
    int controls = 0;                       ///< height of that line, where widgets stand in it
    int scrollBar = 0;                      ///< width; what does not fit is scrolled rather than squeezed
    /// Of rows, which else share what there is. Then runs are as high as each other, and have the rows that
    /// fit: see RunLayout::rowsThatFit.
    int rowHeight = 0;
    int rowNames = 0;      ///< width; 0: as wide as they are
    int top = 0;           ///< pixels above all, for what stands over the picture
    int overview = 0;      ///< height of a strip above the axis
    bool yields = false;   ///< in a low picture that strip gives way to the rows, and then the legend
    bool readsOut = false; ///< a note comes and goes: there is always room for it

    /// From 0 to the end of the longest run.
    [[nodiscard]] TimeRange whole() const;
    [[nodiscard]] TimeRange first() const { return opening == TimeRange() ? whole() : opening; }
    [[nodiscard]] std::size_t rowCount() const;
    /// Of a row, its run.
    [[nodiscard]] std::size_t runOf(std::size_t row) const;
    [[nodiscard]] const RunRow& at(std::size_t row) const;
    [[nodiscard]] const Run& runAt(std::size_t row) const { return *runs[runOf(row)].run; }
};
[[nodiscard]] QString roleName(const RunWindow& window, Role role);
[[nodiscard]] std::vector<LegendItem> legendOf(const RunWindow& window, bool brief);

} // namespace meshslice::ui
