#include "ui/tuner/tuner_layout.h"

#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

namespace measure = tuner_measure;

constexpr double least_row = 13;
constexpr double good_row = 20;
constexpr double most_row = 44;
constexpr double good_width = 620; ///< where the bars and the list have room next to each other
constexpr double bars_above = 170; ///< the height of the bars where the list is below them
constexpr double most_column = 120;

/// The width of the bars where the list stands next to them.
double barsWidth(double width) {
    return std::floor((width - 3 * measure::margin) * 0.42);
}

/// Of the list there.
double listNextToBars(double width) {
    return std::max(0.0, width - 3 * measure::margin - barsWidth(width));
}

} // namespace

double tunerListWidth(double width) {
    return width < good_width ? width - 2 * measure::margin : listNextToBars(width);
}

QRectF tunerControls(const QSize& size, bool many) {
    return {measure::margin, 4,
            size.width() * (many && size.width() < good_width ? 0.72 : 0.5) - measure::margin,
            measure::controls_height};
}

QRectF TunerLayout::cell(std::size_t row, std::size_t column) const {
    const double width = heat.width() / static_cast<double>(columns);
    const double height = heat.height() / static_cast<double>(rows);
    return {heat.left() + width * static_cast<double>(column), heat.top() + height * static_cast<double>(row),
            width, height};
}

namespace {

double belowCells(const TunerDemand& demand) {
    return measure::column_names + static_cast<double>(demand.keys) * measure::key_line;
}

/// Of a picture so wide with all of the list and rows so high.
double heightFor(const TunerDemand& demand, double width, double row) {
    return 4 + measure::controls_height + static_cast<double>(demand.titles) * measure::title_line + 8 +
           static_cast<double>(demand.rows) * row + belowCells(demand) + 8 + demand.list +
           (width < good_width ? bars_above : 0) + 8;
}

} // namespace

double leastHeight(const TunerDemand& demand, double width) {
    return heightFor(demand, width, good_row);
}

TunerLayout tunerLayout(const QSize& size, const TunerDemand& demand) {
    TunerLayout made;
    const QRectF controls = tunerControls(size, demand.many_controls);
    made.scale = QRectF(controls.right(), controls.top(), size.width() - measure::margin - controls.right(),
                        controls.height());
    const double top = controls.bottom() + static_cast<double>(demand.titles) * measure::title_line + 8;
    const bool narrow = size.width() < good_width;
    const double above = narrow ? bars_above : 0;
    // In a file that is too low, rows of cells give way to the words before these are cut.
    made.whole = size.height() >= heightFor(demand, size.width(), least_row);
    const double usual = std::clamp(size.height() * 0.36, 130.0, 260.0);
    const double below = made.whole ? std::max(usual, demand.list + above) : usual;
    const double room =
        std::max(least_row, size.height() - top - belowCells(demand) - below - measure::margin);
    made.rows = std::min(demand.rows, static_cast<std::size_t>(std::max(1.0, std::floor(room / least_row))));
    made.columns = demand.columns;
    made.keys = demand.keys;
    const auto rows = static_cast<double>(made.rows);
    const auto columns = static_cast<double>(made.columns);
    const double row_height = std::clamp(room / rows, least_row, most_row);
    const double left = measure::margin + measure::row_names;
    const double width = std::max(40.0, size.width() - measure::margin - left);
    made.heat = QRectF(left, top, std::min(width / columns, most_column) * columns, row_height * rows);
    const double lower = made.heat.bottom() + belowCells(demand) + 8;
    const double half = barsWidth(size.width());
    const double height = std::max(
        0.0, std::min(size.height() - lower - 8, made.whole ? std::max(300.0, demand.list + above) : 300.0));
    if (narrow && made.whole) {
        made.bars = QRectF(0, lower, size.width(), above - 8);
        made.list =
            QRectF(measure::margin, lower + above, size.width() - 2 * measure::margin, height - above);
    } else {
        made.bars = QRectF(0, lower, half + 2 * measure::margin, height); // a chart, with its own margins
        made.list = QRectF(2 * measure::margin + half, lower, listNextToBars(size.width()), height);
    }
    return made;
}

QStringList tunerKeyLines(const QStringList& sentences, double width) {
    QStringList lines;
    for (const QString& one : sentences) {
        lines += wrapped(lettering(Lettering::small), one, width - 2 * measure::margin);
    }
    return lines;
}

void paintTunerKey(QPainter& painter, const QRectF& heat, const QStringList& lines, double width,
                   std::size_t most) {
    QRectF line(measure::margin, heat.bottom() + 21, width - 2 * measure::margin, measure::key_line - 1);
    for (qsizetype k = 0; k < lines.size() && static_cast<std::size_t>(k) < most; ++k) {
        const bool last = static_cast<std::size_t>(k) + 1 == most;
        drawFitted(painter, line, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
                   last ? lines.mid(k).join(QLatin1Char(' ')) : lines[k]);
        line.translate(0, measure::key_line);
    }
}

QStringList tunerTitle(const QString& finding, double width) {
    QStringList lines =
        wrapped(lettering(Lettering::title, true), pictureTitle(finding), width - 2 * measure::margin);
    if (lines.size() > 3) {
        lines = {lines[0], lines[1], lines.mid(2).join(QLatin1Char(' '))};
    }
    return lines;
}

} // namespace meshslice::ui
