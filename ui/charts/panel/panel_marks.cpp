#include "core/report/chart/svg/mark_shape.h"
#include "core/report/chart/svg/palette.h"
#include "ui/charts/cut.h"
#include "ui/charts/panel/panel_layouter.h"
#include "ui/look/words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice::ui {
namespace {

constexpr double mark_size = 9;
constexpr double lower_mark_size = 13; ///< of the first of two series: seen where the second covers it
constexpr double hollow_size = 12;
constexpr double least_mark = 4;
constexpr double small_mark = 6;     ///< of many series that stand next to each other
constexpr double wide_enough = 1000; ///< of a category: marks stand next to each other if they ever do

/// The diameter of a mark whose area is the share of a whole; never too small to see or hit.
double markSize(const ChartPoint& point, double usual) {
    return point.weight > 0 ? 2 * std::clamp(26 * std::sqrt(point.weight), 4.0, 16.0) : usual;
}

} // namespace

void PanelLayouter::labelBar(const ChartSeries& series, std::size_t category, const QRectF& bar) {
    if (category >= series.labels.size() || series.labels[category].empty() ||
        texture(series.role) == Texture::half_height) {
        return;
    }
    const QString said = words(series.labels[category]);
    constexpr double letters = 12;
    if (bar.height() >= letters && textWidth(lettering(Lettering::small), said) + 4 <= bar.width()) {
        say(bar, said, Qt::AlignCenter, Role::text, Lettering::small);
        out.words.back().over = series.role;
    }
}

void PanelLayouter::placeBars() {
    const bool down = panel.horizontal();
    const PixelAxis& scale = down ? out.x : out.y;
    const double step = stepSize();
    for (std::size_t k = 0; k < panel.categories().categories.size(); ++k) {
        double sums[] = {0, 0};
        for (std::size_t s = 0; s < panel.series.size(); ++s) {
            const ChartSeries& one = panel.series[s];
            if (one.kind != SeriesKind::stack || !layout.shows(one) || !one.values[k]) {
                continue;
            }
            const PanelLayout::Bar& bar = one.thin ? out.thin : out.thick;
            double& sum = sums[one.thin ? 1 : 0];
            const double from = scale.pixel(scale.clamped(sum));
            sum += *one.values[k];
            const double to = scale.pixel(scale.clamped(sum));
            const double middle = categoryPixel(static_cast<double>(k)) + bar.shift * step;
            const double half = bar.width * step / 2;
            ChartPoint point;
            for (const ChartPoint& other : points_of(panel, one)) {
                if ((down ? other.y : other.x) == static_cast<double>(k)) {
                    point = other;
                }
            }
            const QRectF area = down ? QRectF(from, middle - half, to - from, 2 * half)
                                     : QRectF(middle - half, to, 2 * half, from - to);
            out.marks.push_back({s, point, area});
            labelBar(one, k, area);
        }
    }
}

void PanelLayouter::placeWhiskers() {
    if (!layout.hidden.empty()) {
        return; // of sums that are not seen
    }
    const auto& spans = panel.y.spans;
    for (std::size_t k = 0; k < spans.size(); ++k) {
        if (!spans[k]) {
            continue;
        }
        const double middle = categoryPixel(static_cast<double>(k)) + out.thick.shift * stepSize();
        const double half = std::min(5.0, out.thick.width * stepSize() / 4);
        const double from = out.x.pixel(out.x.clamped(spans[k]->first));
        const double to = out.x.pixel(out.x.clamped(spans[k]->second));
        out.whiskers.emplace_back(from, middle, to, middle);
        for (const double end : {from, to}) {
            out.whiskers.emplace_back(end, middle - half, end, middle + half);
        }
    }
}

double marksApart(const ChartPanel& panel, double category) {
    const auto solid = [](const ChartSeries& one) { return !one.hollow; };
    const auto count = std::ranges::count_if(panel.series, solid);
    const bool joined = std::ranges::any_of(
        panel.series, [](const ChartSeries& one) { return one.kind == SeriesKind::line; });
    if (panel.x.categories.empty() || panel.stacked() || joined || count < 2) {
        return 0;
    }
    const bool hollow = count < std::ssize(panel.series);
    // Of two series the lower mark is larger where they have no room; more of them are smaller instead.
    const double needed = hollow       ? mark_size + hollow_size + 6
                          : count == 2 ? mark_size + 2
                                       : small_mark + 0.5;
    const double step = std::min(40.0, 0.8 * category / static_cast<double>(count));
    return step >= needed ? step : 0;
}

bool marksHideEachOther(const ChartPanel& panel, double category) {
    constexpr int few = 2;
    const bool hollow = std::ranges::any_of(panel.series, &ChartSeries::hollow);
    return !hollow && std::ssize(panel.series) > few && marksApart(panel, category) == 0 &&
           marksApart(panel, wide_enough) > 0;
}

void PanelLayouter::placeMarks() {
    const double step = marksApart(panel, stepSize());
    const auto solid = static_cast<double>(
        std::ranges::count_if(panel.series, [](const ChartSeries& one) { return !one.hollow; }));
    const double middle = (solid - 1) / 2;
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        const ChartSeries& one = panel.series[s];
        if (one.kind == SeriesKind::stack || one.kind == SeriesKind::rule || !layout.shows(one)) {
            continue;
        }
        const auto shape = static_cast<double>(mark_shape(panel, one));
        const bool covered = step == 0 && solid == 2 && s == 0 && !panel.x.categories.empty();
        const double with_room = one.hollow       ? hollow_size
                                 : covered        ? lower_mark_size
                                 : one.emphasized ? mark_size + 2
                                                  : mark_size;
        const double usual = step > 0 ? std::min(with_room, std::max(small_mark, step)) : with_room;
        const std::vector<ChartPoint> points = points_of(panel, one);
        // Marks of a line with many values are so small that they can be distinguished.
        const double step_of_line =
            out.plot.width() / static_cast<double>(std::max<std::size_t>(1, points.size()));
        const double most = one.kind == SeriesKind::line && panel.x.categories.empty()
                                ? std::max(least_mark, step_of_line)
                                : std::numeric_limits<double>::infinity();
        ChartRun run{s, {}};
        double before = -1;
        for (const ChartPoint& point : points) {
            const bool placed =
                (!panel.x.logarithmic || point.x > 0) && (!panel.y.logarithmic || point.y > 0);
            QPointF at = pixel(point);
            if (!placed || !out.plot.adjusted(-1, -1, 1, 1).contains(at)) {
                continue; // has no place on the axes
            }
            // Next to ours of the same category; a value on an axis of values stands where it is, around
            // ours.
            at.rx() +=
                panel.x.categories.empty() ? 0 : (shape - middle) * step + (one.hollow ? mark_size + 3 : 0);
            const double size = std::min(most, markSize(point, usual));
            out.marks.push_back({s, point, QRectF(at.x() - size / 2, at.y() - size / 2, size, size)});
            const bool missing = !panel.x.categories.empty() && point.x > before + 1.5;
            if ((missing || point.apart) && run.points.size() > 0) {
                finish(run);
            }
            before = point.x;
            run.points.push_back(at);
        }
        if (one.kind == SeriesKind::line) {
            finish(run);
        }
    }
}

void PanelLayouter::finish(ChartRun& run) {
    if (run.points.size() > 1 && panel.series[run.series].kind == SeriesKind::line) {
        out.runs.push_back(run);
    }
    run.points.clear();
}

void PanelLayouter::placeRules() {
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        const ChartSeries& one = panel.series[s];
        if (one.kind != SeriesKind::rule || (one.name.empty() && !layout.hidden.empty())) {
            continue;
        }
        for (std::size_t k = 1; k < one.points.size(); ++k) {
            const QLineF line = cutTo(out.plot, pixel(one.points[k - 1]), pixel(one.points[k]));
            if (line.isNull()) {
                continue;
            }
            out.runs.push_back({s, {line.p1(), line.p2()}});
            nameRule(one, line);
        }
    }
}

void PanelLayouter::nameRule(const ChartSeries& rule, const QLineF& line) {
    const QFont font = lettering(Lettering::small);
    QString name = words(rule.name);
    if (name.isEmpty()) {
        return;
    }
    const bool level = std::abs(line.dy()) < 1;
    if (std::abs(line.dx()) >= 1) { // a cut-off number would mislead: its value alone, or nothing
        const double room = level ? line.x2() - 6 - out.plot.left() : line.length() - 12;
        if (textWidth(font, name) + 2 > room) {
            name = name.section(QStringLiteral(": "), -1);
        }
        if (textWidth(font, name) + 2 > room) {
            return;
        }
    }
    const double width = textWidth(font, name) + 2;
    if (std::abs(line.dx()) < 1) { // upright: at its foot
        const double x = line.x1();
        const bool right = x + width + 8 < out.plot.right();
        if (!right && x - width - 5 < out.plot.left()) {
            return; // no room on either side
        }
        say(QRectF(right ? x + 5 : x - width - 5, out.plot.bottom() - 17, width, 15), name,
            Qt::AlignLeft | Qt::AlignVCenter, Role::quietText);
    } else if (level) {
        // Above a short limit there is room on its left, too: slanted limits are below it there.
        say(QRectF(out.plot.left() + 2, line.y1() - 19, std::max(0.0, line.x2() - 4 - out.plot.left()), 16),
            name, Qt::AlignRight | Qt::AlignVCenter, Role::text);
    } else {
        const double angle = -line.angle();
        const QLineF normal = line.normalVector().unitVector();
        const QPointF middle = line.center() + QPointF(normal.dx(), normal.dy()) * 11;
        const double length = std::max(0.0, line.length() - 12);
        say(QRectF(middle.x() - length / 2, middle.y() - 8, length, 16), name, Qt::AlignCenter, Role::text,
            Lettering::small, false, angle);
    }
}

} // namespace meshslice::ui
