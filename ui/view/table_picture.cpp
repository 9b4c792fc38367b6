#include "ui/view/table_picture.h"

#include "ui/controls/table_model.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr double table_margin = 16;
constexpr double largest_scale = 1.5;
constexpr double block_gap = 40;
constexpr std::size_t measured_at_first = 100; ///< rows

} // namespace

TableBlocks tableBlocks(std::size_t rows, const QSizeF& room, double line, double width) {
    // Title, a gap and the columns' titles take two and a half lines.
    constexpr double above = 2.5;
    const double by_width = room.width() / std::max(width, 1.0);
    const double by_height = room.height() / ((static_cast<double>(rows) + above) * line);
    TableBlocks blocks;
    blocks.shown = rows;
    blocks.lines = rows;
    blocks.scale = std::min({largest_scale, by_width, by_height});
    if (blocks.scale >= std::min(1.0, by_width)) {
        return blocks;
    }
    // Letters stay as large as they are: the list goes on next to itself.
    blocks.scale = std::min(1.0, by_width);
    const auto fit =
        static_cast<std::size_t>(std::max(2.0, room.height() / (blocks.scale * line) - above + 1e-9));
    const auto most = static_cast<std::size_t>(
        std::max(1.0, (room.width() / blocks.scale + block_gap + 1e-9) / (std::max(width, 1.0) + block_gap)));
    blocks.lines = fit;
    blocks.count = std::min(most, (rows + fit - 1) / fit);
    if (rows > blocks.count * fit) {
        blocks.lines = fit - 1; // the last line says what is missing
        blocks.shown = blocks.count * blocks.lines;
    }
    return blocks;
}

void paintTable(QPainter& painter, const QSize& size, Theme theme, QFont font, const Table& table,
                bool bold_first) {
    painter.fillRect(QRect({0, 0}, size), color(Role::background, theme));
    if (const QString family = pictureFamily(); !family.isEmpty()) {
        font.setFamilies({family});
    }
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    const double line = metrics.height() + 8;
    const QSizeF room(std::max(1.0, size.width() - 2 * table_margin),
                      std::max(1.0, size.height() - 2 * table_margin));
    const QStringList title = pictureTitle(QString::fromStdString(table.title)).split(QLatin1Char('\n'));
    const double more_title = static_cast<double>(title.size() - 1) * line;

    // Columns as wide as their widest text, of the rows that the picture has room for.
    std::vector<double> widths;
    for (const std::string& column : table.columns) {
        widths.push_back(metrics.horizontalAdvance(columnTitle(column)) + table_margin);
    }
    double total = 0;
    TableBlocks blocks;
    std::size_t measured = 0;
    std::size_t wanted = std::min(measured_at_first, table.rows.size());
    do {
        for (; measured < wanted; ++measured) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const QString text = cellText(table.columns[column], table.rows[measured][column]);
                widths[column] = std::max(widths[column], metrics.horizontalAdvance(text) + table_margin);
            }
        }
        total = std::accumulate(widths.begin(), widths.end(), 0.0);
        blocks = tableBlocks(table.rows.size(),
                             {room.width(), std::max(1.0, room.height() - more_title * largest_scale)}, line,
                             total);
        wanted = blocks.shown; // in wider columns there may be room for fewer
    } while (measured < wanted);
    painter.save();
    painter.translate(table_margin, table_margin);
    painter.scale(blocks.scale, blocks.scale);
    painter.setPen(color(Role::text, theme));
    for (qsizetype at = 0; at < title.size(); ++at) {
        drawFitted(painter, QRectF(0, static_cast<double>(at) * line, room.width() / blocks.scale, line),
                   Qt::AlignLeft | Qt::AlignVCenter, bold, title[at]);
    }
    painter.translate(0, hasNoTitle() ? -1.5 * line : more_title); // the gap below the title goes with it
    const auto paintLine = [&](double from, double top, const auto& textOf) {
        double left = from;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const bool number =
                !table.rows.empty() && !std::holds_alternative<std::string>(table.rows.back()[column]);
            const Qt::Alignment side = number ? Qt::AlignRight : Qt::AlignLeft;
            painter.drawText(QRectF(left, top, widths[column] - table_margin, line),
                             static_cast<int>((side | Qt::AlignVCenter).toInt()), textOf(column));
            left += widths[column];
        }
    };
    for (std::size_t block = 0; block < blocks.count; ++block) {
        const double left = static_cast<double>(block) * (total + block_gap);
        painter.setFont(font);
        painter.setPen(color(Role::quietText, theme));
        paintLine(left, 1.5 * line, [&](std::size_t column) { return columnTitle(table.columns[column]); });
        painter.setPen(color(Role::grid, theme));
        painter.drawLine(QPointF(left, 2.5 * line), QPointF(left + total, 2.5 * line));
        painter.setPen(color(Role::text, theme));
        for (std::size_t at = 0; at < blocks.lines && block * blocks.lines + at < blocks.shown; ++at) {
            const std::size_t row = block * blocks.lines + at;
            painter.setFont(row == 0 && bold_first ? bold : font);
            paintLine(left, (static_cast<double>(at) + 2.5) * line, [&](std::size_t column) {
                return cellText(table.columns[column], table.rows[row][column]);
            });
        }
    }
    if (blocks.shown < table.rows.size()) {
        painter.setPen(color(Role::quietText, theme));
        drawFitted(
            painter,
            QRectF(0, (static_cast<double>(blocks.lines) + 2.5) * line, room.width() / blocks.scale, line),
            Qt::AlignLeft | Qt::AlignVCenter, font,
            QCoreApplication::translate("meshslice::ui::TablePicture",
                                        "the first %L1 of %L2 lines; the table (CSV) has all")
                .arg(blocks.shown)
                .arg(table.rows.size()));
    }
    painter.restore();
}

} // namespace meshslice::ui
