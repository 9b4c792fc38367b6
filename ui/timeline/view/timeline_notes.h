#pragma once

#include "core/scenario/file/project.h"
#include "ui/look/palette.h"
#include "ui/timeline/step_runs.h"

#include <QPoint>
#include <QRect>
#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace meshslice::ui {

struct TimelinePicture;

/// By which notes name the runs that are shown: variants by their names, algorithms by theirs.
[[nodiscard]] std::vector<std::string> runNames(const Results& results, const Project& project);

/// What a note is put on: a core or link at a time of a run, or a moment.
struct NoteTarget {
    Time at;
    std::string part{}; ///< empty: the moment
    std::string run{};
    QString where{};                   ///< "chip 3,5  east link", for people
    std::optional<std::size_t> mark{}; ///< the note that is there already
};
/// On the bar of a row, whose note may be there already.
[[nodiscard]] NoteTarget noteOn(const StepRuns& runs, const std::vector<std::string>& names,
                                const std::vector<TimeMark>& marks, std::size_t step, std::size_t row,
                                const RunSlice& bar);
/// The marks with these words at the target: another note, other words of the one that is there, or without
/// it where there are no words.
[[nodiscard]] std::vector<TimeMark> withNote(std::vector<TimeMark> marks, const NoteTarget& target,
                                             const QString& said);

/// The rows of the runs that a note is on.
struct NotePlace {
    std::size_t mark = 0;
    std::size_t step = 0;
    std::size_t row = 0;
};
[[nodiscard]] std::vector<NotePlace> notesOf(const StepRuns& runs, const std::vector<std::string>& names,
                                             const std::vector<TimeMark>& marks);

/// A note in the picture: a sign at its bar, and its words in a box where they have room.
struct NoteFlag {
    std::size_t mark = 0;
    QPoint foot; ///< on the row
    QRect box;   ///< empty where another note is there
    QString words;
};
[[nodiscard]] std::vector<NoteFlag> noteFlags(const StepRuns& runs, const TimelinePicture& picture);
void paintNotes(QPainter& painter, const std::vector<NoteFlag>& flags, Theme theme);
/// The note at a point; none where there is none.
[[nodiscard]] std::optional<std::size_t> noteAt(const std::vector<NoteFlag>& flags, const QPoint& point);

} // namespace meshslice::ui
