#include "ui/timeline/run_picture.h"

#include "core/base/text.h"
#include "core/report/chart/ticks.h"
#include "core/run/run_key.h"
#include "ui/look/lettering.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/timeline/run_words.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/timeline/timeline_picture.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace meshslice::ui {
namespace {

constexpr int run_tick_spacing = 84;
constexpr int row_for_names = 12; ///< from this height on each row has its name
constexpr int run_name_line = 17;

bool lettered(Role role) {
    return role == Role::compute || role == Role::backward || role == Role::transferHorizontal ||
           role == Role::transferVertical || role == Role::transferThird;
}

/// Words in a bar that has room for them.
void paintWords(QPainter& painter, const Run& run, std::size_t lane, const std::vector<RunSlice>& slices,
                const TimeScale& scale, const QRect& area, Theme theme) {
    if (area.height() < row_for_names) {
        return;
    }
    const QFont font = lettering(Lettering::tiny);
    for (const RunSlice& slice : slices) {
        const int left = std::max(scale.pixel(slice.start), area.left());
        const int right = std::min(scale.pixel(slice.end), area.left() + area.width());
        if (slice.count > 1 || right - left < 10 || !lettered(slice.role)) {
            continue;
        }
        const RunLabel label = run.label(lane, slice.item);
        const QString words = firstFitting(
            font, {QString::fromStdString(label.brief.empty() ? label.name : label.brief)}, right - left - 4);
        if (!words.isEmpty()) {
            painter.setPen(reads_black_on(rgb(slice.role, theme)) ? Qt::black : Qt::white);
            drawFitted(painter, QRectF(left, area.top(), right - left, area.height()), Qt::AlignCenter, font,
                       words);
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

void paintRowName(QPainter& painter, const RunWindow& window, const RunLayout& layout, std::size_t row,
                  Theme theme) {
    const QRect all = layout.rowOf(row);
    const bool selected = row == window.row;
    const int apart = window.row
                          ? std::abs(static_cast<int>(row) - static_cast<int>(*window.row)) * layout.row
                          : row_for_names;
    if (layout.left > layout.names &&
        (selected || (row % everyRow(layout.row) == 0 && apart >= row_for_names))) {
        const RunRow& named = window.at(row);
        const QFont font = lettering(Lettering::small, selected);
        const QRectF place(layout.names + 4.0, all.center().y() - 8.0, layout.left - layout.names - 10.0, 16);
        painter.setPen(color(selected || named.where.isEmpty() ? Role::text : Role::quietText, theme));
        drawFitted(painter, place, Qt::AlignRight | Qt::AlignVCenter, font, runRowName(named));
    }
    if (selected) {
        painter.fillRect(QRect(layout.left - 4, all.top(), 3, all.height()), color(Role::text, theme));
    }
}

void paintRow(QPainter& painter, const RunWindow& window, const RunLayout& layout, std::size_t row,
              Theme theme) {
    const TimeScale scale = layout.scale(window);
    const QRect all = layout.rowOf(row);
    const int inset = layout.row >= 18 ? 2 : layout.row >= 8 ? 1 : 0;
    const QRect area = all.adjusted(0, inset, 0, -inset);
    const Run& run = window.runAt(row);
    const std::vector<std::size_t>& lanes = window.at(row).lanes;
    const auto slices = slicesOf(window, row, scale.range, scale.picosecondsPerPixel());
    Bars bars;
    const bool exposes = run.lane(lanes.front()).exposes;
    buildRow(bars, slices, exposes ? run.recorded() : std::vector<Stretch>(), run.end(), scale, area);
    paintBars(painter, bars, theme);
    if (!window.words
             .at) { // Else the labels are not what is said of a row, and not in the window's language.
        paintWords(painter, run, lanes.front(), slices, scale, area, theme);
    }
    for (const RunSlice& slice : slices) {
        if (row == window.row && window.item == slice.item && slice.count == 1) {
            const int left = std::max(scale.pixel(slice.start), area.left());
            const int right = std::min(scale.pixel(slice.end), area.left() + area.width());
            paintSelection(painter, {left, area.top(), std::max(1, right - left), area.height()}, theme);
            break;
        }
    }
    paintRowName(painter, window, layout, row, theme);
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

/// Thin brackets above the rows, open below.
void paintSpans(QPainter& painter, const ShownRun& shown, const TimeScale& scale, const QRect& strip,
                Theme theme) {
    const QFont font = lettering(Lettering::tiny);
    const QColor quiet = color(Role::quietText, theme);
    const int middle = strip.top() + strip.height() / 2;
    const int end = strip.left() + strip.width();
    for (const RunSpan& span : shown.spans) {
        const int from = scale.pixel(span.range.begin);
        const int to = scale.pixel(std::min(span.range.end, shown.run->end())) - 1;
        const int left = std::max(from, strip.left());
        const int right = std::min(to, end - 1);
        if (right - left < 2) {
            continue;
        }
        painter.fillRect(QRect(left, middle, right - left + 1, 1), quiet);
        for (const int tick : {from, to}) {
            if (tick >= strip.left() && tick < end) {
                painter.fillRect(QRect(tick, middle, 1, strip.bottom() - middle - 1), quiet);
            }
        }
        const QString label = firstFitting(font, span.names, right - left - 12);
        if (!label.isEmpty()) {
            const double width = textWidth(font, label) + 8;
            const QRectF place((left + right - width) / 2, strip.top(), width, strip.height());
            painter.fillRect(place, color(Role::background, theme));
            painter.setPen(quiet);
            drawFitted(painter, place, Qt::AlignCenter, font, label);
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
    const int x = seen ? layout.scale(window).pixel(end) : layout.right;
    if (seen) {
        painter.fillRect(QRect(x, block.rows.top(), 1, block.rows.height()), color(Role::text, theme));
    }
    const int line = std::max(layout.row, run_name_line - 3);
    const auto lines = std::min<qsizetype>(shown.ends.size(), block.area.height() >= 2 * line ? 2 : 1);
    for (qsizetype k = 0; k < lines; ++k) {
        painter.setPen(color(k == 0 ? Role::text : Role::quietText, theme));
        drawFitted(painter,
                   QRectF(x + 6, block.rows.top() + static_cast<int>(k) * line, width - x - 8.0, line),
                   Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small, k == 0),
                   seen || k > 0 ? shown.ends[k] : RunPictureWords::tr("→ %1").arg(shown.ends[k]));
    }
}

void paintObjection(QPainter& painter, const ShownRun& shown, const RunLayout& layout, const QRect& area,
                    Theme theme) {
    paintRunName(painter, shown, layout, area, theme);
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(area).adjusted(layout.names, 0, -run_margin, 0),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small), shown.objection);
}

/// A run's rows and what stands around them.
void paintBlock(QPainter& painter, const RunWindow& window, const RunLayout& layout, std::size_t number,
                int width, const TimeAxis& axis, Theme theme) {
    const ShownRun& shown = window.runs[number];
    const RunLayout::Block& block = layout.blocks[number];
    if (block.line) {
        painter.fillRect(QRect(0, *block.line, width, 1), color(Role::grid, theme));
    }
    if (block.count == 0) {
        return paintObjection(painter, shown, layout, block.area, theme);
    }
    if (!shown.name.isEmpty()) {
        paintRunName(painter, shown, layout, block.area, theme);
    }
    const TimeScale scale = layout.scale(window);
    const int end = std::clamp(scale.pixel(shown.run->end()), layout.left, layout.right);
    for (std::size_t row = block.first; row < block.first + block.count; ++row) {
        // A core's row differs by its background, as long as the run lasts.
        if (shown.run->lane(window.at(row).lanes.front()).exposes) {
            const QRect all = layout.rowOf(row);
            painter.fillRect(QRect(all.left(), all.top(), end - all.left(), all.height()),
                             color(Role::panel, theme));
        }
    }
    for (const Time tick : axis.ticks(scale.range)) {
        if (const int x = scale.pixel(tick); x < layout.right) {
            painter.fillRect(QRect(x, block.rows.top(), 1, block.rows.height()), color(Role::grid, theme));
        }
    }
    for (std::size_t row = block.first; row < block.first + block.count; ++row) {
        if (layout.rowOf(row).intersects(layout.body)) {
            paintRow(painter, window, layout, row, theme);
        }
    }
    if (block.spans.height() > 0) {
        paintSpans(painter, shown, scale, block.spans, theme);
    }
    paintEnd(painter, window, shown, layout, block, width, theme);
}

/// The headings of what is held: of the selected row, and of the limit.
void paintHeldHeading(QPainter& painter, const RunWindow& window, const QRectF& heading, Theme theme) {
    const QFont font = lettering(Lettering::small);
    const QFont bold = lettering(Lettering::small, true);
    const QStringList held = window.words.held && window.row ? window.words.held(*window.row) : QStringList();
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
                         tick == 0 ? QStringLiteral("0") : runHeldText(tick));
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
    const std::optional<std::size_t> own = runCounterOf(window, window.row);
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
    const std::vector<LegendItem> items = legendOf(window, layout.brief);
    paintLegend(painter, items, QPointF(8, legend.top() + 2), legend.width() - 16.0, theme);
    QString note = window.note;
    Role role = Role::exposed;
    const std::vector<std::size_t> seen = layout.seen();
    if (note.isEmpty() && layout.hidden > 0 && window.runs.size() == 1 && !seen.empty()) {
        note = RunPictureWords::tr("rows %1 to %2 of %3")
                   .arg(seen.front() + 1)
                   .arg(seen.back() + 1)
                   .arg(window.rowCount());
        role = Role::quietText;
    }
    const LegendPlaces places = placeLegend(items, legend.width() - 16.0);
    const bool beside = legend.top() + 2 + (places.lines + 1) * legend_line_height > legend.bottom() + 1;
    const double left = beside ? 8 + places.lastWidth + 12 : 8;
    painter.setPen(role == Role::exposed ? warningText(theme) : color(role, theme));
    drawFitted(painter, QRectF(left, legend.bottom() - 22.0, legend.width() - 8 - left, legend_line_height),
               Qt::AlignRight | Qt::AlignVCenter, lettering(Lettering::small), note);
}

} // namespace

std::vector<LegendItem> legendOf(const RunWindow& window, bool brief) {
    if (window.words.legend) {
        return window.words.legend(brief);
    }
    std::vector<LegendItem> items;
    for (const ShownRun& shown : window.runs) {
        for (const Role role : shown.roles) {
            const auto same = [&](const LegendItem& item) { return item.role == role; };
            if (std::ranges::none_of(items, same)) {
                items.push_back({runRoleName(window, role), role});
            }
        }
    }
    if (!brief) {
        items.push_back(
            {RunPictureWords::tr("several bars in a pixel: height by share of time"), std::nullopt});
    }
    return items;
}

ShownRun shownRun(RunPtr run, bool first) {
    ShownRun shown;
    shown.run = std::move(run);
    std::map<std::size_t, std::size_t> row_of; // by lane
    std::set<std::string> places;
    const TimeRange whole{Time(0), shown.run->end()};
    const bool one_place = shown.run->place_count() == 1;
    for (std::size_t number = 0; number < shown.run->lane_count(); ++number) {
        const Lane lane = shown.run->lane(number);
        if (lane.kind == LaneKind::counter) {
            shown.counters.push_back(number);
            continue;
        }
        if (const auto parent = row_of.find(static_cast<std::size_t>(lane.parent));
            lane.parent >= 0 && parent != row_of.end()) {
            shown.rows[parent->second].lanes.push_back(number);
            continue;
        }
        bool empty = !first; // such as cores where nothing is computed
        if (empty) {
            shown.run->visit(number, whole, static_cast<double>(whole.end.value()),
                             [&](std::span<const RunSlice> slices) { empty = slices.empty(); });
        }
        if (empty || (first && !places.insert(lane.place).second)) {
            continue;
        }
        row_of[number] = shown.rows.size();
        const QString place = words(lane.place);
        shown.rows.push_back({{number},
                              first ? place : words(lane.name),
                              first || one_place ? QString() : QString(place + QStringLiteral("  ")),
                              lane.place});
    }
    std::set<Role> roles;
    for (std::size_t row = 0; row < std::min<std::size_t>(shown.rows.size(), 64); ++row) {
        for (const std::size_t lane : shown.rows[row].lanes) {
            shown.run->visit(lane, whole, static_cast<double>(whole.end.value()) / 500.0,
                             [&](std::span<const RunSlice> slices) {
                                 for (const RunSlice& slice : slices) {
                                     if (slice.busy > Time(0)) {
                                         roles.insert(slice.role);
                                     }
                                 }
                             });
        }
    }
    for (const Role role :
         {Role::compute, Role::backward, Role::update, Role::transferHorizontal, Role::transferVertical,
          Role::transferThird, Role::sync, Role::launch, Role::slicing, Role::exposed, Role::waits}) {
        if (roles.contains(role)) {
            shown.roles.push_back(role);
        }
    }
    return shown;
}

void paintRun(QPainter& painter, const QSize& size, const RunWindow& window, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    const RunLayout layout = layoutRun(size, window);
    const TimeAxis axis = TimeAxis::choose(layout.scale(window), run_tick_spacing);
    paintHeader(painter, window, layout, axis, theme);
    painter.save();
    if (layout.hidden > 0) {
        painter.setClipRect(layout.body);
    }
    for (std::size_t number = 0; number < layout.blocks.size(); ++number) {
        if (layout.blocks[number].area.intersects(layout.body)) {
            paintBlock(painter, window, layout, number, size.width(), axis, theme);
        }
    }
    painter.restore();
    if (!layout.held.isEmpty()) {
        paintHeld(painter, window, layout, axis, theme);
    }
    paintFooter(painter, window, layout, theme);
}

void paintRunCursor(QPainter& painter, const RunWindow& window, const RunLayout& layout, int x, Theme theme) {
    const QRect ruler = layout.ruler;
    const TimeScale scale = layout.scale(window);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(x, ruler.bottom(), 1, layout.legend.top() - 1 - ruler.bottom()),
                     tint(Role::quietText, theme, 0.8));
    const QFont font = lettering(Lettering::small, true);
    const QString read = TimeAxis::choose(scale, run_tick_spacing).readOut(scale.time(x + 0.5), scale);
    const double width = textWidth(font, read) + 10;
    const double left = std::clamp(x - width / 2, static_cast<double>(ruler.left()),
                                   std::max<double>(ruler.left(), layout.right - width));
    const QRectF place(left, ruler.top() + 2, width, ruler.height() - 6);
    painter.fillRect(place, color(Role::text, theme));
    painter.setPen(color(Role::background, theme));
    drawFitted(painter, place, Qt::AlignCenter, font, read);
}

} // namespace meshslice::ui
