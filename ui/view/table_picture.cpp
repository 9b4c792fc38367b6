#include "ui/view/table_picture.h"

#include "ui/controls/table_model.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr double table_margin = 16;
constexpr double largest_scale = 1.5;
constexpr double smallest_scale = 0.6; ///< smaller letters are not read

} // namespace

void paintTable(QPainter& painter, const QSize& size, Theme theme, const QFont& font, const Table& table,
                bool bold_first) {
    painter.fillRect(QRect({0, 0}, size), color(Role::background, theme));
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    const double line = metrics.height() + 8;
    const double height = size.height() - 2 * table_margin;
    // Title, a gap and the columns' titles take three lines.
    const auto most = static_cast<std::size_t>(std::max(1.0, height / (smallest_scale * line) - 3));
    const std::size_t rows = std::min(table.rows.size(), most);
    const bool cut = rows < table.rows.size();

    // Columns as wide as their widest text, all scaled down together where they do not fit.
    std::vector<double> widths;
    double total = 0;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        double widest = metrics.horizontalAdvance(columnTitle(table.columns[column]));
        for (std::size_t row = 0; row < rows; ++row) {
            widest = std::max(
                widest, metrics.horizontalAdvance(cellText(table.columns[column], table.rows[row][column])));
        }
        widths.push_back(widest + table_margin);
        total += widths.back();
    }
    const double scale = std::min({largest_scale, (size.width() - 2 * table_margin) / std::max(total, 1.0),
                                   height / ((static_cast<double>(rows) + 3) * line)});
    painter.save();
    painter.translate(table_margin, table_margin);
    painter.scale(scale, scale);
    painter.setPen(color(Role::text, theme));
    painter.setFont(bold);
    painter.drawText(QRectF(0, 0, size.width() / scale, line), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromStdString(table.title));
    painter.setFont(font);
    const auto paintLine = [&](double top, const auto& textOf) {
        double left = 0;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const bool number =
                rows > 0 && !std::holds_alternative<std::string>(table.rows[rows - 1][column]);
            const Qt::Alignment side = number ? Qt::AlignRight : Qt::AlignLeft;
            painter.drawText(QRectF(left, top, widths[column] - table_margin, line),
                             static_cast<int>((side | Qt::AlignVCenter).toInt()), textOf(column));
            left += widths[column];
        }
    };
    painter.setPen(color(Role::quietText, theme));
    paintLine(1.5 * line, [&](std::size_t column) { return columnTitle(table.columns[column]); });
    painter.setPen(color(Role::grid, theme));
    painter.drawLine(QPointF(0, 2.5 * line), QPointF(total, 2.5 * line));
    painter.setPen(color(Role::text, theme));
    const std::size_t whole = cut ? rows - 1 : rows; // the last line says what is missing
    for (std::size_t row = 0; row < whole; ++row) {
        painter.setFont(row == 0 && bold_first ? bold : font);
        paintLine((static_cast<double>(row) + 2.5) * line, [&](std::size_t column) {
            return cellText(table.columns[column], table.rows[row][column]);
        });
    }
    if (cut) {
        painter.setPen(color(Role::quietText, theme));
        painter.drawText(
            QRectF(0, (static_cast<double>(whole) + 2.5) * line, size.width() / scale, line),
            Qt::AlignLeft | Qt::AlignVCenter,
            QCoreApplication::translate("meshslice::ui::TablePicture", "and %L1 more lines, in the table")
                .arg(table.rows.size() - whole));
    }
    painter.restore();
}

} // namespace meshslice::ui
