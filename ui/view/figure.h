#pragma once

#include "ui/look/palette.h"

#include <QCoreApplication>
#include <QSize>
#include <QSizeF>
#include <QString>

#include <array>
#include <cstdint>
#include <optional>

class QPainter;

namespace meshslice::ui {

class View;

/// One CSS pixel is 1/96 inch, which fixes how large a picture in pixels is on paper.
inline constexpr int pixels_per_inch = 96;
/// Of a figure in millimetres, for a printer.
inline constexpr double print_dots_per_inch = 300;

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
    bool notes = true;              ///< what the picture says below itself
    bool as_high_as_needed = false; ///< the height is the view's to say, from the width and the letters
};

/// A page that figures are made for, at its real size.
struct FigurePage {
    const char* name; ///< in English; a translation is in the context "FigurePage"
    double width;     ///< in millimetres
    double height;    ///< 0: as high as the figure needs
    double letters;   ///< in points
};
enum class UsualPage : std::uint8_t { one_column, two_columns, report, slide };
inline constexpr std::array<FigurePage, 4> usual_pages = {
    {{QT_TRANSLATE_NOOP("FigurePage", "One column of a paper"), 85, 0, 8},
     {QT_TRANSLATE_NOOP("FigurePage", "Two columns of a paper"), 178, 0, 8},
     {QT_TRANSLATE_NOOP("FigurePage", "A report"), 160, 0, 9},
     {QT_TRANSLATE_NOOP("FigurePage", "A slide"), 254, 143, 14}}};
/// Light, for a printer.
[[nodiscard]] Figure figureOn(const FigurePage& page);
[[nodiscard]] Figure figureOn(UsualPage page);

/// What was found out about a figure while it was drawn.
struct FigureFacts {
    QString own_title; ///< what the picture says where the figure has no other title; empty: nothing
    int cut = 0;       ///< texts that had no room
    QString first_cut; ///< one of them, whole
};

/// The figure with its height, where that is the view's to say.
[[nodiscard]] Figure settled(const View& view, const Figure& figure);
/// Draws the view's picture, with a title above it that has no room in one line, and below it the line that
/// says what it is of. Of a figure that is settled.
FigureFacts paintFigure(QPainter& painter, const View& view, const Figure& figure);

} // namespace meshslice::ui
