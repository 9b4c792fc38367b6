#include "ui/timeline/timeline_picture.h"

#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "ui/look/hatch.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/critical_outline.h"
#include "ui/timeline/row_names.h"

#include <QCoreApplication>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct TimelineWords {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

constexpr int tick_spacing = 84;

void fillRects(QPainter& painter, const std::vector<QRect>& rects, const QColor& fill) {
    const QPaintEngine* engine = painter.paintEngine();
    if (engine && engine->type() == QPaintEngine::Raster) {
        for (const QRect& rect : rects) {
            painter.fillRect(rect, fill);
        }
        return;
    }
    // One path for all of a colour keeps vector files small.
    QPainterPath path;
    for (const QRect& rect : rects) {
        path.addRect(rect);
    }
    painter.fillPath(path, fill);
}

/// Lines around those that are large enough.
std::vector<QRect> linesAround(const std::vector<QRect>& rects) {
    std::vector<QRect> lines;
    for (const QRect& rect : rects) {
        for (const QRectF& line : edgesOf(QRectF(rect))) {
            lines.push_back(line.toRect());
        }
    }
    return lines;
}

/// The part of a stretch of time that is seen, as pixels [left, right).
struct Seen {
    int left = 0;
    int right = 0;
};
Seen seen(const TimelinePicture& picture, TimeRange range) {
    return {std::max(picture.scale.pixel(range.begin), picture.layout.labels),
            std::min(picture.scale.pixel(range.end), picture.layout.right)};
}

void paintBand(QPainter& painter, const QRect& band, const QString& words, const QFont& font, Theme theme) {
    painter.fillRect(band, color(Role::grid, theme));
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(band).adjusted(2, 0, -2, 0), Qt::AlignCenter, font, words);
}

/// Above: the layers; below: their passes. A GEMM on its own has one band for both.
void paintBands(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    const TimelineLayout::Pane& pane = picture.layout.panes[step];
    const QFont font = lettering(Lettering::small);
    const QFont bold = lettering(Lettering::small, true);
    const std::vector<GemmResult>& products = picture.runs[step]->step().gemms;
    const int half = pane.bands.height() / 2;
    std::size_t gemm = 0;
    while (gemm < products.size()) {
        const std::string& layer = products[gemm].gemm.layer;
        TimeRange whole = *rangeOf(picture.runs, {step, gemm, {}, {}});
        std::size_t end = gemm;
        for (;
             end < products.size() && (end == gemm || (!layer.empty() && products[end].gemm.layer == layer));
             ++end) {
            const TimeRange range = *rangeOf(picture.runs, {step, end, {}, {}});
            whole.end = range.end;
            const Seen at = seen(picture, range);
            if (at.right <= at.left) {
                continue;
            }
            if (!layer.empty()) {
                const QRect band(at.left, pane.bands.top() + half, std::max(1, at.right - at.left - 1),
                                 pane.bands.height() - half);
                paintBand(painter, band, passText(products[end].gemm.pass, font, band.width() - 4), font,
                          theme);
            }
            if (range.begin > picture.scale.range.begin) {
                painter.fillRect(
                    QRect(at.left - 1, pane.bands.top(), 1, pane.rows.bottom() - pane.bands.top()),
                    tint(Role::quietText, theme, 0.5));
            }
        }
        if (const Seen at = seen(picture, whole); at.right > at.left) {
            const QRect band(at.left, pane.bands.top(), std::max(1, at.right - at.left - 1),
                             layer.empty() ? pane.bands.height() : half);
            paintBand(painter, band, QString::fromStdString(layer.empty() ? products[gemm].title() : layer),
                      bold, theme);
        }
        gemm = end;
    }
}

/// Where one algorithm is done before the other.
void paintEnd(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    const TimelineLayout::Pane& pane = picture.layout.panes[step];
    const Time end = picture.runs[step]->step().time;
    const int x = picture.scale.pixel(end);
    if (x < picture.layout.labels || x >= picture.layout.right) {
        return;
    }
    painter.fillRect(QRect(x, pane.bands.top(), 1, pane.rows.bottom() - pane.bands.top()),
                     color(Role::text, theme));
    painter.setPen(color(Role::text, theme));
    const QRectF room(x + 6, pane.bands.top(), picture.layout.right - x - 6.0, pane.bands.height());
    const QFont font = lettering(Lettering::small);
    const QString time = QString::fromStdString(text(end));
    drawFitted(painter, room, Qt::AlignLeft | Qt::AlignVCenter, font,
               firstFitting(font, {TimelineWords::tr("done after %1").arg(time), time}, room.width()));
}

void paintRows(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    const TimelineLayout::Pane& pane = picture.layout.panes[step];
    const std::vector<Row>& rows = picture.runs[step]->rows();
    const std::vector<RowLine>& lines = picture.lines[step];
    if (lines.empty()) {
        const RowList& list = (*picture.window.rows)[step];
        if (!rows.empty() && list.pinned.empty() && list.others.empty() && pane.rows.height() > 0) {
            painter.setPen(color(Role::quietText, theme));
            painter.setFont(lettering(Lettering::normal));
            painter.drawText(pane.rows.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap,
                             TimelineWords::tr("No row has what is searched for."));
        }
        return;
    }
    for (std::size_t line = 0; line < lines.size(); ++line) {
        if (!lines[line].group && rows[lines[line].index].is_core) {
            painter.fillRect(picture.lineRect(step, line), color(Role::panel, theme));
        }
    }
    const int bottom = picture.lineRect(step, lines.size() - 1).bottom();
    for (const Time tick : picture.axis.ticks(picture.scale.range)) {
        const int x = picture.scale.pixel(tick);
        if (x < picture.layout.right) {
            painter.fillRect(QRect(x, pane.rows.top(), 1, bottom - pane.rows.top() + 1),
                             color(Role::grid, theme));
        }
    }
    paintBars(painter, picture.bars[step], theme);
    paintBarWords(painter, picture.words[step], theme);
}

/// The matches of what is searched for in the rows of the lines of a step, a rectangle for those that touch.
std::vector<QRect> searchHits(const TimelinePicture& picture, std::size_t step) {
    std::vector<QRect> hits;
    const Time pixel(static_cast<std::int64_t>(std::ceil(picture.scale.picosecondsPerPixel())));
    for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
        const RowLine& at = picture.lines[step][line];
        if (at.group) {
            continue;
        }
        const QRect area = picture.lineRect(step, line);
        for (const TimeRange& stretch :
             picture.window.found->stretches(step, at.index, picture.scale.range, pixel)) {
            const int begin = std::max(picture.scale.pixel(stretch.begin), picture.layout.labels);
            const int end =
                std::min(std::max(picture.scale.pixel(stretch.end), begin + 1), picture.layout.right);
            const int from = !hits.empty() && hits.back().top() == area.top()
                                 ? std::max(begin, hits.back().left() + hits.back().width())
                                 : begin;
            if (end > from) {
                hits.emplace_back(from, area.top(), end - from, area.height());
            }
        }
    }
    return hits;
}

/// What is not searched for is fainter, and above what is there is a line: colour alone says nothing.
void paintSearchHits(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    if (picture.window.found == nullptr || !picture.window.found->hasWords()) {
        return;
    }
    QColor veil = color(Role::background, theme);
    veil.setAlpha(190);
    auto hit = picture.hits[step].begin();
    const auto last = picture.hits[step].end();
    for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
        if (picture.lines[step][line].group) {
            continue;
        }
        const QRect area = picture.lineRect(step, line);
        int from = area.left();
        for (; hit != last && hit->top() == area.top(); ++hit) {
            painter.fillRect(QRect(from, area.top(), hit->left() - from, area.height()), veil);
            painter.fillRect(QRect(hit->left(), area.top(), hit->width(), 2), color(Role::text, theme));
            from = hit->left() + hit->width();
        }
        painter.fillRect(QRect(from, area.top(), area.left() + area.width() - from, area.height()), veil);
    }
}

/// Where words stand over the data: the lines of marks leave them out.
std::vector<QRect> lettered(const TimelinePicture& picture) {
    std::vector<QRect> places;
    for (std::size_t step = 0; step < picture.runs.size(); ++step) {
        const TimelineLayout::Pane& pane = picture.layout.panes[step];
        places.push_back(pane.header);
        places.push_back(pane.bands);
        for (const BarWords& one : picture.words[step]) {
            places.push_back(one.lettered());
        }
        for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
            const RowLine& at = picture.lines[step][line];
            if (at.group && !(*picture.window.rows)[step].groups[at.index].collapsed) {
                places.push_back(picture.lineRect(step, line));
            }
        }
    }
    return places;
}

/// A line of 2 pixels along the bottom of its bars; a frame means the selection.
void paintCritical(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    std::vector<QRect> lines;
    for (const QRect& stay : picture.critical[step]) {
        lines.emplace_back(stay.left(), stay.bottom() - 1, stay.width(), 2);
    }
    fillRects(painter, lines, color(Role::text, theme));
}

/// Where GEMMs were only estimated: says so in place of their bars.
void paintEstimated(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    const TimelineLayout::Pane& pane = picture.layout.panes[step];
    painter.setPen(color(Role::quietText, theme));
    if (picture.runs[step]->rows().empty()) {
        painter.setFont(lettering(Lettering::normal));
        painter.drawText(pane.rows.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         whyNoBars(*picture.runs[step]));
        return;
    }
    for (const Piece& piece : picture.runs[step]->pieces()) {
        const Seen at = seen(picture, {piece.start, piece.end});
        if (!piece.timeline && at.right > at.left) {
            drawFitted(
                painter, QRectF(at.left + 4, pane.rows.top(), at.right - at.left - 8.0, pane.rows.height()),
                Qt::AlignCenter, lettering(Lettering::small), TimelineWords::tr("estimated only: no bars"));
        }
    }
}

} // namespace

void paintRuler(QPainter& painter, const QRect& ruler, const TimeScale& scale, const TimeAxis& axis,
                Theme theme) {
    const int right = ruler.x() + ruler.width();
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(8, ruler.top(), ruler.left() - 16, ruler.height()),
               Qt::AlignRight | Qt::AlignVCenter, font, TimelineWords::tr("time (%1)").arg(axis.unitName));
    double free = ruler.left() - 1.0;
    for (const Time tick : axis.ticks(scale.range)) {
        const int x = scale.pixel(tick);
        if (x >= right) {
            continue;
        }
        const QString label = axis.tickLabel(tick);
        const double width = textWidth(font, label);
        painter.fillRect(QRect(x, ruler.bottom() - 3, 1, 4), color(Role::quietText, theme));
        // At the left edge a label stands right of its tick, so that "0" is not lost.
        double left = std::max(x - width / 2, static_cast<double>(ruler.left()));
        if (left < free || left + width > right + 1) {
            continue;
        }
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, QRectF(left, ruler.top(), width + 1, ruler.height() - 5),
                   Qt::AlignLeft | Qt::AlignVCenter, font, label);
        free = left + width + 6;
    }
}

void paintBars(QPainter& painter, const Bars& bars, Theme theme) {
    for (const QRect& wait : bars.waits) {
        paintHatch(painter, wait, theme);
    }
    for (const Bars::Group& group : bars.groups) {
        if (texture(group.role) == Texture::hatched) {
            for (const QRect& rect : group.rects) {
                paintHatch(painter, rect, theme);
            }
            continue;
        }
        fillRects(painter, group.rects, color(group.role, theme));
    }
    for (const Bars::Group& group : bars.groups) {
        if (texture(group.role) == Texture::edged) {
            fillRects(painter, linesAround(group.rects), edgeColor(group.role, theme));
        }
        fillRects(painter, group.seams, color(Role::background, theme));
    }
}

void paintSelection(QPainter& painter, const QRect& bar, Theme theme) {
    const QColor ink = color(Role::text, theme);
    painter.setBrush(Qt::NoBrush);
    if (bar.width() >= least_framed) {
        painter.setPen(QPen(color(Role::background, theme), 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(bar.adjusted(-1, -1, 0, 0));
        painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(QRectF(bar).adjusted(-2, -2, 2, 2));
        return;
    }
    const int middle = bar.left() + bar.width() / 2;
    painter.fillRect(QRect(middle, bar.top(), 1, bar.height()), ink);
    constexpr int pointer = 7;
    for (int line = 0; line < pointer; ++line) { // it points down at the bar
        const int half = (pointer - 1 - line) / 2 + (pointer - line) / 4;
        painter.fillRect(QRect(middle - half, bar.top() - pointer + line, 2 * half + 1, 1), ink);
    }
}

bool anyFolded(const std::vector<RowList>& lists) {
    return std::ranges::any_of(lists, [](const RowList& list) {
        return std::ranges::any_of(list.groups, &RowList::Group::collapsed);
    });
}

std::vector<LegendItem> timelineLegend(const StepRuns& runs, bool critical, bool brief, bool folded) {
    int axes = 0;
    bool ring = false;
    for (const StepRunPtr& run : runs) {
        axes = std::max(axes, run->torus().axis_count());
        ring = ring || (!run->rows().empty() && run->torus().axis_count() == 1);
    }
    std::vector<LegendItem> items;
    const auto add = [&](const QString& whole, const QString& in_brief, std::optional<Role> role) {
        items.push_back({brief ? in_brief : whole, role});
    };
    add(TimelineWords::tr("multiply"), TimelineWords::tr("multiply"), Role::compute);
    if (axes > 1) {
        add(TimelineWords::tr("transfer along a row"), TimelineWords::tr("row"), Role::transferHorizontal);
        add(ring ? TimelineWords::tr("transfer along a column, or the one ring")
                 : TimelineWords::tr("transfer along a column"),
            ring ? TimelineWords::tr("column, ring") : TimelineWords::tr("column"), Role::transferVertical);
    } else {
        add(TimelineWords::tr("transfer"), TimelineWords::tr("transfer"), Role::transferVertical);
    }
    if (axes > 2) {
        add(TimelineWords::tr("transfer along the third axis"), TimelineWords::tr("third axis"),
            Role::transferThird);
    }
    add(TimelineWords::tr("synchronisation"), TimelineWords::tr("sync"), Role::sync);
    add(TimelineWords::tr("launch"), TimelineWords::tr("launch"), Role::launch);
    if (std::ranges::any_of(runs, [](const StepRunPtr& run) {
            return tiled(run->conditions().assume.schedule, run->conditions().machine);
        })) {
        add(TimelineWords::tr("copying slices"), TimelineWords::tr("copies"), Role::slicing);
    }
    if (std::ranges::any_of(runs, [](const StepRunPtr& run) {
            const StepConditions& made = run->conditions();
            return staged(made.assume.schedule, made.machine) &&
                   made.assume.schedule.reduction == Reduction::by_units;
        })) {
        add(TimelineWords::tr("last sum, by the compute units"), TimelineWords::tr("last sum"),
            Role::slicing);
    }
    add(TimelineWords::tr("core waits: exposed communication"), TimelineWords::tr("core waits"),
        Role::exposed);
    if (folded) {
        add(TimelineWords::tr("busy links of a folded group"), TimelineWords::tr("folded links"),
            Role::quietText);
    }
    if (critical) {
        items.push_back({TimelineWords::tr("critical path"), Role::text, std::nullopt, LegendSign::line});
    }
    if (!brief) {
        items.push_back(
            {TimelineWords::tr("several bars in a pixel: height by share of time"), std::nullopt});
    }
    return items;
}

std::optional<RowLine> TimelinePicture::lineAt(std::size_t step, int y) const {
    const std::optional<std::size_t> line =
        ui::lineAt(layout.panes[step].rows, rowHeight(), lines[step].size(), y);
    return line ? std::optional(lines[step][*line]) : std::nullopt;
}

std::optional<QRect> TimelinePicture::placeOf(std::size_t step, std::size_t row) const {
    const auto line = std::ranges::find(lines[step], RowLine{row, false});
    return line == lines[step].end()
               ? std::nullopt
               : std::optional(lineRect(step, static_cast<std::size_t>(line - lines[step].begin())));
}

TimelinePicture makePicture(const StepRuns& runs, const TimelineWindow& window, const QSize& size,
                            const TimelineRoom& room) {
    TimelinePicture picture;
    picture.runs = runs;
    picture.window = window;
    picture.layout = layoutTimeline(size, room);
    picture.scale = {window.range, picture.layout.labels, picture.layout.dataWidth()};
    picture.axis = TimeAxis::choose(picture.scale, tick_spacing);
    picture.flags = markFlags(window.marks, picture.scale, picture.layout.ruler);
    if (!room.noLegend) {
        picture.legend =
            timelineLegend(runs, window.reasons != nullptr, room.briefLegend, anyFolded(*window.rows));
    }
    for (std::size_t step = 0; step < runs.size(); ++step) {
        const QRect& area = picture.layout.panes[step].rows;
        picture.lines.push_back(
            (*window.rows)[step].inSight(window.firstRow, rowsThatFit(area, picture.rowHeight())));
        picture.bars.push_back(
            buildBars(*runs[step], picture.scale, area, picture.rowHeight(), picture.lines.back()));
        picture.words.push_back(
            wordsInBars(*runs[step], picture.scale, area, picture.rowHeight(), picture.lines.back()));
        const auto pathOf = [&](std::size_t gemm) -> const CriticalPath* {
            const ProductWhy* why = window.reasons ? window.reasons->of(step, gemm) : nullptr;
            return why ? why->path.get() : nullptr;
        };
        picture.hits.push_back(window.found != nullptr ? searchHits(picture, step) : std::vector<QRect>());
        picture.critical.push_back(outlineCriticalPath(*runs[step], pathOf, picture.scale, area,
                                                       picture.rowHeight(), picture.lines.back()));
    }
    GroupSummaries own;
    picture.summaries = (window.summaries != nullptr ? *window.summaries : own)
                            .of(runs, *window.rows, picture.lines, window.range, picture.layout.dataWidth());
    picture.lettered = lettered(picture);
    return picture;
}

void paint(QPainter& painter, const TimelinePicture& picture, const QSize& size, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    const TimelineLayout& layout = picture.layout;
    if (!picture.title.isEmpty()) {
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(layout.title).adjusted(8, 4, -8, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(Lettering::title, true), picture.title);
    }
    paintRuler(painter, layout.ruler, picture.scale, picture.axis, theme);
    for (std::size_t step = 0; step < picture.runs.size(); ++step) {
        const TimelineLayout::Pane& pane = layout.panes[step];
        if (pane.header.height() > 0) {
            painter.setPen(color(Role::text, theme));
            const QRectF line = QRectF(pane.header).adjusted(8, 0, -4, 0);
            const QFont bold = lettering(Lettering::normal, true);
            // Where there is no room for all of it, its parts are left out from the end, whole.
            const QStringList one =
                inLines(bold, QString::fromStdString(headline(picture.runs[step]->step(), SaidEdits::nearby)),
                        line.width(), 1);
            drawFitted(painter, line, Qt::AlignLeft | Qt::AlignVCenter, bold, one.join(QLatin1Char(' ')));
        }
        paintRows(painter, picture, step, theme);
        paintSearchHits(painter, picture, step, theme);
        paintCritical(painter, picture, step, theme);
        paintEstimated(painter, picture, step, theme);
        paintBands(painter, picture, step, theme);
        paintEnd(painter, picture, step, theme);
        paintRowNames(painter, picture, step, theme);
    }
    paintMarks(painter, picture.flags, layout.ruler, layout.legend.top() - 2, picture.lettered, theme);
    painter.fillRect(QRect(0, layout.legend.top() - 1, size.width(), 1), color(Role::grid, theme));
    paintLegend(painter, picture.legend, QPointF(8, layout.legend.top() + 2), size.width() - 16.0, theme);
}

} // namespace meshslice::ui
