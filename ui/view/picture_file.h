#pragma once

#include "core/base/result.h"
#include "ui/look/palette.h"

#include <QImage>
#include <QSize>
#include <QSizeF>
#include <QString>

#include <functional>
#include <optional>

namespace meshslice::ui {

class View;

enum class PictureFormat : std::uint8_t { png, svg, pdf, csv };
/// By the ending of the file's name; refuses others with the list.
[[nodiscard]] Result<PictureFormat> pictureFormat(const QString& path);

/// One CSS pixel is 1/96 inch, which fixes how large a picture in pixels is on paper.
inline constexpr int pixels_per_inch = 96;
/// A picture wider or higher than this is a slip of the keyboard, and would ask for a gigabyte.
inline constexpr int most_pixels = 16'384;

/// How a view is drawn for a file.
struct Figure {
    QSize size; ///< in pixels of 1/96 inch
    Theme theme = Theme::light;
    std::optional<double> points;           ///< size of the labels; none: as in the window
    std::optional<QString> caption;         ///< the line below; none: the view's own, empty: no line
    double dots_per_inch = pixels_per_inch; ///< of a PNG
    bool printed = false;                   ///< its size was said in millimetres
    /// That size, which is not whole pixels; drawings and pages have it exactly.
    std::optional<QSizeF> millimetres{};
    std::optional<QString> title{}; ///< none: the picture's own, empty: no title
    QString family{};               ///< of the letters; empty: the window's
};

/// The size of a PNG, in dots.
[[nodiscard]] QSize imageSize(const Figure& figure);
/// The picture of the view with its caption, as a PNG has it; null where it cannot be made. `own_title`, if
/// not null, becomes what the picture says where the figure has no other title; empty where it says nothing.
[[nodiscard]] QImage figureImage(const View& view, const Figure& figure, QString* own_title = nullptr);
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
