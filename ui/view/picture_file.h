#pragma once

#include "core/base/result.h"
#include "ui/view/figure.h"

#include <QImage>
#include <QSize>
#include <QString>

#include <functional>

namespace meshslice::ui {

class View;

enum class PictureFormat : std::uint8_t { png, svg, pdf, csv };
/// By the ending of the file's name; refuses others with the list.
[[nodiscard]] Result<PictureFormat> pictureFormat(const QString& path);

/// A picture wider or higher than this is a slip of the keyboard, and would ask for a gigabyte.
inline constexpr int most_pixels = 16'384;

/// The size of a PNG, in dots.
[[nodiscard]] QSize imageSize(const Figure& figure);
/// The picture of the view with its caption, as a PNG has it; null where it cannot be made. `facts`, if not
/// null, becomes what was found out about it.
[[nodiscard]] QImage figureImage(const View& view, const Figure& figure, FigureFacts* facts = nullptr);
/// The rest of a file's making, in any thread and whatever becomes of the view: makes a table or packs a
/// picture's pixels, and writes them, whole or not at all.
using DrawnFile = std::function<Result<void>()>;
/// Draws the view's picture with its caption (or asks for its table, as CSV).
[[nodiscard]] Result<DrawnFile> drawnFile(const View& view, const QString& path, const Figure& figure);
/// Both, one after the other.
[[nodiscard]] Result<void> savePicture(const View& view, const QString& path, const Figure& figure);
/// The same with letters and caption as usual; `size` in pixels.
[[nodiscard]] Result<void> savePicture(const View& view, const QString& path, const QSize& size, Theme theme);

} // namespace meshslice::ui
