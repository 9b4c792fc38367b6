#include "ui/charts/heat/heat_picture.h"

#include "ui/look/figure_style.h"
#include "ui/look/heat_cell.h"
#include "ui/look/least_heights.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr double heat_margin = 12;
constexpr double heat_title_line = 20;
constexpr double heat_note_line = 15;
constexpr double heat_scale_width = 64;
constexpr double turned_name = 18; ///< of the rows, turned
constexpr double under_heat = 40;  ///< the names of the columns, and what they are
constexpr double least_heat_row = 14;
constexpr double most_heat_row = 48;
constexpr double most_heat_column = 120;

QStringList heatTitle(const HeatMap& map, double width) {
    return wrapped(lettering(Lettering::title, true), pictureTitle(words(map.title)),
                   width - 2 * heat_margin);
}

QStringList heatNotes(const HeatMap& map, double width) {
    QString all = words(heat_key(map));
    for (const std::string& note : hasNotes() ? map.notes : std::vector<std::string>()) {
        all += QLatin1Char(' ') + words(note);
    }
    return wrapped(lettering(Lettering::small), all, width - 2 * heat_margin);
}

/// A cell that does not run; meaning is not colour alone.
void paintCrossedCell(QPainter& painter, const QRectF& cell, Theme theme) {
    painter.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), color(Role::panel, theme));
    const double half = std::min({6.0, cell.width() / 3, cell.height() / 3});
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::quietText, theme), 1.5));
    const QPointF middle = cell.center();
    painter.drawLine(middle - QPointF(half, half), middle + QPointF(half, half));
    painter.drawLine(middle - QPointF(half, -half), middle + QPointF(half, -half));
    painter.restore();
}

void paintHeatScale(QPainter& painter, const HeatMap& map, const QRectF& area, Theme theme) {
    const std::optional<HeatRange> range = heat_range(map);
    if (!range) {
        return; // no cell has a colour
    }
    constexpr int steps = 24;
    for (int step = 0; step < steps; ++step) {
        const double share = (step + 0.5) / steps;
        const double value = range->high - share * (range->high - range->low);
        const HeatTint own = heat_tint(map, *range, value);
        painter.fillRect(
            QRectF(area.left(), area.top() + area.height() * step / steps, 12, area.height() / steps + 0.5),
            tint(own.role, theme, own.strength));
    }
    painter.setPen(color(Role::text, theme));
    const QFont font = lettering(Lettering::small);
    const auto say = [&](double y, double value) {
        drawFitted(painter, QRectF(area.left() + 16, y, area.width() - 16, 14),
                   Qt::AlignLeft | Qt::AlignVCenter, font, words(heat_number(map, {value})));
    };
    say(area.top() - 1, range->high);
    if (range->high > range->low) {
        say(area.bottom() - 13, range->low);
    }
}

void paintHeatNames(QPainter& painter, const HeatMap& map, const HeatLayout& layout, Theme theme) {
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::text, theme));
    for (std::size_t row = 0; row < map.rows.size(); row += layout.row_stride) {
        const QRectF first = layout.cell(map, row * map.columns.size());
        drawFitted(
            painter,
            QRectF(layout.cells.left() - layout.row_names - 6, first.center().y() - 8, layout.row_names, 16),
            Qt::AlignRight | Qt::AlignVCenter, font, words(map.rows[row]));
    }
    const double step = layout.cells.width() / static_cast<double>(map.columns.size());
    const double room = step * static_cast<double>(layout.column_stride);
    for (std::size_t column = 0; column < map.columns.size(); column += layout.column_stride) {
        const double middle = layout.cell(map, column).center().x();
        drawFitted(painter, QRectF(middle - room / 2, layout.cells.bottom() + 3, room, 16), Qt::AlignCenter,
                   font, words(map.columns[column]));
    }
    const QFont name = lettering(Lettering::normal);
    drawFitted(painter, QRectF(layout.cells.left(), layout.cells.bottom() + 20, layout.cells.width(), 18),
               Qt::AlignCenter, name, words(map.x));
    painter.save();
    painter.translate(heat_margin + 8, layout.cells.center().y());
    painter.rotate(-90);
    const double length = std::max(layout.cells.height(), 120.0);
    drawFitted(painter, QRectF(-length / 2, -8, length, 16), Qt::AlignCenter, name, words(map.y));
    painter.restore();
}

} // namespace

QRectF HeatLayout::cell(const HeatMap& map, std::size_t index) const {
    const double width = cells.width() / static_cast<double>(map.columns.size());
    const double height = cells.height() / static_cast<double>(map.rows.size());
    return {cells.left() + static_cast<double>(index % map.columns.size()) * width,
            cells.top() + static_cast<double>(index / map.columns.size()) * height, width, height};
}

std::optional<std::size_t> HeatLayout::cellAt(const HeatMap& map, const QPointF& point) const {
    if (!cells.contains(point)) {
        return std::nullopt;
    }
    const auto place = [](double share, std::size_t count) {
        return std::min(count - 1, static_cast<std::size_t>(share * static_cast<double>(count)));
    };
    return place((point.y() - cells.top()) / cells.height(), map.rows.size()) * map.columns.size() +
           place((point.x() - cells.left()) / cells.width(), map.columns.size());
}

HeatLayout layoutHeat(const HeatMap& map, const QSize& size) {
    HeatLayout layout;
    layout.size = size;
    layout.title = heatTitle(map, size.width());
    layout.notes = heatNotes(map, size.width());
    const QFont font = lettering(Lettering::small);
    for (const std::string& row : map.rows) {
        layout.row_names = std::max(layout.row_names, textWidth(font, words(row)) + 2);
    }
    layout.row_names = std::min(layout.row_names, size.width() * 0.3);
    const auto rows = static_cast<double>(map.rows.size());
    const auto columns = static_cast<double>(map.columns.size());
    const double top = 8 + static_cast<double>(layout.title.size()) * heat_title_line + 8;
    const double left = heat_margin + turned_name + layout.row_names + 6;
    const double below = under_heat + static_cast<double>(layout.notes.size()) * heat_note_line + 8;
    const double width = std::max(20.0, size.width() - left - heat_scale_width - heat_margin);
    const double height = std::max(20.0, size.height() - top - below);
    layout.cells = QRectF(left, top, std::min(width, columns * most_heat_column),
                          std::min(height, rows * most_heat_row));
    layout.scale =
        QRectF(layout.cells.right() + 14, top, heat_scale_width, std::min(140.0, layout.cells.height()));
    double widest = 0;
    for (const std::string& column : map.columns) {
        widest = std::max(widest, textWidth(font, words(column)) + 8);
    }
    const auto stride = [](double needed, double room) {
        return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / std::max(1.0, room))));
    };
    layout.column_stride = stride(widest, layout.cells.width() / columns);
    layout.row_stride = stride(13, layout.cells.height() / rows);
    return layout;
}

namespace {

double heightWithRows(const HeatMap& map, double width, double row) {
    return 16 + static_cast<double>(heatTitle(map, width).size()) * heat_title_line +
           static_cast<double>(map.rows.size()) * row + under_heat +
           static_cast<double>(heatNotes(map, width).size()) * heat_note_line + 8;
}

} // namespace

double leastHeight(const HeatMap& map, double width) {
    return heightWithRows(map, width, least_heat_row);
}

double figureHeight(const HeatMap& map, double width) {
    if (LeastHeights::asked()) {
        return std::ceil(leastHeight(map, width));
    }
    constexpr double row = 22; // a number with its frame, and some air
    // The name of the rows stands upright next to them.
    const double name = textWidth(lettering(Lettering::normal), words(map.y));
    const auto rows = static_cast<double>(map.rows.size());
    return heightWithRows(map, width, std::max(row, std::min(most_heat_row, name / std::max(1.0, rows))));
}

void paintHeat(QPainter& painter, const HeatMap& map, const HeatLayout& layout, Theme theme,
               std::optional<std::size_t> selected) {
    painter.fillRect(QRectF(QPointF(0, 0), layout.size), color(Role::background, theme));
    double y = 8;
    painter.setPen(color(Role::text, theme));
    const double wide = layout.size.width() - 2 * heat_margin;
    for (const QString& line : layout.title) {
        drawFitted(painter, QRectF(heat_margin, y, wide, heat_title_line), Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(Lettering::title, true), line);
        y += heat_title_line;
    }
    const std::optional<HeatRange> range = heat_range(map);
    for (std::size_t k = 0; k < map.cells.size(); ++k) {
        const HeatCell& cell = map.cells[k];
        const QRectF area = layout.cell(map, k);
        if (!cell.done) {
            painter.fillRect(area.adjusted(0.5, 0.5, -0.5, -0.5), color(Role::panel, theme));
        } else if (!cell.value) {
            paintCrossedCell(painter, area, theme);
        } else {
            const HeatTint own = cell.open ? HeatTint() : heat_tint(map, *range, *cell.value);
            paintHeatCell(painter, area,
                          cell.open ? std::nullopt : std::optional(tint(own.role, theme, own.strength)),
                          {words(heat_number(map, cell)), words(heat_number(map, cell, false))}, theme);
        }
    }
    for (std::size_t k = 0; k < map.cells.size(); ++k) {
        if (is_best(map, k)) {
            paintHeatCorner(painter, layout.cell(map, k), theme);
        }
    }
    if (selected) {
        painter.setPen(QPen(color(Role::text, theme), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(layout.cell(map, *selected).adjusted(1, 1, -1, -1));
    }
    paintHeatNames(painter, map, layout, theme);
    paintHeatScale(painter, map, layout.scale, theme);
    painter.setPen(color(Role::quietText, theme));
    y = layout.cells.bottom() + under_heat;
    for (const QString& line : layout.notes) {
        drawFitted(painter, QRectF(heat_margin, y, wide, heat_note_line), Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(Lettering::small), line);
        y += heat_note_line;
    }
}

} // namespace meshslice::ui
