#pragma once

#include <QRect>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <vector>

class QPainter;
class QWidget;

namespace meshslice::ui {

/// A part of a painted picture that a screen reader reads by itself: a row of the timeline, a cell of a map.
struct ReadablePart {
    QString name;
    QString text;          ///< what there is to say about it
    QRect area;            ///< in the widget's pixels
    bool selected = false; ///< what the rest of the window is about

    bool operator==(const ReadablePart&) const = default;
};
/// A part that is described line by line, its name first.
[[nodiscard]] ReadablePart readablePart(const QStringList& lines, const QRect& area, bool selected = false);

/// More of a picture nobody listens to; what is left out is in its table.
inline constexpr std::size_t most_readable_parts = 400;

/// A widget that paints a picture. To a screen reader a painted widget is an empty one; this one says what
/// it shows, and has its parts as if each were a widget of its own.
class Readable {
  public:
    Readable() = default;
    Readable(const Readable&) = delete;
    Readable& operator=(const Readable&) = delete;
    virtual ~Readable() = default;

    /// What the picture says at a glance and what is selected in it, or why there is no picture.
    [[nodiscard]] virtual QString readAloud() const = 0;
    /// From the first to the last as the eye meets them, at most `most_readable_parts`.
    [[nodiscard]] virtual std::vector<ReadablePart> readableParts() const = 0;
};

/// Lets screen readers read the Readable widgets of the program; again does nothing.
void letReadablesBeRead();

/// Frames a picture that has the keyboard. The painter is in the widget's own pixels.
void paintFocusFrame(QPainter& painter, const QWidget& widget);

} // namespace meshslice::ui
