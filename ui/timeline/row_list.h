#pragma once

#include "core/step/run/density.h"
#include "core/torus/faults.h"
#include "ui/timeline/step_runs.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace meshslice::ui {

/// What stands together in the rows' area.
enum class RowGroups : std::uint8_t {
    chip,     ///< a chip's core and links; the core's row is the group's name
    row,      ///< of the mesh
    column,   ///< of the mesh
    resource, ///< all cores, all east links, ...
    alike     ///< chips that live through the run alike, their representative first
};

/// A line of the rows' area: a row of the timeline, or the name of a group of rows.
struct RowLine {
    std::size_t index = 0; ///< of the row, or of the group
    bool group = false;

    bool operator==(const RowLine&) const = default;
};
/// The rows [first, first + count), each a line.
[[nodiscard]] std::vector<RowLine> rowsFrom(std::size_t first, std::size_t count);

/// Which rows the user wants to see, and how they are grouped.
struct RowChoice {
    RowGroups groups = RowGroups::chip;
    std::set<std::int64_t> collapsed; ///< groups by their key
    std::vector<FaultyPart> pinned;   ///< cores and links that stay on top
    bool filtered = false;            ///< only `matching` rows
    /// By step, ascending.
    std::vector<std::vector<std::size_t>> matching;

    bool operator==(const RowChoice&) const = default;
};

/// The lines of one step: the pinned rows on top, which stay when the others scroll.
struct RowList {
    struct Group {
        std::int64_t key = 0;
        QString name;
        std::vector<std::size_t> rows; ///< of the timeline, ascending
        bool collapsed = false;
    };

    std::vector<RowLine> pinned;
    std::vector<RowLine> others;
    std::vector<Group> groups;
    std::set<std::int64_t> collapsedChips; ///< those of which only the core is shown

    /// The lines in a picture that has room for `fit`, scrolled to `first` of the others. Of the pinned ones
    /// as many as leave room for another.
    [[nodiscard]] std::vector<RowLine> inSight(std::size_t first, std::size_t fit) const;
    /// How many of the pinned ones are in sight.
    [[nodiscard]] std::size_t pinnedInSight(std::size_t fit) const;
    /// How many of the others have room.
    [[nodiscard]] std::size_t roomForOthers(std::size_t fit) const;
    /// How far to scroll to a row: its place among the others. None for one that is pinned or not shown.
    [[nodiscard]] std::optional<std::size_t> placeOf(std::size_t row) const;
    [[nodiscard]] bool shows(std::size_t row) const;
};
/// The groups that are collapsed and still there: a result of another mesh has other rows.
[[nodiscard]] std::set<std::int64_t> collapsedThatExist(const StepRuns& runs, const RowChoice& choice);
/// Of many chips, most of them alike, those of a kind fold into one; else all chips stand by themselves.
[[nodiscard]] RowChoice foldedAlike(const StepRuns& runs, RowChoice choice);
[[nodiscard]] RowList rowList(const StepRun& run, std::size_t step, const RowChoice& choice);

/// In which group a row is, by its key: a chip, a row or column of the mesh, a kind of resource, a class.
[[nodiscard]] std::int64_t groupKey(const StepRun& run, std::size_t row, RowGroups groups);
/// The core or link of a row.
[[nodiscard]] FaultyPart partOfRow(const Torus& torus, const Row& row);

/// What the rows of folded groups do, kept for the next picture of the same results, range and width.
class GroupSummaries {
  public:
    /// Of the folded groups among the lines of each step, by the line: about a part for each two pixels of
    /// `width`. A picture adds up no more than one strip of a whole run does, however many groups there are.
    [[nodiscard]] std::vector<std::map<std::size_t, StepDensity>>
    of(const StepRuns& runs, const std::vector<RowList>& lists,
       const std::vector<std::vector<RowLine>>& lines, TimeRange range, int width);
    /// How many groups have been added up since it was made.
    [[nodiscard]] std::size_t added() const { return added_; }

  private:
    StepRuns runs_;
    TimeRange range_;
    std::size_t parts_ = 0;
    std::size_t most_ = 0; ///< intervals for each group
    std::map<std::pair<std::size_t, std::vector<std::size_t>>, StepDensity> known_; ///< by step and rows
    std::size_t added_ = 0;
};

} // namespace meshslice::ui
