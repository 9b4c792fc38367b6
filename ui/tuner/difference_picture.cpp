#include "ui/tuner/difference_picture.h"

#include "core/base/text.h"
#include "ui/look/heat_cell.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/tuner/tuner_words.h"
#include "ui/view/finding.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice::ui {
namespace {

namespace measure = tuner_measure;

constexpr double weakest = 0.08;

QString aboutDifferences(const TunerDifference& difference) {
    return difference.grid.slices.size() > 1
               ? TunerWords::tr("Rows: mesh. Columns: slice count S of all GEMMs; best: each GEMM's own. "
                                "Numbers: time of B against A.")
               : TunerWords::tr("Rows: mesh; neither slices. Numbers: time of B against A.");
}

/// Of a map with these rows.
QString keyOf(const TunerDifference& difference, const std::vector<std::size_t>& rows, bool faulty,
              int hidden_rows) {
    QString key = TunerWords::tr("Minus: B takes less time. Frame: B's scenario.");
    bool one = false;
    bool neither = false;
    bool misfit = false;
    for (const std::size_t row : rows) {
        for (std::size_t column = 0; column < difference.grid.slices.size(); ++column) {
            const DifferenceCell cell = difference.cell(row, column);
            misfit = misfit || (cell.in_both() && !cell.fits());
            one = one || ((cell.a != nullptr) != (cell.b != nullptr));
            neither = neither || (cell.a == nullptr && cell.b == nullptr);
        }
    }
    key += one ? TunerWords::tr(" Only A, only B: the other does not run.") : QString();
    key += neither ? TunerWords::tr(" Dot: neither runs.") : QString();
    key += misfit ? TunerWords::tr(" Hatched, *: A or B does not fit into a chip's memory.") : QString();
    if (faulty) {
        key += TunerWords::tr(" Of a healthy machine: the scenario's faults are left out.");
    }
    if (hidden_rows > 0) {
        key += TunerWords::tr(" %1 meshes are not shown.").arg(hidden_rows);
    }
    return key;
}

/// Room for all that it may have to say.
TunerDemand demandOf(const TunerDifference& difference, double width) {
    const auto keys = static_cast<std::size_t>(
        tunerKeyLines({aboutDifferences(difference), keyOf(difference, difference.rows, true, 0)}, width)
            .size());
    return {static_cast<std::size_t>(tunerTitle(tunerFinding(difference), width).size()),
            difference.rows.size(),
            difference.grid.slices.size(),
            (static_cast<double>(difference.rows.size()) + 3) * measure::line,
            true,
            keys};
}

/// Of a candidate that both run: the difference, shorter and shorter.
QStringList signedTexts(const DifferenceCell& cell) {
    const QString full = timesText(cell.a->time, cell.b->time);
    QString bare = full;
    bare.remove(QLatin1Char('%')).remove(QChar(0x2009));
    return {full, bare, full.left(1)};
}

void paintCells(QPainter& painter, const TunerPicture& picture, Theme theme) {
    const TunerDifference& difference = *picture.difference;
    const QFont font = lettering(Lettering::small);
    for (const TunerCellBox& box : picture.cells) {
        const DifferenceCell cell = difference.cell(box.place.first, box.place.second);
        if (cell.in_both()) {
            paintHeatCell(painter, box.area,
                          cell.fits() ? std::optional(differenceColor(difference, cell, theme))
                                      : std::nullopt,
                          signedTexts(cell), theme);
            continue;
        }
        const QRectF area = box.area.adjusted(0.5, 0.5, -0.5, -0.5);
        painter.fillRect(area, color(Role::panel, theme));
        painter.setPen(color(Role::quietText, theme));
        const QString whose = cell.a != nullptr   ? QStringLiteral("A")
                              : cell.b != nullptr ? QStringLiteral("B")
                                                  : QString();
        const QString said =
            whose.isEmpty()
                ? QStringLiteral("·")
                : firstFitting(font, {TunerWords::tr("only %1").arg(whose), whose}, area.width() - 2);
        drawFitted(painter, area, Qt::AlignCenter, font, said);
    }
}

void paintNamesOfBoth(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme) {
    const TunerDifference& difference = *picture.difference;
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::text, theme));
    const double width = measure::row_names - 8;
    for (std::size_t k = 0; k < picture.rows.size(); ++k) {
        const QRectF& first = picture.cells[k * picture.columns].area;
        drawFitted(painter, QRectF(measure::margin, first.top(), width, first.height()),
                   Qt::AlignRight | Qt::AlignVCenter, font, meshText(difference, picture.rows[k]));
    }
    const double top = picture.heat.bottom() + 3;
    for (std::size_t column = 0; column < picture.columns; ++column) {
        const QRectF& cell = picture.cells[column].area;
        drawFitted(painter, QRectF(cell.left() - 6, top, cell.width() + 12, 16), Qt::AlignCenter, font,
                   columnName(difference, column));
    }
    painter.setPen(color(Role::quietText, theme));
    const bool sliced = picture.columns > 1;
    if (sliced) {
        drawFitted(painter, QRectF(measure::margin, top, width, 16), Qt::AlignRight | Qt::AlignVCenter, font,
                   TunerWords::tr("S"));
    }
    paintTunerKey(
        painter, picture.heat,
        tunerKeyLines({aboutDifferences(difference), differenceKey(picture, marks)}, picture.size.width()),
        picture.size.width(), picture.keys);
}

/// "B faster" in blue, "B slower" in vermilion, with the largest differences.
void paintLegend(QPainter& painter, const TunerPicture& picture, Theme theme) {
    const TunerDifference& difference = *picture.difference;
    const QFont font = lettering(Lettering::small);
    const QString low = TunerWords::tr("B faster");
    const QRectF& area = picture.scale;
    const double low_width = textWidth(font, low) + 4;
    const QString high = firstFitting(font,
                                      {difference.b->landscape.depth == Depth::simulate
                                           ? TunerWords::tr("B slower, simulated")
                                           : TunerWords::tr("B slower, by estimate"),
                                       TunerWords::tr("B slower")},
                                      area.width() - low_width - 60);
    const double high_width = textWidth(font, high) + 4;
    const double bar = high.isEmpty() ? 0 : std::min(96.0, area.width() - low_width - high_width - 16);
    if (bar < 16 || difference.summary.both == 0) {
        return;
    }
    constexpr int steps = 24;
    const double left = area.right() - high_width - bar - 6;
    for (int step = 0; step < steps; ++step) {
        const double share = (step + 0.5) / steps * 2 - 1;
        painter.fillRect(QRectF(left + bar * step / steps, area.center().y() - 6, bar / steps + 0.5, 12),
                         tint(share < 0 ? Role::compute : Role::exposed, theme,
                              weakest + (1 - weakest) * std::abs(share)));
    }
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(left + bar + 6, area.top(), high_width, area.height()),
               Qt::AlignLeft | Qt::AlignVCenter, font, high);
    drawFitted(painter, QRectF(left - 6 - low_width, area.top(), low_width, area.height()),
               Qt::AlignRight | Qt::AlignVCenter, font, low);
}

/// In the place of the bars, of a candidate that neither runs.
void paintObjections(QPainter& painter, const TunerPicture& picture, const TunerPlace& place, Theme theme) {
    const DifferenceCell cell = picture.difference->cell(place.first, place.second);
    if (cell.a != nullptr || cell.b != nullptr) {
        return;
    }
    const QStringList lines = cellLines(*picture.difference, place);
    const QRectF area = picture.bars.adjusted(measure::margin, 0, -measure::margin, 0);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(area.left(), area.top(), area.width(), measure::line),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true),
               TunerWords::tr("%1: does not run").arg(lines.front()));
    painter.setPen(color(Role::quietText, theme));
    painter.setFont(lettering(Lettering::small));
    painter.drawText(area.adjusted(0, measure::line + 4, 0, 0), Qt::AlignLeft | Qt::TextWordWrap,
                     lines.mid(1, 2).join(QLatin1Char('\n')));
}

/// A | B | difference of each mesh with the best slice counts.
void paintMeshes(QPainter& painter, const TunerPicture& picture, Theme theme) {
    const TunerDifference& difference = *picture.difference;
    const QRectF& area = picture.ranking;
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::text, theme));
    const bool block = difference.b->tuning.ranked.front().step.blocks > 0;
    drawFitted(painter, QRectF(area.left(), area.top(), area.width(), measure::line),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true),
               block ? TunerWords::tr("Each mesh with the best S, one block")
                     : TunerWords::tr("Each mesh with the best S"));
    const std::array widths = {std::min(0.3 * area.width(), 92.0), std::min(0.23 * area.width(), 84.0),
                               std::min(0.23 * area.width(), 84.0), std::min(0.24 * area.width(), 96.0)};
    const auto row_of = [&](double top, const QStringList& cells, const QFont& letters) {
        double x = area.left();
        for (qsizetype k = 0; k < cells.size(); ++k) {
            const double width = widths[static_cast<std::size_t>(k)];
            drawFitted(painter, QRectF(x, top, width - 6, measure::line),
                       (k == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, letters, cells[k]);
            x += width;
        }
    };
    painter.setPen(color(Role::quietText, theme));
    row_of(area.top() + measure::line,
           {TunerWords::tr("mesh"), QStringLiteral("A"), QStringLiteral("B"), TunerWords::tr("difference")},
           font);
    for (std::size_t k = 0; k < picture.leaders.size(); ++k) {
        const std::size_t row = picture.rows[k];
        const DifferenceCell cell = difference.cell(row, 0);
        const auto time = [&](const LandscapeCell* own) {
            return own == nullptr ? QStringLiteral("·") : words(text(own->time));
        };
        const QString by = cell.in_both()      ? timesText(cell.a->time, cell.b->time)
                           : cell.a != nullptr ? TunerWords::tr("only %1").arg(QLatin1Char('A'))
                           : cell.b != nullptr ? TunerWords::tr("only %1").arg(QLatin1Char('B'))
                                               : QString();
        painter.setPen(color(cell.in_both() && cell.fits() ? Role::text : Role::quietText, theme));
        const QString misfit = cell.fits() ? QString() : TunerWords::tr(" *");
        row_of(picture.leaders[k].top(), {meshText(difference, row) + misfit, time(cell.a), time(cell.b), by},
               font);
    }
}

} // namespace

QColor differenceColor(const TunerDifference& difference, const DifferenceCell& cell, Theme theme) {
    if (text(cell.a->time) == text(cell.b->time) || difference.strongest <= 0) {
        return color(Role::panel, theme);
    }
    const double strength = std::min(1.0, std::abs(std::log(cell.times())) / difference.strongest);
    return tint(cell.times() < 1 ? Role::compute : Role::exposed, theme, weakest + (1 - weakest) * strength);
}

QString differenceKey(const TunerPicture& picture, const TunerMarks& marks) {
    return keyOf(*picture.difference, picture.rows, marks.faulty, picture.hidden_rows);
}

double leastHeight(const TunerDifference& difference, double width) {
    return leastHeight(demandOf(difference, width), width);
}

TunerPicture makeDifferencePicture(const TunerDifferencePtr& difference, const QSize& size) {
    TunerPicture picture;
    picture.answer = difference->b;
    picture.difference = difference;
    picture.size = size;
    picture.title = tunerTitle(tunerFinding(*difference), size.width());
    const TunerLayout layout = tunerLayout(size, demandOf(*difference, size.width()));
    picture.scale = layout.scale;
    picture.heat = layout.heat;
    picture.bars = layout.bars;
    picture.ranking = layout.list;
    picture.columns = layout.columns;
    picture.keys = layout.keys;
    picture.rows = difference->rows;
    picture.rows.resize(layout.rows);
    picture.hidden_rows = static_cast<int>(difference->rows.size() - layout.rows);
    for (std::size_t row = 0; row < layout.rows; ++row) {
        for (std::size_t column = 0; column < layout.columns; ++column) {
            picture.cells.push_back({{picture.rows[row], column}, layout.cell(row, column)});
        }
    }
    double y = picture.ranking.top() + 2 * measure::line;
    for (std::size_t k = 0; k < layout.rows && y + measure::line <= picture.ranking.bottom() + 1;
         ++k, y += measure::line) {
        picture.leaders.emplace_back(picture.ranking.left(), y, picture.ranking.width(), measure::line);
    }
    return picture;
}

void paintDifference(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme) {
    paintLegend(painter, picture, theme);
    paintCells(painter, picture, theme);
    paintNamesOfBoth(painter, picture, marks, theme);
    paintTunerMarks(painter, picture, marks, theme);
    if (marks.selected) {
        paintObjections(painter, picture, *marks.selected, theme);
    }
    paintMeshes(painter, picture, theme);
}

} // namespace meshslice::ui
