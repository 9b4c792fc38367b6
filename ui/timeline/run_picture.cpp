#include "ui/timeline/run_picture.h"

#include "core/base/text.h"
#include "core/report/chart/ticks.h"
#include "core/run/run_key.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"
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

struct RunPictureWords {
    Q_DECLARE_TR_FUNCTIONS(RunPicture)
};

constexpr int run_margin = 12;
constexpr int run_title_height = 36;
constexpr int narrow_run_title = 52; ///< three lines
constexpr int narrow_picture = 480;
constexpr int run_line = 20; ///< of the path, the legend and the ruler
constexpr int least_run_row = 3;
constexpr int readable_row = 14;     ///< with its name and its words
constexpr int least_all_rows = 160;  ///< of the height, of many rows
constexpr int most_unscrolled = 128; ///< rows
constexpr int largest_row = 26;
constexpr int least_held = 96;
constexpr int held_heading = 20;
constexpr int row_for_names = 12; ///< from this height on each row has its name
constexpr int least_run_names = 84;
constexpr int most_run_names = 220;

QString roleName(const RunWindow& window, Role role) {
    if (window.words.role) {
        return window.words.role(role);
    }
    switch (role) {
    case Role::compute: return RunPictureWords::tr("compute");
    case Role::backward: return RunPictureWords::tr("backward");
    case Role::update: return RunPictureWords::tr("optimizer step");
    case Role::transferHorizontal: return RunPictureWords::tr("transfer");
    case Role::transferVertical: return RunPictureWords::tr("transfer along a column, or the one ring");
    case Role::transferThird: return RunPictureWords::tr("transfer over the outer network");
    case Role::sync: return RunPictureWords::tr("latency");
    case Role::launch: return RunPictureWords::tr("launch");
    case Role::slicing: return RunPictureWords::tr("memory");
    case Role::exposed: return RunPictureWords::tr("exposed communication");
    default: return RunPictureWords::tr("waits");
    }
}

QString heldText(double bytes) {
    return words(bytes_text(bytes));
}

/// The counter of a row's place.
std::optional<std::size_t> counterOf(const RunWindow& window, std::size_t row) {
    for (const std::size_t lane : window.shown.counters) {
        if (window.shown.run->lane(lane).place == window.shown.rows[row].place) {
            return lane;
        }
    }
    return std::nullopt;
}

QString nameOf(const RunWindow& window, std::size_t row) {
    return window.shown.rows[row].name;
}

/// Words in a bar that has room for them.
void paintWords(QPainter& painter, const RunWindow& window, const RunLayout& layout, std::size_t row,
                const std::vector<RunSlice>& slices, Theme theme) {
    const QRect area = layout.rowOf(row);
    if (layout.row < row_for_names) {
        return;
    }
    const TimeScale scale = layout.scale(window);
    const QFont font = lettering(Lettering::tiny);
    for (const RunSlice& slice : slices) {
        const int left = std::max(scale.pixel(slice.start), area.left());
        const int right = std::min(scale.pixel(slice.end), area.left() + area.width());
        const bool lettered = slice.role == Role::compute || slice.role == Role::backward ||
                              slice.role == Role::transferHorizontal ||
                              slice.role == Role::transferVertical || slice.role == Role::transferThird;
        if (slice.count > 1 || right - left < 10 || !lettered) {
            continue;
        }
        const RunLabel label = window.shown.run->label(window.shown.rows[row].lanes.front(), slice.item);
        const QString words = firstFitting(
            font, {QString::fromStdString(label.brief.empty() ? label.name : label.brief)}, right - left - 4);
        if (!words.isEmpty()) {
            painter.setPen(reads_black_on(rgb(slice.role, theme)) ? Qt::black : Qt::white);
            drawFitted(painter, QRectF(left, area.top(), right - left, area.height()), Qt::AlignCenter, font,
                       words);
        }
    }
}

void paintLegend(QPainter& painter, const QRect& area, const RunWindow& window, bool merged, Theme theme) {
    double x = area.left();
    const QFont font = lettering(Lettering::small);
    for (const Role role : window.shown.roles) {
        const QString name = roleName(window, role);
        const double width = 18 + textWidth(font, name);
        if (x + width > area.right()) {
            continue;
        }
        paintTextured(painter, {x, area.top() + 4.0, 14, 12}, role, theme);
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(x + 18, area.top(), width, area.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, font, name);
        x += width + 18;
    }
    const QStringList remarks =
        !window.note.isEmpty() ? QStringList{window.note}
        : merged               ? QStringList{RunPictureWords::tr(
                                                 "several in a pixel: height by share of time; Ctrl+wheel zooms"),
                               RunPictureWords::tr("several in a pixel")}
                               : QStringList();
    const QString remark = firstFitting(font, remarks, area.right() - x);
    painter.setPen(window.note.isEmpty() ? color(Role::quietText, theme) : warningText(theme));
    drawFitted(painter, QRectF(x, area.top(), area.right() - x, area.height()),
               Qt::AlignVCenter | Qt::AlignLeft, font, remark.isEmpty() ? window.note : remark);
}

/// Every how many rows there is room for a name: 1, 2, 4, 8, ...
std::size_t everyRow(int row) {
    std::size_t every = 1;
    while (row * static_cast<int>(every) < row_for_names) {
        every *= 2;
    }
    return every;
}

void paintName(QPainter& painter, const RunWindow& window, const RunLayout& layout, std::size_t row,
               Theme theme) {
    const QRect all = layout.rowOf(row);
    const bool selected = row == window.row;
    const int apart = std::abs(static_cast<int>(row) - static_cast<int>(window.row)) * layout.row;
    if (selected || (row % everyRow(layout.row) == 0 && apart >= row_for_names)) {
        painter.setPen(color(selected ? Role::text : Role::quietText, theme));
        const QRectF name(run_margin, all.center().y() - 8.0, layout.labels - run_margin - 6, 16);
        drawFitted(painter, name, Qt::AlignRight | Qt::AlignVCenter, lettering(Lettering::small, selected),
                   nameOf(window, row));
    }
    if (selected) {
        painter.fillRect(QRect(layout.labels - 4, all.top(), 3, all.height()), color(Role::text, theme));
    }
}

/// Whether bars share a pixel somewhere.
bool paintRows(QPainter& painter, const RunWindow& window, const RunLayout& layout, Theme theme) {
    const TimeScale scale = layout.scale(window);
    bool merged = false;
    for (std::size_t row = layout.first; row < layout.first + layout.count; ++row) {
        const QRect all = layout.rowOf(row);
        const QRect area = layout.row >= 8 ? all.adjusted(0, 1, 0, -1) : all;
        painter.fillRect(area, color(Role::background, theme));
        const auto slices = slicesOf(window, row, scale.range, scale.picosecondsPerPixel());
        Bars bars;
        buildRow(bars, slices, window.shown.run->end(), scale, area);
        paintBars(painter, bars, theme);
        paintWords(painter, window, layout, row, slices, theme);
        for (const Bars::Group& group : bars.groups) {
            merged =
                merged || std::ranges::any_of(group.merged, [](std::uint32_t count) { return count > 1; });
        }
        for (const RunSlice& slice : slices) {
            if (row == window.row && window.item == slice.item && slice.count == 1) {
                const int left = std::max(scale.pixel(slice.start), area.left());
                const int right = std::min(scale.pixel(slice.end), area.left() + area.width());
                paintSelection(painter, {left, area.top(), std::max(1, right - left), area.height()}, theme);
                break;
            }
        }
        paintName(painter, window, layout, row, theme);
    }
    return merged;
}

void paintHeld(QPainter& painter, const RunWindow& window, const RunLayout& layout, Theme theme) {
    const Run& run = *window.shown.run;
    const QRect plot = layout.held;
    const TimeScale scale = layout.scale(window);
    double most = window.limit;
    for (const std::size_t lane : window.shown.counters) {
        for (const RunValue& value : run.values(lane, window.whole())) {
            most = std::max(most, value.value);
        }
    }
    most *= 1.05;
    const auto y = [&](double bytes) { return plot.bottom() + 1 - bytes / most * plot.height(); };
    const QFont font = lettering(Lettering::small);
    const QFont bold = lettering(Lettering::small, true);
    const QRectF heading(plot.left(), plot.top() - held_heading, plot.width(), held_heading - 2);
    const QStringList held = window.words.held ? window.words.held(window.row) : QStringList();
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
    painter.setFont(font);
    for (const double tick : linear_ticks(0, most, std::max(2, plot.height() / 24))) {
        painter.fillRect(QRectF(plot.left(), y(tick) - 0.5, plot.width(), 1), color(Role::grid, theme));
        painter.setPen(color(Role::quietText, theme));
        painter.drawText(QRectF(0, y(tick) - 8, layout.labels - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tick == 0 ? QStringLiteral("0") : heldText(tick));
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
    for (const std::size_t lane : window.shown.counters) {
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

int namesWidth(const RunWindow& window) {
    const QFont font = lettering(Lettering::small, true);
    double widest = 0;
    const std::size_t count = std::min<std::size_t>(window.shown.rows.size(), 256);
    for (std::size_t row = 0; row < count; ++row) {
        widest = std::max(widest, textWidth(font, nameOf(window, row)));
    }
    return std::clamp(static_cast<int>(widest) + run_margin + 12, least_run_names, most_run_names);
}

} // namespace

ShownRun shownRun(RunPtr run, bool first) {
    ShownRun shown;
    shown.run = std::move(run);
    std::map<std::size_t, std::size_t> row_of; // by lane
    std::set<std::string> places;
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
            shown.run->visit(number, {Time(0), shown.run->end()},
                             static_cast<double>(shown.run->end().value()),
                             [&](std::span<const RunSlice> slices) { empty = slices.empty(); });
        }
        if (empty || (first && !places.insert(lane.place).second)) {
            continue;
        }
        row_of[number] = shown.rows.size();
        const QString place = words(lane.place);
        const QString name = words(lane.name);
        shown.rows.push_back({{number},
                              first       ? place
                              : one_place ? name
                                          : place + QStringLiteral("  ") + name,
                              lane.place});
    }
    std::set<Role> roles;
    const TimeRange whole{Time(0), shown.run->end()};
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

std::optional<std::size_t> RunLayout::rowAt(int y) const {
    if (row <= 0 || y < rows.top() || y > rows.bottom()) {
        return std::nullopt;
    }
    return first + static_cast<std::size_t>((y - rows.top()) / row);
}

int leastRunHeight(const RunWindow& window) {
    const int count = std::clamp(static_cast<int>(window.shown.rows.size()), 1, most_unscrolled);
    const int held = window.shown.counters.empty() ? 0 : held_heading + least_held;
    return narrow_run_title + 2 * run_line + (window.path.size() > 1 ? run_line : 0) +
           std::clamp(least_all_rows / count, least_run_row, readable_row) * count + held + 2 * run_margin;
}

RunLayout layoutRun(const QSize& size, const RunWindow& window) {
    RunLayout layout;
    layout.labels = window.shown.counters.empty() ? namesWidth(window) : least_run_names;
    const int width = std::max(1, size.width() - layout.labels - run_margin);
    const int whole = std::max(1, size.width() - 2 * run_margin);
    int y = 4;
    if (!hasNoTitle()) {
        const int height = size.width() < narrow_picture ? narrow_run_title : run_title_height;
        layout.title = {run_margin, y, whole, height};
        y += height;
    }
    if (window.path.size() > 1) {
        layout.path = {run_margin, y, whole, run_line};
        y += run_line;
    }
    layout.legend = {run_margin, y, whole, run_line};
    y += run_line;
    layout.ruler = {layout.labels, y, width, run_line};
    y += run_line;
    const bool holds = !window.shown.counters.empty();
    const int below = run_margin + (holds ? held_heading + least_held : 0);
    const int room = std::max(least_run_row, size.height() - y - below);
    const int count = std::max(1, static_cast<int>(window.shown.rows.size()));
    // Where there are too many, they are scrolled.
    const int least = holds ? least_run_row : readable_row;
    layout.row = std::clamp(room / count, least, largest_row);
    const int fit = holds ? count : std::clamp(room / layout.row, 1, count);
    layout.count = static_cast<std::size_t>(fit);
    layout.first = std::min(window.firstRow, static_cast<std::size_t>(count - fit));
    layout.rows = {layout.labels, y, width, layout.row * fit};
    y += layout.row * fit;
    if (holds) {
        y += held_heading + 4;
        layout.held = {layout.labels, y, width, std::max(40, size.height() - y - run_margin)};
    }
    return layout;
}

std::vector<RunSlice> slicesOf(const RunWindow& window, std::size_t row, TimeRange range, double pixel) {
    std::vector<RunSlice> slices;
    const RunRow& shown = window.shown.rows[row];
    for (const std::size_t lane : shown.lanes) {
        const bool own = lane == shown.lanes.front();
        window.shown.run->visit(lane, range, pixel, [&](std::span<const RunSlice> some) {
            for (RunSlice slice : some) {
                if (!own) {
                    slice.item = ~slice.item; // of another lane
                }
                slices.push_back(slice);
            }
        });
    }
    if (shown.lanes.size() > 1) {
        std::ranges::stable_sort(slices, {}, &RunSlice::start);
    }
    return slices;
}

double counterAt(const Run& run, std::size_t lane, Time time) {
    const std::vector<RunValue> values = run.values(lane, {time, time + Time(1)});
    return values.empty() ? 0 : values.front().value;
}

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

std::optional<RunHit> hitAt(const RunWindow& window, const RunLayout& layout, const QPoint& point) {
    const std::optional<std::size_t> row = layout.rowAt(point.y());
    if (!row || *row >= window.shown.rows.size() || !layout.rows.contains(point)) {
        return std::nullopt;
    }
    const TimeScale scale = layout.scale(window);
    const TimeRange pixel{scale.time(point.x()),
                          std::max(scale.time(point.x() + 1), scale.time(point.x()) + Time(1))};
    RunHit hit;
    hit.row = *row;
    hit.more = slicesOf(window, *row, pixel, 0);
    if (hit.more.empty()) {
        return std::nullopt;
    }
    const auto within = [&](const RunSlice& slice) {
        return std::min(slice.end, pixel.end) - std::max(slice.start, pixel.begin);
    };
    hit.bar = *std::ranges::max_element(hit.more, {}, within);
    const bool wide = (hit.bar.end - hit.bar.start) >= pixel.end - pixel.begin;
    if (hit.more.size() == 1 || wide) {
        hit.more.clear();
    }
    const RunRow& shown = window.shown.rows[*row];
    hit.lane = shown.lanes.front();
    if (hit.bar.item > (~std::uint64_t{0} >> 1)) {
        hit.bar.item = ~hit.bar.item;
        hit.lane = shown.lanes.back();
    }
    return hit;
}

QStringList runLinesAt(const RunWindow& window, const RunLayout& layout, const QPoint& point) {
    const Run& run = *window.shown.run;
    const TimeScale scale = layout.scale(window);
    const auto timeText = [](Time time) { return words(text(time)); };
    if (layout.held.contains(point)) {
        const std::optional<std::size_t> lane = counterOf(window, window.row);
        const Time at = scale.time(point.x());
        return lane ? QStringList{RunPictureWords::tr("%1 holds %2")
                                      .arg(nameOf(window, window.row), heldText(counterAt(run, *lane, at))),
                                  RunPictureWords::tr("at %1").arg(timeText(at))}
                    : QStringList();
    }
    const std::optional<std::size_t> row = layout.rowAt(point.y());
    if (!row || *row >= window.shown.rows.size()) {
        return {};
    }
    if (point.x() < layout.rows.left()) {
        return window.words.row ? window.words.row(*row) : QStringList{nameOf(window, *row)};
    }
    const std::optional<RunHit> hit = hitAt(window, layout, point);
    if (!hit) {
        return {};
    }
    QStringList lines;
    if (!hit->more.empty()) {
        lines << RunPictureWords::tr("%1: %2 stretches of time within a pixel")
                     .arg(nameOf(window, *row))
                     .arg(hit->more.size());
        for (const Role role : window.shown.roles) {
            Time all;
            for (const RunSlice& slice : hit->more) {
                all += slice.role == role ? slice.busy : Time(0);
            }
            if (all > Time(0)) {
                lines << RunPictureWords::tr("%1: %2").arg(roleName(window, role), timeText(all));
            }
        }
        lines << RunPictureWords::tr("Zoom in to tell them apart.");
    } else {
        const QStringList own = window.words.bar
                                    ? window.words.bar(hit->lane, hit->bar.item)
                                    : QStringList{words(run.label(hit->lane, hit->bar.item).name)};
        lines << RunPictureWords::tr("%1: %2").arg(nameOf(window, *row), own.value(0));
        lines << own.mid(1);
        const Time lasts = hit->bar.end - hit->bar.start;
        lines << RunPictureWords::tr("%1, from %2").arg(timeText(lasts), moment(hit->bar.start, lasts));
        if (run.inside(hit->lane, hit->bar.item)) {
            lines << RunPictureWords::tr("Double click or Enter: go into it");
        }
    }
    if (const std::optional<std::size_t> lane = counterOf(window, *row)) {
        lines << RunPictureWords::tr("holds %1 then").arg(heldText(counterAt(run, *lane, hit->bar.start)));
    }
    return lines;
}

void paintRun(QPainter& painter, const QSize& size, const RunWindow& window, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    const RunLayout layout = layoutRun(size, window);
    const TimeScale scale = layout.scale(window);
    const QString finding = pictureTitle(window.words.finding);
    if (!layout.title.isEmpty()) {
        const QFont font = lettering(Lettering::normal, true);
        painter.setPen(color(Role::text, theme));
        painter.setFont(font);
        painter.drawText(
            layout.title, Qt::AlignLeft | Qt::AlignVCenter,
            inLines(font, finding, layout.title.width(), layout.title.height() / 17).join(QLatin1Char('\n')));
    }
    if (!layout.path.isEmpty()) {
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, layout.path, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
                   window.path.join(QStringLiteral(" \u203a ")));
    }
    const TimeAxis axis = TimeAxis::choose(scale, 84);
    paintRuler(painter, layout.ruler, scale, axis, theme);
    const int bottom = layout.held.isEmpty() ? layout.rows.bottom() : layout.held.bottom();
    for (const Time tick : axis.ticks(scale.range)) {
        painter.fillRect(QRect(scale.pixel(tick), layout.ruler.bottom(), 1, bottom - layout.ruler.bottom()),
                         color(Role::grid, theme));
    }
    const bool merged = paintRows(painter, window, layout, theme);
    paintLegend(painter, layout.legend, window, merged, theme);
    if (layout.count < window.shown.rows.size()) {
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter,
                   QRectF(layout.rows.left(), layout.rows.bottom() + 1, layout.rows.width(), run_margin),
                   Qt::AlignRight | Qt::AlignVCenter, lettering(Lettering::tiny),
                   RunPictureWords::tr("rows %1 to %2 of %3")
                       .arg(layout.first + 1)
                       .arg(layout.first + layout.count)
                       .arg(window.shown.rows.size()));
    }
    if (!layout.held.isEmpty()) {
        paintHeld(painter, window, layout, theme);
    }
}

} // namespace meshslice::ui
