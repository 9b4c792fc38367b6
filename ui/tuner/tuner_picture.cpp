#include "ui/tuner/tuner_picture.h"

#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "core/report/words/tuning_words.h"
#include "ui/look/heat_cell.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/tuner/difference_picture.h"
#include "ui/tuner/tuner_layout.h"
#include "ui/tuner/tuner_words.h"

#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

namespace measure = tuner_measure;

constexpr double reason_line = 14;

/// The rows there is room for: all, or the fastest in their order, those first on which something fits.
std::vector<std::size_t> shownRows(const TunerAnswer& answer, std::size_t most) {
    std::vector<std::size_t> rows = answer.rows;
    const Landscape& land = answer.landscape;
    const auto fastest = [&](std::size_t row) {
        std::pair best(false, 0.0);
        for (std::size_t column = 0; column < land.slices.size(); ++column) {
            const LandscapeCell& cell = land.cell(row, column);
            best = std::max(best, std::pair(cell.runs() && cell.fits, cell.utilization));
        }
        return best;
    };
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) { return fastest(a) > fastest(b); });
    rows.resize(std::min(rows.size(), most));
    std::ranges::sort(rows);
    return rows;
}

constexpr double reason_indent = 8;

/// Why a ranked algorithm is slower than the best, in lines for a list so wide; of the best none.
QStringList reasonLines(const TunerAnswer& answer, std::size_t leader, double width) {
    return wrapped(lettering(Lettering::small),
                   words(reason(answer.tuning, answer.tuning.ranked[answer.leaders[leader]])),
                   width - reason_indent);
}

/// Of a ranked algorithm with its reason.
double explainedHeight(const TunerAnswer& answer, std::size_t leader, double width) {
    const auto lines = std::max<qsizetype>(1, reasonLines(answer, leader, width).size());
    return measure::line + reason_line * static_cast<double>(lines);
}

/// Of all of them, and of what stands above and below them.
double explainedHeight(const TunerAnswer& answer, double width) {
    double height = 3 * measure::line + 2;
    for (std::size_t leader = 0; leader < answer.leaders.size(); ++leader) {
        height += explainedHeight(answer, leader, width);
    }
    return height;
}

QStringList titleOf(const TunerAnswer& answer, const QString& name, double width) {
    return tunerTitle(name.isEmpty() ? tunerFinding(answer)
                                     : QStringLiteral("%1: %2").arg(name, tunerFinding(answer)),
                      width);
}

QString aboutCells(const Landscape& land) {
    return land.slices.size() > 1
               ? TunerWords::tr("Rows: mesh. Columns: slice count S of all GEMMs; best: each "
                                "GEMM's own. Numbers: share of the peak.")
               : TunerWords::tr("Rows: mesh; this algorithm does not slice. Numbers: share of the "
                                "peak.");
}

QString keyOf(const Landscape& land, bool faulty, int hidden_rows) {
    const bool fits = land.cell(land.best->first, land.best->second).fits;
    QString key =
        (fits ? TunerWords::tr("Corner: best.") : TunerWords::tr("Corner: needs the least memory.")) +
        TunerWords::tr(" Frame: yours. Dot: cannot run.");
    if (std::ranges::any_of(land.cells,
                            [](const LandscapeCell& cell) { return cell.runs() && !cell.fits; })) {
        key += TunerWords::tr(" Hatched: does not fit into a chip's memory.");
    }
    if (faulty) {
        key += TunerWords::tr(" Of a healthy machine: the scenario's faults are left out.");
    }
    if (hidden_rows > 0) {
        key += TunerWords::tr(" The %1 slowest meshes are not shown.").arg(hidden_rows);
    }
    return key;
}

/// Room for all that it may have to say.
TunerDemand demandOf(const TunerAnswer& answer, const QString& name, double width) {
    const auto keys = static_cast<std::size_t>(
        tunerKeyLines({aboutCells(answer.landscape), keyOf(answer.landscape, true, 0)}, width).size());
    return {static_cast<std::size_t>(titleOf(answer, name, width).size()),
            answer.rows.size(),
            answer.landscape.slices.size(),
            explainedHeight(answer, tunerListWidth(width)),
            !name.isEmpty(),
            keys};
}

QString percent(double share) {
    return words(percent_text(share));
}

void paintHeat(QPainter& painter, const TunerPicture& picture, Theme theme) {
    const Landscape& land = picture.answer->landscape;
    const QFont font = lettering(Lettering::small);
    for (const TunerCellBox& box : picture.cells) {
        const LandscapeCell& cell = land.cell(box.place.first, box.place.second);
        const QRectF area = box.area.adjusted(0.5, 0.5, -0.5, -0.5);
        if (!cell.runs()) { // Meaning is not colour alone: a dot, and the sentence in the tool tip.
            painter.fillRect(area, color(Role::panel, theme));
            painter.setPen(color(Role::quietText, theme));
            drawFitted(painter, area, Qt::AlignCenter, font, QStringLiteral("·"));
            continue;
        }
        const QString full = percent(cell.utilization);
        // Without its percent sign, where that is all there is room for.
        paintHeatCell(painter, box.area, cell.fits ? std::optional(cellStrength(land, cell)) : std::nullopt,
                      {full, full.chopped(1)}, theme);
    }
}

void paintNames(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme) {
    const TunerAnswer& answer = *picture.answer;
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::text, theme));
    const std::size_t columns = answer.landscape.slices.size();
    for (std::size_t k = 0; k < picture.rows.size(); ++k) {
        const QRectF& first = picture.cells[k * columns].area;
        drawFitted(painter, QRectF(measure::margin, first.top(), measure::row_names - 8, first.height()),
                   Qt::AlignRight | Qt::AlignVCenter, font, meshText(answer, picture.rows[k]));
    }
    const double top = picture.heat.bottom() + 3;
    constexpr double gap = 3;
    double free = 0; // where the next name may begin
    for (std::size_t column = 0; column < columns; ++column) {
        const QRectF& cell = picture.cells[column].area;
        const auto& slices = answer.landscape.slices[column];
        const QString name = slices         ? QString::number(*slices)
                             : columns == 1 ? columnText(answer, column)
                                            : TunerWords::tr("best");
        const double half = textWidth(font, name) / 2;
        if (columns > 1 && cell.center().x() - half < free) {
            continue; // it would stand on the one before
        }
        free = cell.center().x() + half + gap;
        drawFitted(painter, QRectF(cell.left() - 6, top, cell.width() + 12, 16), Qt::AlignCenter, font, name);
    }
    painter.setPen(color(Role::quietText, theme));
    const bool sliced = columns > 1;
    if (sliced) {
        drawFitted(painter, QRectF(measure::margin, top, measure::row_names - 8, 16),
                   Qt::AlignRight | Qt::AlignVCenter, font, TunerWords::tr("S"));
    }
    paintTunerKey(
        painter, picture.heat,
        tunerKeyLines({aboutCells(answer.landscape), tunerKey(picture, marks)}, picture.size.width()),
        picture.size.width(), picture.keys);
}

/// The colours and what they stand for, above the cells.
void paintScale(QPainter& painter, const TunerPicture& picture, Theme theme) {
    const Landscape& land = picture.answer->landscape;
    const LandscapeCell& best = land.cell(land.best->first, land.best->second);
    if (!best.fits) {
        return; // no cell has a colour
    }
    double least = best.utilization;
    for (const LandscapeCell& cell : land.cells) {
        least = cell.runs() && cell.fits ? std::min(least, cell.utilization) : least;
    }
    const QFont font = lettering(Lettering::small);
    const QRectF& area = picture.scale;
    constexpr int steps = 24;
    const double bar = 96;
    const QString high = (land.depth == Depth::simulate ? TunerWords::tr("%1 of peak, simulated")
                                                        : TunerWords::tr("%1 of peak, by estimate"))
                             .arg(percent(best.utilization));
    const double high_width = textWidth(font, high) + 4;
    const double left = area.right() - high_width - bar - 6;
    for (int step = 0; step < steps; ++step) {
        const double share = (step + 0.5) / steps;
        const double strength = 0.06 + 0.94 * (least + share * (best.utilization - least)) / best.utilization;
        painter.fillRect(QRectF(left + bar * step / steps, area.center().y() - 6, bar / steps + 0.5, 12),
                         tint(Role::compute, theme, strength));
    }
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(left + bar + 6, area.top(), high_width, area.height()),
               Qt::AlignLeft | Qt::AlignVCenter, font, high);
    const QString low = percent(least);
    drawFitted(painter, QRectF(area.left(), area.top(), std::max(0.0, left - 6 - area.left()), area.height()),
               Qt::AlignRight | Qt::AlignVCenter, font, low);
}

} // namespace

const QRectF* boxOf(const TunerPicture& picture, const std::optional<TunerPlace>& place) {
    const auto found = std::ranges::find_if(
        picture.cells, [&](const TunerCellBox& box) { return place && box.place == *place; });
    return found == picture.cells.end() ? nullptr : &found->area;
}

void paintTunerMarks(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    const QColor ink = color(Role::text, theme);
    if (const QRectF* current = boxOf(picture, marks.current)) {
        painter.setPen(QPen(ink, 2));
        painter.drawRect(current->adjusted(1, 1, -1, -1));
    }
    if (const QRectF* selected = boxOf(picture, marks.selected); selected && marks.focus) {
        painter.setPen(QPen(ink, 1, Qt::DotLine));
        painter.drawRect(selected->adjusted(3, 3, -4, -4));
    }
}

namespace {

/// In the place of the bars, of a cell that does not run.
void paintObjection(QPainter& painter, const TunerPicture& picture, const TunerPlace& place, Theme theme) {
    const TunerAnswer& answer = *picture.answer;
    const LandscapeCell& cell = answer.landscape.cell(place.first, place.second);
    if (cell.runs()) {
        return;
    }
    const QRectF area = picture.bars.adjusted(measure::margin, 0, -measure::margin, 0);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(area.left(), area.top(), area.width(), measure::line),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true),
               TunerWords::tr("%1, %2: does not run")
                   .arg(meshText(answer, place.first), columnText(answer, place.second)));
    painter.setPen(color(Role::quietText, theme));
    painter.setFont(lettering(Lettering::small));
    painter.drawText(area.adjusted(0, measure::line + 4, 0, 0), Qt::AlignLeft | Qt::TextWordWrap,
                     words(cell.objection));
}

void paintRanking(QPainter& painter, const TunerPicture& picture, Theme theme) {
    const TunerAnswer& answer = *picture.answer;
    const QRectF& area = picture.ranking;
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(area.left(), area.top(), area.width(), measure::line),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true),
               answer.tuning.ranked.front().step.blocks > 0
                   ? TunerWords::tr("Each algorithm's best, one block by estimate")
                   : TunerWords::tr("Each algorithm's best, by estimate"));
    double name = 0;
    double mesh = 0;
    for (const std::size_t leader : answer.leaders) {
        const Candidate& one = answer.tuning.ranked[leader];
        name = std::max(name, textWidth(font, words(one.title)) + 8);
        mesh = std::max(mesh, textWidth(font, words(mesh_text(one.step.torus))) + 8);
    }
    name = std::min(name, area.width() * 0.42);
    mesh = std::min(mesh, area.width() * 0.28);
    const double time = 56;
    const double share = 40;
    const double slices = area.width() > 460 ? 92 : 0; // "S = 48 to 192"
    for (std::size_t k = 0; k < picture.leaders.size(); ++k) {
        const Candidate& one = answer.tuning.ranked[answer.leaders[k]];
        const QRectF& row = picture.leaders[k];
        double x = row.left();
        const auto cell = [&](double width, Qt::Alignment side, const QString& shown) {
            drawFitted(painter, QRectF(x, row.top(), std::max(0.0, width - 6), measure::line),
                       side | Qt::AlignVCenter, font, shown);
            x += width;
        };
        painter.setPen(color(Role::text, theme));
        cell(name, Qt::AlignLeft, words(one.title));
        cell(mesh, Qt::AlignLeft, words(mesh_text(one.step.torus)));
        if (slices > 0) {
            cell(slices, Qt::AlignLeft, words(slices_text(one.step)));
        }
        cell(time, Qt::AlignRight, words(text(one.step.time)));
        cell(share, Qt::AlignRight, percent(one.step.utilization));
        x += 6;
        painter.setPen(color(Role::quietText, theme));
        if (!picture.explained) { // where it has room; the tip has it
            cell(row.right() - x, Qt::AlignLeft,
                 firstFitting(font, {words(reason(answer.tuning, one))}, row.right() - x - 6));
            continue;
        }
        QRectF line(row.left() + reason_indent, row.top() + measure::line - 3, row.width() - reason_indent,
                    reason_line);
        for (const QString& words_of_line : reasonLines(answer, k, row.width())) {
            drawFitted(painter, line, Qt::AlignLeft | Qt::AlignVCenter, font, words_of_line);
            line.translate(0, reason_line);
        }
    }
    if (picture.misfits) {
        painter.setPen(color(Role::text, theme));
        drawFitted(
            painter, *picture.misfits, Qt::AlignLeft | Qt::AlignVCenter, font,
            TunerWords::tr("Do not fit into the %1 of a chip:").arg(words(text(answer.landscape.capacity))));
    }
    // Algorithms that run on no mesh of so many chips.
    QStringList absent;
    for (const Refusal& refusal : answer.tuning.refused) {
        const bool runs = std::ranges::any_of(answer.tuning.ranked, [&](const Candidate& one) {
            return one.step.algorithm == refusal.algorithm;
        });
        if (!runs && !absent.contains(words(refusal.title))) {
            absent += words(refusal.title);
        }
    }
    const double y = picture.leaders.empty() ? area.top() + measure::line : picture.leaders.back().bottom();
    if (!absent.isEmpty() && y + measure::line <= area.bottom() + 1) {
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, QRectF(area.left(), y, area.width(), measure::line),
                   Qt::AlignLeft | Qt::AlignVCenter, font,
                   TunerWords::tr("Not on these chips: %1").arg(absent.join(translated(", "))));
    }
}

} // namespace

QString tunerKey(const TunerPicture& picture, const TunerMarks& marks) {
    return keyOf(picture.answer->landscape, marks.faulty, picture.hidden_rows);
}

double cellStrength(const Landscape& landscape, const LandscapeCell& cell) {
    const double best = landscape.cell(landscape.best->first, landscape.best->second).utilization;
    return 0.06 + 0.94 * (best > 0 ? cell.utilization / best : 0.0);
}

double leastHeight(const TunerAnswer& answer, double width, const QString& name) {
    return leastHeight(demandOf(answer, name, width), width);
}

TunerPicture makeTunerPicture(const TunerAnswerPtr& answer, const QSize& size, const QString& name) {
    TunerPicture picture;
    picture.answer = answer;
    picture.size = size;
    picture.title = titleOf(*answer, name, size.width());
    const TunerLayout layout = tunerLayout(size, demandOf(*answer, name, size.width()));
    picture.scale = layout.scale;
    picture.heat = layout.heat;
    picture.bars = layout.bars;
    picture.ranking = layout.list;
    picture.explained = layout.whole;
    picture.columns = layout.columns;
    picture.keys = layout.keys;
    picture.rows = shownRows(*answer, layout.rows);
    picture.hidden_rows = static_cast<int>(answer->rows.size() - picture.rows.size());
    for (std::size_t row = 0; row < layout.rows; ++row) {
        for (std::size_t column = 0; column < layout.columns; ++column) {
            picture.cells.push_back({{picture.rows[row], column}, layout.cell(row, column)});
        }
    }
    const double end = picture.ranking.bottom();
    double y = picture.ranking.top() + measure::line + 2;
    for (std::size_t k = 0; k < answer->leaders.size(); ++k) {
        const double each =
            picture.explained ? explainedHeight(*answer, k, picture.ranking.width()) : measure::line;
        if (y + each > end) {
            break;
        }
        const bool fits = answer->tuning.ranked[answer->leaders[k]].step.fits();
        if (!fits && !picture.misfits) {
            if (y + measure::line + each > end) {
                break; // The words go with what they are about.
            }
            picture.misfits = QRectF(picture.ranking.left(), y, picture.ranking.width(), measure::line);
            y += measure::line;
        }
        picture.leaders.push_back(QRectF(picture.ranking.left(), y, picture.ranking.width(), each));
        y += each;
    }
    return picture;
}

std::optional<TunerPlace> cellAt(const TunerPicture& picture, const QPointF& point) {
    const auto found = std::ranges::find_if(
        picture.cells, [&](const TunerCellBox& box) { return box.area.contains(point); });
    return found == picture.cells.end() ? std::nullopt : std::optional(found->place);
}

std::optional<std::size_t> leaderAt(const TunerPicture& picture, const QPointF& point) {
    for (std::size_t k = 0; k < picture.leaders.size(); ++k) {
        if (picture.leaders[k].contains(point)) {
            return k;
        }
    }
    return std::nullopt;
}

void paintTunerTitle(QPainter& painter, const TunerPicture& picture, Theme theme) {
    painter.fillRect(QRect(QPoint(0, 0), picture.size), color(Role::background, theme));
    painter.setPen(color(Role::text, theme));
    double y = 4 + measure::controls_height;
    for (const QString& one : picture.title) {
        drawFitted(
            painter,
            QRectF(measure::margin, y, picture.size.width() - 2 * measure::margin, measure::title_line),
            Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::title, true), one);
        y += measure::title_line;
    }
}

void paint(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme) {
    paintTunerTitle(painter, picture, theme);
    if (picture.difference) {
        paintDifference(painter, picture, marks, theme);
        return;
    }
    paintScale(painter, picture, theme);
    paintHeat(painter, picture, theme);
    paintNames(painter, picture, marks, theme);
    if (const QRectF* best = boxOf(picture, picture.answer->landscape.best)) {
        paintHeatCorner(painter, *best, theme);
    }
    paintTunerMarks(painter, picture, marks, theme);
    paintObjection(painter, picture, marks.selected.value_or(*picture.answer->landscape.best), theme);
    paintRanking(painter, picture, theme);
}

} // namespace meshslice::ui
