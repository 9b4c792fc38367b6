#include "ui/timeline/run_picture.h"

#include "core/base/text.h"
#include "core/report/chart/ticks.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/timeline/run_hit.h"
#include "ui/timeline/strip/overview.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/timeline/view/timeline_bars.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct RunPictureWords {
    Q_DECLARE_TR_FUNCTIONS(RunPicture)
};

constexpr int run_tick_spacing = 84;
constexpr int row_for_names = 12; ///< from this height on each row has its name
constexpr int run_name_line = 17;
constexpr int least_worded = 12; ///< pixels wide: a digit and its margins

/// What of a row is drawn.
struct DrawnRow {
    std::size_t number = 0;
    QRect area; ///< of its bars
    std::vector<RunSlice> slices;
};

/// Words in bars that have room for them; where they stand is added to `lettered`.
void paintWords(QPainter& painter, const RunWindow& window, const DrawnRow& row, const TimeScale& scale,
                Theme theme, std::vector<QRect>& lettered) {
    if (row.area.height() < row_for_names - 2 || window.words.at) {
        return; // Labels are not what is said of a row that says what stands at a pixel.
    }
    const QFont font = lettering(row.area.height() >= 14 ? Lettering::small : Lettering::tiny);
    for (const RunSlice& slice : row.slices) {
        const int left = std::max(scale.pixel(slice.start), row.area.left());
        const int right = std::min(scale.pixel(slice.end), row.area.left() + row.area.width());
        // A sync is half as high as a letter, and a wait says nothing.
        if (slice.count > 1 || right - left < least_worded || slice.role == Role::sync ||
            slice.role == Role::waits || slice.role == Role::exposed || !isOwn(slice)) {
            continue;
        }
        const RunLabel label =
            window.runAt(row.number).label(window.at(row.number).lanes.front(), slice.item);
        QStringList wishes;
        for (const std::string& wish : label.briefs) {
            wishes << words(wish);
        }
        const QString said =
            firstFitting(font, wishes.isEmpty() ? QStringList{words(label.name)} : wishes, right - left - 4);
        if (!said.isEmpty()) {
            painter.setPen(reads_black_on(rgb(slice.role, theme)) ? Qt::black : Qt::white);
            drawFitted(painter, QRectF(left, row.area.top(), right - left, row.area.height()),
                       Qt::AlignCenter, font, said);
            const int width = static_cast<int>(textWidth(font, said)) + 2;
            lettered.emplace_back((left + right - width) / 2, row.area.top(), width, row.area.height());
        }
    }
}

/// Every how many rows there is room for a name: 1, 2, 4, 8, ...
std::size_t everyRow(int row) {
    std::size_t every = 1;
    while (row * static_cast<int>(every) < row_for_names) {
        every *= 2;
    }
    return every;
}

/// "\u25be row 3 of the mesh (40 rows)"; what its rows do takes the data's place where it stands for them.
void paintHeading(QPainter& painter, const RunRow& heading, const QRect& line, Theme theme) {
    const int right = heading.sum ? line.left() : line.left() + line.width();
    painter.fillRect(QRect(0, line.top(), right, line.height()), color(Role::grid, theme));
    painter.setPen(color(Role::text, theme));
    const QFont font = lettering(Lettering::small, true);
    const QRectF place(8, line.top(), right - 12.0, line.height());
    const QString fitting = firstFitting(font, {heading.where, heading.name}, place.width());
    drawFitted(painter, place, Qt::AlignLeft | Qt::AlignVCenter, font,
               fitting.isEmpty() ? heading.name : fitting);
    if (heading.sum) {
        paintSummary(painter, line.adjusted(0, 1, 0, -1), *heading.sum, theme);
    }
}

void paintRowName(QPainter& painter, const RunWindow& window, const RunLayout& layout, std::size_t row,
                  Theme theme) {
    const QRect all = layout.rowOf(row);
    const bool selected = row == window.row;
    const int apart = window.row
                          ? std::abs(static_cast<int>(row) - static_cast<int>(*window.row)) * layout.row
                          : row_for_names;
    if (selected || (row % everyRow(layout.row) == 0 && apart >= row_for_names)) {
        const RunRow& named = window.at(row);
        const QFont font = lettering(Lettering::small, selected);
        const QRectF place(layout.names + 4.0, all.center().y() - 8.0, layout.left - layout.names - 12.0, 16);
        painter.setPen(color(named.warns ? Role::exposed : Role::text, theme));
        drawFitted(painter, place, Qt::AlignRight | Qt::AlignVCenter, font, named.name);
        painter.setPen(color(named.quiet && !selected ? Role::quietText : Role::text, theme));
        drawFitted(painter, place.adjusted(0, 0, -std::min(place.width(), textWidth(font, named.name)), 0),
                   Qt::AlignRight | Qt::AlignVCenter, font, named.where);
    }
    if (selected) {
        painter.fillRect(QRect(layout.left - 4, all.top(), 3, all.height()), color(Role::text, theme));
    }
}

/// Left of the rows of a run their names; where one is said once for all rows of a place, lines part places.
void paintRowNames(QPainter& painter, const RunWindow& window, const RunLayout& layout,
                   const RunLayout::Block& block, Theme theme) {
    if (block.count == 0) {
        return;
    }
    const std::size_t pinned = window.runs[window.runOf(block.first)].pinned;
    for (std::size_t row = block.first; row < block.first + block.count; ++row) {
        const RunRow& named = window.at(row);
        const QRect all = layout.rowOf(row);
        if (!all.intersects(layout.body)) {
            continue;
        }
        if (named.lanes.empty()) {
            paintHeading(painter, named, all, theme);
            continue;
        }
        const bool begins =
            row == block.first || row == block.first + pinned || window.at(row - 1).place != named.place;
        if (begins && row > block.first && row != block.first + pinned && !named.where.isEmpty()) {
            painter.fillRect(QRect(layout.names, all.top(), layout.right - layout.names, 1),
                             color(Role::grid, theme));
        }
        if (layout.left <= layout.names) {
            continue;
        }
        if (layout.row >= row_for_names || named.where.isEmpty()) {
            paintRowName(painter, window, layout, row, theme);
            continue;
        }
        std::size_t end = row + 1; // of those of the same place
        while (begins && end < block.first + block.count && end != block.first + pinned &&
               window.at(end).place == named.place) {
            ++end;
        }
        if (const double room = static_cast<double>(end - row) * layout.row; begins && room >= 14) {
            painter.setPen(color(Role::text, theme));
            drawFitted(painter, QRectF(8, all.top(), layout.left - 16.0, std::min(room, 16.0)),
                       Qt::AlignRight | Qt::AlignVCenter, lettering(Lettering::small), named.where.trimmed());
        }
    }
    // What does not scroll is set apart from what does.
    if (pinned > 0) {
        painter.fillRect(QRect(0, layout.rowOf(block.first + pinned - 1).bottom(), layout.right, 2),
                         color(Role::quietText, theme));
    }
}

/// The name of a run, as many of its lines as fit next to its rows.
void paintRunName(QPainter& painter, const ShownRun& shown, const RunLayout& layout, const QRect& area,
                  Theme theme) {
    const auto lines = std::clamp<qsizetype>(area.height() / run_name_line, 1, shown.name.size());
    const int top = area.top() + std::max(0, (area.height() - static_cast<int>(lines) * run_name_line) / 2);
    for (qsizetype line = 0; line < lines; ++line) {
        painter.setPen(color(line == 2 ? Role::quietText : Role::text, theme));
        drawFitted(painter,
                   QRectF(run_margin, top + static_cast<int>(line) * run_name_line,
                          layout.names - run_margin - 4, run_name_line),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(line == 0 ? Lettering::normal : Lettering::small, line == 0), shown.name[line]);
    }
}

/// Bands above the rows, of stretches and below them of their parts, and lines where they begin.
void paintSpans(QPainter& painter, const ShownRun& shown, const TimeScale& scale,
                const RunLayout::Block& block, Theme theme) {
    const QFont font = lettering(block.spans.height() > 20 ? Lettering::small : Lettering::tiny);
    const QFont bold = lettering(Lettering::small, true);
    const int end = block.spans.left() + block.spans.width();
    const bool parts = std::ranges::any_of(shown.spans, &RunSpan::part);
    const int half = block.spans.height() / 2;
    for (const RunSpan& span : shown.spans) {
        const int left = std::max(scale.pixel(span.range.begin), block.spans.left());
        // A closed form may last a little longer than the run.
        const int right = std::min(scale.pixel(std::min(span.range.end, shown.run->end())), end);
        if (right <= left) {
            continue;
        }
        const QRect band(left, block.spans.top() + (span.part ? half : 0), std::max(1, right - left - 1),
                         !parts      ? block.spans.height() - 1
                         : span.part ? block.spans.height() - half
                                     : half);
        painter.fillRect(band, color(Role::grid, theme));
        const QFont& used = parts && !span.part ? bold : font;
        const QString label = firstFitting(used, span.names, band.width() - 4);
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(band).adjusted(2, 0, -2, 0), Qt::AlignCenter, used,
                   label.isEmpty() && !span.part ? span.names.back() : label);
        if (span.divides && span.range.begin > scale.range.begin) {
            // Where a part begins the name of the whole goes on above it.
            painter.fillRect(QRect(left - 1, band.top(), 1, block.rows.bottom() - band.top()),
                             tint(Role::quietText, theme, 0.5));
        }
    }
}

/// Where the run ends, and what is said of that; in the margin where the end is out of the picture.
void paintEnd(QPainter& painter, const RunWindow& window, const ShownRun& shown, const RunLayout& layout,
              const RunLayout::Block& block, int width, Theme theme) {
    const Time end = shown.run->end();
    if (shown.ends.isEmpty() || end < window.range.begin) {
        return;
    }
    const bool seen = end <= window.range.end;
    const bool beside = layout.names > 0; // there is room for it next to the rows
    const int x = seen ? layout.scale(window).pixel(end) : layout.right;
    if (seen && x < layout.right) {
        painter.fillRect(QRect(x, block.spans.top(), 1, block.rows.bottom() - block.spans.top() + 1),
                         color(Role::text, theme));
    }
    if (!seen && !beside) {
        return;
    }
    const int line = beside ? std::max(layout.row, run_name_line - 3) : run_name_line;
    const int top = beside ? block.rows.top() : block.spans.top();
    const auto lines = std::min<qsizetype>(shown.ends.size(), block.area.height() >= 2 * line ? 2 : 1);
    for (qsizetype k = 0; k < lines; ++k) {
        painter.setPen(color(k == 0 ? Role::text : Role::quietText, theme));
        drawFitted(
            painter,
            QRectF(x + 6, top + static_cast<int>(k) * line, (beside ? width : layout.right) - x - 8.0, line),
            Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small, k == 0),
            seen || k > 0 ? shown.ends[k] : RunPictureWords::tr("→ %1").arg(shown.ends[k]));
    }
}

/// Why there are no rows: next to the name of a run, or in the middle of where they would be.
void paintObjection(QPainter& painter, const ShownRun& shown, const RunLayout& layout,
                    const RunLayout::Block& block, Theme theme) {
    painter.setPen(color(Role::quietText, theme));
    if (!shown.name.isEmpty()) {
        paintRunName(painter, shown, layout, block.area, theme);
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, QRectF(block.area).adjusted(layout.names, 0, -run_margin, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small), shown.objection);
    } else if (!block.rows.isEmpty()) {
        painter.setFont(lettering(Lettering::normal));
        painter.drawText(block.rows.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         shown.objection);
    }
}

/// Where a run was only estimated: says so in place of its bars.
void paintUnrecorded(QPainter& painter, const Run& run, const TimeScale& scale, const QRect& rows,
                     Theme theme) {
    std::vector<Stretch> known = run.recorded();
    known.push_back({run.end(), run.end()});
    Time from;
    painter.setPen(color(Role::quietText, theme));
    for (const Stretch& stretch : known) {
        const int left = std::max(scale.pixel(from), rows.left());
        const int right = std::min(scale.pixel(stretch.begin), rows.left() + rows.width());
        if (stretch.begin > from && right > left) {
            drawFitted(painter, QRectF(left + 4, rows.top(), right - left - 8.0, rows.height()),
                       Qt::AlignCenter, lettering(Lettering::small),
                       RunPictureWords::tr("estimated only: no bars"));
        }
        from = stretch.end;
    }
}

/// Bars, their words and the selected one.
void paintBarsOf(QPainter& painter, const RunWindow& window, const RunLayout& layout,
                 const RunLayout::Block& block, Theme theme, std::vector<QRect>& lettered) {
    const TimeScale scale = layout.scale(window);
    const int inset = layout.row >= 18 ? 2 : layout.row >= 8 ? 1 : 0;
    Bars bars;
    std::vector<DrawnRow> drawn;
    for (std::size_t row = block.first; row < block.first + block.count; ++row) {
        const std::vector<std::size_t>& lanes = window.at(row).lanes;
        const QRect all = layout.rowOf(row);
        if (lanes.empty() || !all.intersects(layout.body)) {
            continue;
        }
        const Run& run = window.runAt(row);
        const QRect area = all.adjusted(0, inset, 0, -inset);
        drawn.push_back({row, area, slicesOf(window, row, scale.range, scale.picosecondsPerPixel())});
        const bool exposes = run.lane(lanes.front()).exposes;
        buildRow(bars, drawn.back().slices, exposes ? run.recorded() : std::vector<Stretch>(), run.end(),
                 scale, area);
    }
    paintBars(painter, bars, theme);
    for (const DrawnRow& row : drawn) {
        paintWords(painter, window, row, scale, theme, lettered);
        const auto selected = std::ranges::find_if(row.slices, [&](const RunSlice& slice) {
            return row.number == window.row && window.item == slice.item && slice.count == 1;
        });
        if (selected != row.slices.end()) {
            const int left = std::max(scale.pixel(selected->start), row.area.left());
            const int right = std::min(scale.pixel(selected->end), row.area.left() + row.area.width());
            paintSelection(painter, {left, row.area.top(), std::max(1, right - left), row.area.height()},
                           theme);
        }
    }
}

/// A run's rows and what stands around them.
void paintBlock(QPainter& painter, const RunWindow& window, const RunLayout& layout, std::size_t number,
                int width, const TimeAxis& axis, Theme theme, std::vector<QRect>& lettered) {
    const ShownRun& shown = window.runs[number];
    const RunLayout::Block& block = layout.blocks[number];
    if (block.line) {
        painter.fillRect(QRect(0, *block.line, width, 1), color(Role::grid, theme));
    }
    if (!shown.heading.isEmpty()) {
        // Where there is no room for all of it, its parts are left out from the end, whole.
        painter.setPen(color(Role::text, theme));
        const QRectF line = QRectF(block.heading).adjusted(8, 0, -4, 0);
        const QFont bold = lettering(Lettering::normal, true);
        drawFitted(painter, line, Qt::AlignLeft | Qt::AlignVCenter, bold,
                   inLines(bold, shown.heading, line.width(), 1).join(QLatin1Char(' ')));
        lettered.push_back(block.heading);
    }
    if (!shown.name.isEmpty() && block.count > 0) {
        paintRunName(painter, shown, layout, block.area, theme);
    }
    const TimeScale scale = layout.scale(window);
    if (block.count > 0) {
        const int end = std::clamp(scale.pixel(shown.run->end()), layout.left, layout.right);
        for (std::size_t row = block.first; row < block.first + block.count; ++row) {
            // A core's row differs by its background, as long as the run lasts.
            const std::vector<std::size_t>& lanes = window.at(row).lanes;
            if (!lanes.empty() && shown.run->lane(lanes.front()).exposes) {
                const QRect all = layout.rowOf(row);
                painter.fillRect(QRect(all.left(), all.top(), end - all.left(), all.height()),
                                 color(Role::panel, theme));
            }
        }
        const int below = layout.rowOf(block.first + block.count - 1).bottom() + 1;
        for (const Time tick : axis.ticks(scale.range)) {
            if (const int x = scale.pixel(tick); x < layout.right) {
                painter.fillRect(QRect(x, block.rows.top(), 1, below - block.rows.top()),
                                 color(Role::grid, theme));
            }
        }
        paintBarsOf(painter, window, layout, block, theme, lettered);
        paintUnrecorded(painter, *shown.run, scale, block.rows, theme);
    } else {
        paintObjection(painter, shown, layout, block, theme);
    }
    if (block.spans.height() > 0) {
        paintSpans(painter, shown, scale, block, theme);
        lettered.push_back(block.spans);
    }
    if (shown.run) {
        paintEnd(painter, window, shown, layout, block, width, theme);
        paintRowNames(painter, window, layout, block, theme);
    }
}

/// The headings of what is held: of the selected row, and of the limit.
void paintHeldHeading(QPainter& painter, const RunWindow& window, const QRectF& heading, Theme theme) {
    const QFont font = lettering(Lettering::small);
    const QFont bold = lettering(Lettering::small, true);
    const bool named = window.words.held && (window.row || window.holdsBelow);
    const QStringList held = named ? window.words.held(window.row.value_or(0)) : QStringList();
    const QStringList& limits = window.words.limit;
    // Either is shorter where both have no room next to each other.
    const double first = textWidth(bold, held.value(0)) + 12;
    QString limit = firstFitting(font, limits, heading.width() - first);
    limit = limit.isEmpty() && !limits.isEmpty() ? limits.back() : limit;
    const double limit_width = limit.isEmpty() ? 0 : textWidth(font, limit) + 12;
    const QString shown = firstFitting(bold, held, heading.width() - limit_width);
    painter.setPen(warningText(theme));
    drawFitted(painter, heading, Qt::AlignRight | Qt::AlignVCenter, font, limit);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, heading.adjusted(0, 0, -limit_width, 0), Qt::AlignLeft | Qt::AlignVCenter, bold,
               shown.isEmpty() ? held.value(0) : shown);
}

void paintHeld(QPainter& painter, const RunWindow& window, const RunLayout& layout, const TimeAxis& axis,
               Theme theme) {
    const ShownRun& shown = window.runs.front();
    const Run& run = *shown.run;
    const QRect plot = layout.held;
    const TimeScale scale = layout.scale(window);
    double most = window.limit;
    for (const std::size_t lane : shown.counters) {
        for (const RunValue& value : run.values(lane, window.whole())) {
            most = std::max(most, value.value);
        }
    }
    most *= 1.05;
    const auto y = [&](double bytes) { return plot.bottom() + 1 - bytes / most * plot.height(); };
    paintHeldHeading(painter, window,
                     QRectF(plot.left(), plot.top() - held_heading, plot.width(), held_heading - 2), theme);
    for (const Time tick : axis.ticks(scale.range)) {
        painter.fillRect(QRect(scale.pixel(tick), plot.top(), 1, plot.height()), color(Role::grid, theme));
    }
    painter.setFont(lettering(Lettering::small));
    for (const double tick : linear_ticks(0, most, std::max(2, plot.height() / 40))) {
        painter.fillRect(QRectF(plot.left(), y(tick) - 0.5, plot.width(), 1), color(Role::grid, theme));
        painter.setPen(color(Role::quietText, theme));
        painter.drawText(QRectF(0, y(tick) - 8, layout.left - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tick == 0 ? QStringLiteral("0") : words(bytes_text(tick)));
    }
    painter.save();
    painter.setClipRect(plot.adjusted(0, -1, 1, 2));
    const auto line = [&](std::size_t lane) {
        QPolygonF corners;
        for (const QPointF& corner : counterLine(run, lane, scale)) {
            corners.append({corner.x(), y(corner.y())});
        }
        return corners;
    };
    const std::optional<std::size_t> own = counterOf(window, window.row);
    painter.setPen(QPen(tint(Role::compute, theme, 0.45), 1));
    for (const std::size_t lane : shown.counters) {
        if (lane != own) {
            painter.drawPolyline(line(lane));
        }
    }
    if (own) {
        painter.setPen(QPen(color(Role::compute, theme), 2));
        painter.drawPolyline(line(*own));
    }
    if (window.limit > 0) {
        painter.setPen(QPen(color(Role::exposed, theme), 1.5, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), y(window.limit)), QPointF(plot.right() + 1, y(window.limit)));
    }
    painter.restore();
}

/// The finding, the line about it and the axis.
void paintHeader(QPainter& painter, const RunWindow& window, const RunLayout& layout, const TimeAxis& axis,
                 Theme theme) {
    const QFont bold = lettering(Lettering::title, true);
    QRectF line(run_margin, 8, layout.title.width() - 2 * run_margin, run_title_line);
    painter.setPen(color(Role::text, theme));
    for (const QString& one : findingLines(window, layout.title.width())) {
        drawFitted(painter, line, Qt::AlignLeft | Qt::AlignVCenter, bold, one);
        line.translate(0, run_title_line);
    }
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(layout.about).adjusted(window.aboutLeft, 0, -run_margin, 0),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
               window.about.isEmpty() && window.path.size() > 1 ? window.path.join(QStringLiteral(" \u203a "))
                                                                : window.about);
    paintRuler(painter, layout.ruler, layout.scale(window), axis, theme);
}

void paintFooter(QPainter& painter, const RunWindow& window, const RunLayout& layout, Theme theme) {
    const QRect legend = layout.legend;
    painter.fillRect(QRect(0, legend.top() - 1, legend.width(), 1), color(Role::grid, theme));
    paintLegend(painter, legendOf(window, layout), QPointF(8, legend.top() + 2), legend.width() - 16.0,
                theme);
    QString note = window.note;
    painter.setPen(warningText(theme));
    const std::vector<std::size_t> seen = layout.seen();
    if (note.isEmpty() && layout.hidden > 0 && window.runs.size() == 1 && !seen.empty()) {
        note = RunPictureWords::tr("rows %1 to %2 of %3")
                   .arg(seen.front() + 1)
                   .arg(seen.back() + 1)
                   .arg(window.rowCount());
        painter.setPen(color(Role::quietText, theme));
    }
    drawFitted(painter, noteLine(window, layout), Qt::AlignRight | Qt::AlignVCenter,
               lettering(Lettering::small), note);
}

} // namespace

std::vector<QPointF> counterLine(const Run& run, std::size_t lane, const TimeScale& scale) {
    const std::vector<RunValue> values = run.values(lane, scale.range);
    std::vector<QPointF> corners;
    if (values.empty()) {
        return corners;
    }
    double last = values.front().value;
    corners.emplace_back(scale.left, last);
    for (std::size_t next = 1; next < values.size() && values[next].from < scale.range.end;) {
        const int x = scale.pixel(values[next].from);
        double least = last, most = last;
        corners.emplace_back(x, last);
        for (; next < values.size() && values[next].from < scale.range.end &&
               scale.pixel(values[next].from) == x;
             ++next) {
            last = values[next].value;
            least = std::min(least, last);
            most = std::max(most, last);
        }
        for (const double value : {least, most, last}) {
            if (corners.back().y() != value) {
                corners.emplace_back(x, value);
            }
        }
    }
    corners.emplace_back(scale.left + scale.width, last);
    return corners;
}

std::vector<QRect> paintRun(QPainter& painter, const QSize& size, const RunWindow& window, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    const RunLayout layout = layoutRun(size, window);
    const TimeAxis axis = TimeAxis::choose(layout.scale(window), run_tick_spacing);
    std::vector<QRect> lettered;
    paintHeader(painter, window, layout, axis, theme);
    painter.save();
    if (layout.hidden > 0) {
        painter.setClipRect(layout.body);
    }
    for (std::size_t number = 0; number < layout.blocks.size(); ++number) {
        if (layout.blocks[number].area.intersects(layout.body)) {
            paintBlock(painter, window, layout, number, size.width(), axis, theme, lettered);
        }
    }
    painter.restore();
    if (!layout.held.isEmpty()) {
        paintHeld(painter, window, layout, axis, theme);
    }
    paintFooter(painter, window, layout, theme);
    return lettered;
}

void paintRunCursor(QPainter& painter, const RunWindow& window, const RunLayout& layout, int x, Theme theme,
                    const std::vector<MarkFlag>& flags) {
    const QRect ruler = layout.ruler;
    const TimeScale scale = layout.scale(window);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(x, ruler.bottom(), 1, layout.legend.top() - 1 - ruler.bottom()),
                     tint(Role::quietText, theme, 0.8));
    const QFont font = lettering(Lettering::small, true);
    const QString read = TimeAxis::choose(scale, run_tick_spacing).readOut(scale.time(x + 0.5), scale);
    const double width = textWidth(font, read) + 10;
    const double left = freeOfFlags(x, width, flags, ruler);
    const QRectF place(left, ruler.top() + 2, width, ruler.height() - 6);
    painter.fillRect(place, color(Role::text, theme));
    painter.setPen(color(Role::background, theme));
    drawFitted(painter, place, Qt::AlignCenter, font, read);
}

} // namespace meshslice::ui
