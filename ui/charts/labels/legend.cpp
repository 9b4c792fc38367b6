#include "ui/charts/labels/legend.h"

#include "ui/look/glossary.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"

#include <QPainter>

namespace meshslice::ui {
namespace {

constexpr double swatch_width = 16;
constexpr double swatch_height = 10;
constexpr double between = 16;

/// With the gap to its words.
double swatchWidth(const LegendItem& item) {
    return item.role ? swatch_width + 5 : 0;
}

} // namespace

LegendPlaces placeLegend(const std::vector<LegendItem>& items, double width) {
    LegendPlaces places;
    const QFont font = lettering(Lettering::small);
    double x = 0;
    for (const LegendItem& item : items) {
        const double needed = swatchWidth(item) + textWidth(font, item.words);
        if (x > 0 && x + needed > width) {
            x = 0;
            ++places.lines;
        }
        places.at.emplace_back(x, (places.lines - 1) * legend_line_height);
        places.lastWidth = x + needed;
        x += needed + between;
    }
    return places;
}

QStringList legendLinesAt(const std::vector<LegendItem>& items, double width, const QPointF& at) {
    const LegendPlaces places = placeLegend(items, width);
    const QFont font = lettering(Lettering::small);
    for (std::size_t k = 0; k < items.size(); ++k) {
        const QSizeF size(swatchWidth(items[k]) + textWidth(font, items[k].words), legend_line_height);
        if (QRectF(places.at[k], size).contains(at)) {
            return glossaryLines(items[k].words);
        }
    }
    return {};
}

void paintLegend(QPainter& painter, const std::vector<LegendItem>& items, const QPointF& origin, double width,
                 Theme theme) {
    const LegendPlaces places = placeLegend(items, width);
    const QFont font = lettering(Lettering::small);
    for (std::size_t k = 0; k < items.size(); ++k) {
        const QPointF at = origin + places.at[k];
        const QRectF swatch(at.x(), at.y() + (legend_line_height - swatch_height) / 2, swatch_width,
                            swatch_height);
        if (items[k].role && items[k].sign == LegendSign::line) {
            painter.fillRect(swatch.adjusted(0, swatch_height - 2, 0, 0), color(*items[k].role, theme));
        } else if (items[k].role) {
            paintTextured(painter, swatch, *items[k].role, theme);
        }
        if (items[k].second) {
            painter.fillRect(swatch.adjusted(0, swatch_height / 2, 0, 0), color(*items[k].second, theme));
        }
        painter.setPen(color(items[k].role ? Role::text : Role::quietText, theme));
        const double left = at.x() + swatchWidth(items[k]);
        drawFitted(painter,
                   QRectF(left, at.y(), std::max(0.0, origin.x() + width - left), legend_line_height),
                   Qt::AlignLeft | Qt::AlignVCenter, font, items[k].words);
    }
}

} // namespace meshslice::ui
