#pragma once

#include "ui/look/palette.h"

#include <QPointF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// What the swatch looks like.
enum class LegendSign : std::uint8_t {
    bar, ///< filled, with the role's texture
    line ///< along the lower edge
};

/// A colour and what it stands for.
struct LegendItem {
    QString words;
    std::optional<Role> role; ///< none for a remark without a swatch
    std::optional<Role> second =
        std::nullopt; ///< the swatch's lower half, where two roles are shown together
    LegendSign sign = LegendSign::bar;
};

/// Where the items of a legend go in lines of `width`.
struct LegendPlaces {
    std::vector<QPointF> at; ///< left end of each item's line, relative to the legend
    int lines = 1;
    double lastWidth = 0; ///< how far the last line goes
};
[[nodiscard]] LegendPlaces placeLegend(const std::vector<LegendItem>& items, double width);

inline constexpr double legend_line_height = 20;
/// Of a picture's height; a legend that would take more is brief.
inline constexpr double most_legend = 0.15;

/// What the glossary says of the item at a place relative to the legend, as lines of a tip. Empty where there
/// is none.
[[nodiscard]] QStringList legendLinesAt(const std::vector<LegendItem>& items, double width,
                                        const QPointF& at);

/// Paints the items with the legend's top left corner at `origin`.
void paintLegend(QPainter& painter, const std::vector<LegendItem>& items, const QPointF& origin, double width,
                 Theme theme);

} // namespace meshslice::ui
