#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>

namespace meshslice::ui {

/// How much larger than usual pictures are drawn: 1.5 where the text of the window is half as large again.
/// Pictures are laid out in pixels of their own and drawn enlarged, so that lines, columns and gaps grow with
/// the letters and nothing that had room loses it.
[[nodiscard]] double pictureScale();
/// Set together with the font of the widgets.
void setPictureScale(double scale);

/// From a widget's pixels to those that its picture is laid out in. A size is rounded up: the picture covers
/// the widget.
[[nodiscard]] QSize toPicture(const QSize& shown);
[[nodiscard]] QPoint toPicture(const QPoint& shown);
/// And back, for widgets that stand in a picture.
[[nodiscard]] QRect fromPicture(const QRect& laidOut);

} // namespace meshslice::ui
