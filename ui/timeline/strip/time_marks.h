#pragma once

#include "core/scenario/file/project.h"
#include "ui/look/palette.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// So near, in pixels, a pointer is at a mark.
inline constexpr double mark_reach = 5;
/// The mark of a moment at a pixel position; the nearest of several, none where none is near.
[[nodiscard]] std::optional<std::size_t> markAt(const std::vector<TimeMark>& marks, const TimeScale& scale,
                                                double x);
/// In the order of time, in which the keys 1 to 9 count them. Those that nobody has named are called by their
/// number: "Mark 3", in English in every language.
[[nodiscard]] std::vector<TimeMark> numbered(std::vector<TimeMark> marks);
/// What a mark is called without its number, to be changed; the number's words where nobody has named it.
[[nodiscard]] QString markName(const std::vector<TimeMark>& marks, std::size_t mark);
/// "Mark 3", "2: the first slice", in the window's language: its number is its key's.
[[nodiscard]] QString markTitle(const std::vector<TimeMark>& marks, std::size_t mark);
/// What a pointer at a mark shows: its title, when it is, and its keys.
[[nodiscard]] QStringList markLines(const std::vector<TimeMark>& marks, std::size_t mark,
                                    const QString& when);
/// With one more at a time; or without the one that is there.
[[nodiscard]] std::vector<TimeMark> toggled(const std::vector<TimeMark>& marks, const TimeScale& scale,
                                            double x);

/// A mark that is in the picture.
struct MarkFlag {
    int x = 0;    ///< of its line
    QRectF place; ///< of its title on the axis; none where there is no room for it
    QString title;
};
/// The marks of moments of the range. Titles that would meet are left out, the later ones.
[[nodiscard]] std::vector<MarkFlag> markFlags(const std::vector<TimeMark>& marks, const TimeScale& scale,
                                              const QRect& ruler);
/// A flag on the axis for each, and lines down to `bottom` that leave out what stands in `spared`.
void paintMarks(QPainter& painter, const std::vector<MarkFlag>& flags, const QRect& ruler, int bottom,
                const std::vector<QRect>& spared, Theme theme);
/// The heights of a line at `x` from `top` to `bottom` that are in none of the places, first and last each.
[[nodiscard]] std::vector<std::pair<int, int>> stretchesOf(int x, int top, int bottom,
                                                           const std::vector<QRect>& places);
/// Where a label of that width stands on the axis: as near to `x` as it covers no flag.
[[nodiscard]] double freeOfFlags(double x, double width, const std::vector<MarkFlag>& flags,
                                 const QRect& ruler);

} // namespace meshslice::ui
