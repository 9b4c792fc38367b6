#include "ui/charts/panel_layout.h"

#include "core/report/chart/mark_shape.h"
#include "core/report/chart/ticks.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/cut.h"
#include "ui/charts/point_labels.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace meshslice::ui {
namespace {

constexpr double panel_title = 22;
constexpr double left_room = 62; ///< ticks, their labels and the turned name; more for longer labels
constexpr double name_room = 26; ///< of these, for the name and the gaps on its sides
constexpr double name_gap = 14;
constexpr double right_margin = 12;
constexpr double category_line = 13;
constexpr double name_line = 14;
constexpr double mark_size = 9;
constexpr double lower_mark_size = 13; ///< of the first of two series: seen where the second covers it
constexpr double hollow_size = 12;
constexpr double widest_bar = 56;
constexpr double axis_room = 40;     ///< below the plot: ticks, their labels and the name
constexpr double value_labels = 150; ///< room right of the longest bar

double namesWidth(const ChartPanel& panel) {
    double most = 0;
    for (const ChartSeries& one : panel.series) {
        most = std::max(most, textWidth(lettering(Lettering::small, true), words(one.name)) + 6);
    }
    return most;
}

double columnWidth(const ChartPanel& panel, double width) {
    const auto columns = static_cast<double>(std::max<std::size_t>(1, panel.x.categories.size()));
    return (width - left_room - name_gap - namesWidth(panel) - right_margin) / columns;
}

/// The diameter of a mark whose area is the share of a whole; never too small to see or hit.
double markSize(const ChartPoint& point, double usual) {
    return point.weight > 0 ? 2 * std::clamp(26 * std::sqrt(point.weight), 4.0, 16.0) : usual;
}

/// Where names of one line each go that want to be at `wanted`: none on another, in the order they have.
std::vector<double> spread(const std::vector<double>& wanted, double low, double high) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::less(), [&](std::size_t k) { return wanted[k]; });
    std::vector<double> placed(wanted.size());
    double free = low;
    for (const std::size_t k : order) {
        placed[k] = std::max(wanted[k], free);
        free = placed[k] + name_line;
    }
    // Back up from below where the last ones ran out of the plot.
    double end = high;
    for (auto k = order.rbegin(); k != order.rend(); ++k) {
        placed[*k] = std::min(placed[*k], end);
        end = placed[*k] - name_line;
    }
    return placed;
}

double rowsTitle(const ChartPanel& panel) {
    return panel.title.empty() ? 8 : panel_title;
}

/// A panel while it is laid out.
struct Layouter {
    ChartLayout& layout;
    const ChartPanel& panel;
    std::size_t index;
    PanelLayout out;
    double left = left_room; ///< of the plot

    [[nodiscard]] double categoryPixel(double k) const {
        const double step = out.places.at[static_cast<std::size_t>(k)] + out.places.per_category / 2;
        return panel.horizontal() ? out.y.pixel(step) : out.x.pixel(step);
    }
    /// In pixels.
    [[nodiscard]] double stepSize() const {
        const double length = panel.horizontal() ? out.plot.height() : out.plot.width();
        return length / std::max(1, out.places.steps);
    }
    [[nodiscard]] QPointF pixel(const ChartPoint& point) const {
        const bool named = !panel.categories().categories.empty();
        return {named && !panel.horizontal() ? categoryPixel(point.x) : out.x.pixel(point.x),
                named && panel.horizontal() ? categoryPixel(point.y) : out.y.pixel(point.y)};
    }

    void say(const QRectF& area, const QString& said, Qt::Alignment side, Role role,
             Lettering size = Lettering::small, bool bold = false, double turn = 0, bool on_ground = false) {
        out.words.push_back({area, said, side, role, size, bold, turn, on_ground});
    }

    void spanAxes() {
        const PixelAxis steps{-0.5, out.places.steps - 0.5, 0, 1, false};
        const QRectF& plot = out.plot;
        if (!panel.x.categories.empty()) {
            out.x = steps;
            out.x.begin = plot.left();
            out.x.end = plot.right();
        } else {
            out.x = scaled(layout.chart, panel, true, plot.left(), plot.right());
        }
        if (panel.horizontal()) {
            out.y = steps;
            out.y.begin = plot.top();
            out.y.end = plot.bottom();
        } else {
            out.y = scaled(layout.chart, panel, false, plot.bottom(), plot.top());
        }
    }

    [[nodiscard]] std::vector<Tick> ticksOf(bool along_x) const {
        const ChartAxis& axis = along_x ? panel.x : panel.y;
        const PixelAxis& scale = along_x ? out.x : out.y;
        const double spacing = axis.logarithmic ? (along_x ? 34 : 24) : along_x ? 64 : 40;
        return axis_ticks(scale, spacing, axis_unit(axis.unit, scale.high).first);
    }
    /// Spans the axes over the plot, which gives way on its left to labels that need more room than usual.
    void spanAroundLabels() {
        spanAxes();
        double widest = 0;
        for (const Tick& tick : ticksOf(false)) {
            widest = std::max(widest, textWidth(lettering(Lettering::small), words(tick.label)));
        }
        if (const double more = std::ceil(widest) + 8 + name_room - left_room; more > 0) {
            left += more;
            out.plot.setLeft(std::min(out.plot.left() + more, out.plot.right() - 1));
            spanAxes();
        }
    }

    /// Grid lines, ticks and the name of an axis of values.
    void placeAxis(bool along_x) {
        const ChartAxis& axis = along_x ? panel.x : panel.y;
        const PixelAxis& scale = along_x ? out.x : out.y;
        const QRectF& plot = out.plot;
        double free = plot.left() - 32; // where the next label along x may begin
        for (const Tick& tick : ticksOf(along_x)) {
            const double at = std::round(scale.pixel(tick.value)) + 0.5;
            out.grid.push_back(along_x ? QLineF(at, plot.top(), at, plot.bottom() + 3)
                                       : QLineF(plot.left() - 3, at, plot.right(), at));
            const double half = along_x ? textWidth(lettering(Lettering::small), words(tick.label)) / 2 : 0;
            if (along_x && at - half < free) {
                continue; // it would stand on the one before
            }
            free = at + half + 4;
            say(along_x ? QRectF(at - 32, plot.bottom() + 3, 64, 15)
                        : QRectF(plot.left() - left + name_room - 4, at - 9, left - name_room - 2, 18),
                words(tick.label), along_x ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter,
                Role::quietText);
        }
        const QString name = words(axis_name(axis, scale.high));
        if (along_x) {
            // Below the plot where it has the room, else below all of the panel.
            const bool fits = textWidth(lettering(Lettering::normal), name) <= plot.width();
            const QRectF& under = fits ? plot : out.area;
            say(QRectF(under.left(), plot.bottom() + 19, under.width(), 18), name, Qt::AlignCenter,
                Role::text, Lettering::normal);
        } else {
            const double length = plot.height() + 20;
            const QPointF middle(plot.left() - left + 10, plot.center().y());
            say(QRectF(middle.x() - length / 2, middle.y() - 8, length, 16), name, Qt::AlignCenter,
                Role::text, Lettering::normal, false, -90);
        }
    }

    void placeBars() {
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
                out.marks.push_back({s, point,
                                     down ? QRectF(from, middle - half, to - from, 2 * half)
                                          : QRectF(middle - half, to, 2 * half, from - to)});
            }
        }
    }

    /// How far apart the marks of neighbouring series stand within a category: 0 where they share its middle,
    /// because lines join them there or because there is no room.
    [[nodiscard]] double apart() const {
        const auto solid = [](const ChartSeries& one) { return !one.hollow; };
        const auto count = std::ranges::count_if(panel.series, solid);
        const bool joined = std::ranges::any_of(
            panel.series, [](const ChartSeries& one) { return one.kind == SeriesKind::line; });
        if (panel.x.categories.empty() || panel.stacked() || joined || count < 2) {
            return 0;
        }
        const bool hollow = count < std::ssize(panel.series);
        const double needed = hollow ? mark_size + hollow_size + 6 : mark_size + 2;
        const double step = std::min(40.0, 0.8 * stepSize() / static_cast<double>(count));
        return step >= needed ? step : 0;
    }

    void placeMarks() {
        const double step = apart();
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
            const double usual = one.hollow       ? hollow_size
                                 : covered        ? lower_mark_size
                                 : one.emphasised ? mark_size + 2
                                                  : mark_size;
            ChartRun run{s, {}};
            double before = -1;
            for (const ChartPoint& point : points_of(panel, one)) {
                const bool placed =
                    (!panel.x.logarithmic || point.x > 0) && (!panel.y.logarithmic || point.y > 0);
                QPointF at = pixel(point);
                if (!placed || !out.plot.adjusted(-1, -1, 1, 1).contains(at)) {
                    continue; // has no place on the axes
                }
                at.rx() += (panel.x.categories.empty() ? 0 : (shape - middle) * step) +
                           (one.hollow ? mark_size + 3 : 0);
                const double size = markSize(point, usual);
                out.marks.push_back({s, point, QRectF(at.x() - size / 2, at.y() - size / 2, size, size)});
                if (!panel.x.categories.empty() && point.x > before + 1.5 && run.points.size() > 0) {
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
    void finish(ChartRun& run) {
        if (run.points.size() > 1 && panel.series[run.series].kind == SeriesKind::line) {
            out.runs.push_back(run);
        }
        run.points.clear();
    }

    /// Limits, cut to the plot: files of Qt 6.4 are not clipped. Their names stand along them.
    void placeRules() {
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
    void nameRule(const ChartSeries& rule, const QLineF& line) {
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
            say(QRectF(out.plot.left() + 2, line.y1() - 19, std::max(0.0, line.x2() - 4 - out.plot.left()),
                       16),
                name, Qt::AlignRight | Qt::AlignVCenter, Role::text);
        } else {
            const double angle = -line.angle();
            const QLineF normal = line.normalVector().unitVector();
            const QPointF middle = line.center() + QPointF(normal.dx(), normal.dy()) * 11;
            const double length = std::max(0.0, line.length() - 12);
            say(QRectF(middle.x() - length / 2, middle.y() - 8, length, 16), name, Qt::AlignCenter,
                Role::text, Lettering::small, false, angle);
        }
    }

    /// Categories below their columns, sums above their stacks, names of series right of the last values.
    void layoutColumns(const QRectF& area) {
        const double names = namesWidth(panel);
        const double column = columnWidth(panel, area.width());
        const QFont font = lettering(Lettering::small);
        std::vector<QStringList> categories;
        qsizetype lines = 1;
        for (const std::string& category : panel.x.categories) {
            categories.push_back(wrapped(font, words(category), column - 3));
            lines = std::max(lines, categories.back().size());
        }
        const double below = 6 + category_line * static_cast<double>(lines) + 20;
        out.plot = QRectF(area.left() + left_room, area.top() + panel_title,
                          std::max(1.0, area.width() - left_room - name_gap - names - right_margin),
                          std::max(1.0, area.height() - panel_title - below));
        out.thick.width = std::min(0.6, widest_bar / std::max(1.0, stepSize()));
        spanAroundLabels();
        placeAxis(false);
        for (std::size_t k = 0; k < categories.size(); ++k) {
            const double x = categoryPixel(static_cast<double>(k));
            double y = out.plot.bottom() + 4;
            for (const QString& line : categories[k]) {
                say(QRectF(x - column / 2 + 1, y, column - 2, category_line), line, Qt::AlignCenter,
                    Role::quietText);
                y += category_line;
            }
            const bool runs = std::ranges::any_of(panel.series, [&](const ChartSeries& one) {
                return k < one.values.size() && one.values[k].has_value();
            });
            if (!runs) {
                say(QRectF(x - 45, out.plot.bottom() - 60, 90, 14), ChartTexts::tr("does not run"),
                    Qt::AlignLeft | Qt::AlignVCenter, Role::quietText, Lettering::small, false, -90);
            }
        }
        say(QRectF(out.plot.left(), area.bottom() - 19, out.plot.width(), 18), words(panel.x.label),
            Qt::AlignCenter, Role::text, Lettering::normal);
        placeBars();
        placeMarks();
        for (std::size_t k = 0; k < categories.size(); ++k) {
            double sum = 0;
            for (const ChartSeries& one : panel.series) {
                sum += one.kind == SeriesKind::stack && layout.shows(one) ? one.values[k].value_or(0) : 0;
            }
            if (sum > 0) {
                say(QRectF(categoryPixel(static_cast<double>(k)) - column / 2, out.y.pixel(sum) - 17, column,
                           15),
                    words(value_text(panel.y.unit, sum)), Qt::AlignCenter, Role::text);
            }
        }
        placeNames(names);
    }

    void placeNames(double width) {
        std::vector<std::size_t> named;
        std::vector<double> wanted;
        for (std::size_t s = 0; s < panel.series.size(); ++s) {
            if (panel.series[s].hollow) {
                continue;
            }
            const auto last = std::ranges::find(out.marks.rbegin(), out.marks.rend(), s, &ChartMark::series);
            const double y = last == out.marks.rend() ? out.plot.bottom() : last->area.center().y();
            named.push_back(s);
            wanted.push_back(y - name_line / 2);
        }
        const std::vector<double> tops =
            spread(wanted, out.plot.top() - name_line, out.plot.bottom() - name_line);
        for (std::size_t k = 0; k < named.size(); ++k) {
            const double x = out.plot.right() + name_gap;
            layout.legend.push_back({panel.series[named[k]].name, index, named[k],
                                     QRectF(x - 12, tops[k] + name_line / 2 - 4, 8, 8),
                                     QRectF(x - 13, tops[k], width + 13, name_line)});
        }
    }

    /// Rows: groups and categories left of their bars, sums and remarks right of them.
    void layoutRows(const QRectF& area) {
        const ChartAxis& axis = panel.y;
        const QFont font = lettering(Lettering::small);
        double names = 0;
        double groups = 0;
        for (const ChartPanel& other : layout.chart.panels) {
            for (const std::string& category : other.y.categories) {
                names = std::max(names, category.empty() ? 0 : textWidth(font, words(category)) + 12);
            }
            for (const std::string& group : other.y.groups) {
                groups = std::max(groups, textWidth(lettering(Lettering::small, true), words(group)) + 6);
            }
        }
        groups = std::min(groups, area.width() * 0.3);
        const double left = area.left() + groups + names + 8;
        const double room = std::min(value_labels, area.width() * 0.25);
        out.plot = QRectF(left, area.top() + rowsTitle(panel), std::max(40.0, area.right() - room - left),
                          std::max(4.0, area.height() - rowsFrame(panel)));
        const bool two = std::ranges::any_of(panel.series, [](const ChartSeries& one) { return one.thin; });
        const double per = out.places.per_category;
        out.thick = two ? PanelLayout::Bar{0.54 * per, -0.18 * per} : PanelLayout::Bar{0.7 * per, 0};
        out.thin = {0.26 * per, 0.25 * per};
        spanAxes();
        if (!panel.x.label.empty()) {
            placeAxis(true);
        }
        placeBars();
        const double row = stepSize() * per;
        for (std::size_t k = 0; k < axis.categories.size(); ++k) {
            const double middle = categoryPixel(static_cast<double>(k));
            const QRectF whole(area.left(), middle - row / 2, area.width(), row);
            out.rows.push_back({whole, axis.items.empty() ? -1 : axis.items[k],
                                axis.details.empty() ? QString() : words(axis.details[k])});
            if (row >= 9) {
                const Lettering size = row >= 13 ? Lettering::small : Lettering::tiny;
                say(QRectF(left - names - 8, whole.top(), names, row), words(axis.categories[k]),
                    Qt::AlignRight | Qt::AlignVCenter, axis.groups.empty() ? Role::text : Role::quietText,
                    size);
            }
            const bool first = !axis.groups.empty() && (k == 0 || axis.groups[k] != axis.groups[k - 1]);
            if (first) {
                const auto members = std::count(axis.groups.begin(), axis.groups.end(), axis.groups[k]);
                say(QRectF(area.left(), whole.top(), groups, row * static_cast<double>(members)),
                    words(axis.groups[k]), Qt::AlignRight | Qt::AlignVCenter, Role::text, Lettering::small,
                    static_cast<std::size_t>(members) == axis.groups.size());
            }
            placeSums(k, whole);
        }
    }

    /// What the thin stack is: all of it, or the one part that is shown.
    [[nodiscard]] QString thinName() const {
        const ChartSeries* shown = nullptr;
        int count = 0;
        for (const ChartSeries& one : panel.series) {
            if (one.thin && layout.shows(one)) {
                shown = &one;
                ++count;
            }
        }
        return words(count == 1 && !layout.hidden.empty() ? shown->name : panel.thin_name);
    }

    void placeSums(std::size_t k, const QRectF& row) {
        double sums[] = {0, 0};
        for (const ChartSeries& one : panel.series) {
            if (one.kind == SeriesKind::stack && layout.shows(one)) {
                sums[one.thin ? 1 : 0] += one.values[k].value_or(0);
            }
        }
        if (row.height() < 9 || sums[0] + sums[1] <= 0) {
            return; // no room for a text between the bars
        }
        // Half of the letters' height must fit between the middle of the thick bar and the edge of the thin
        // one.
        const double free = (out.thin.shift - out.thin.width / 2 - out.thick.shift) * stepSize();
        const bool roomy = sums[1] <= 0 || free >= 7;
        const Lettering size = row.height() >= 17 ? Lettering::small : Lettering::tiny;
        const auto next_to = [&](double sum, double shift, const QString& said, Role role) {
            // Next to its own bar; where the bars are too thin for that, next to the longer of the two.
            const double end = out.x.pixel(roomy ? sum : std::max(sums[0], sums[1]));
            const double middle = row.center().y() + (roomy ? shift * stepSize() : 0);
            say(QRectF(end + 6, middle - 8, std::max(0.0, out.rows.back().area.right() - end - 6), 16), said,
                Qt::AlignLeft | Qt::AlignVCenter, role, size);
        };
        const bool all = layout.hidden.empty();
        const QString remark = all && k < panel.y.remarks.size() ? words(panel.y.remarks[k]) : QString();
        if (sums[0] > 0) {
            next_to(sums[0], out.thick.shift, words(value_text(panel.x.unit, sums[0])) + remark, Role::text);
        }
        if (sums[1] > 0 && (row.height() >= 28 || sums[0] <= 0)) {
            next_to(sums[1], out.thin.shift,
                    QStringLiteral("%1 %2").arg(thinName(), words(value_text(panel.x.unit, sums[1]))),
                    Role::quietText);
        }
    }
};

} // namespace

QStringList wrapped(const QFont& font, const QString& text, double width) {
    QStringList lines;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && textWidth(font, longer) <= width) {
            lines.back() = longer;
        } else {
            lines += word;
        }
    }
    return lines;
}

bool namesStandInPanel(const ChartPanel& panel) {
    return !panel.x.categories.empty();
}

double rowsFrame(const ChartPanel& panel) {
    return rowsTitle(panel) + (panel.x.label.empty() ? 4 : axis_room);
}

double rowsWeight(const ChartPanel& panel) {
    const CategoryPlaces places = category_places(panel.y);
    const bool single = !panel.y.groups.empty() && panel.y.groups.front() == panel.y.groups.back();
    return static_cast<double>(places.steps) / places.per_category * (single ? 1.6 : 1);
}

bool wordsFit(const ChartPanel& panel, double width) {
    const double room = panel.x.categories.empty() ? width : columnWidth(panel, width) - 3;
    for (const std::string& category : panel.x.categories) {
        for (const QString& word : words(category).split(QLatin1Char(' '))) {
            if (textWidth(lettering(Lettering::small), word) > room) {
                return false;
            }
        }
    }
    return true;
}

std::vector<std::string> pointLabels(const Chart& chart) {
    std::vector<std::string> labels;
    for (const ChartPanel& panel : chart.panels) {
        for (const ChartSeries& one : panel.series) {
            for (const ChartPoint& point : one.points) {
                if (one.emphasised && !point.label.empty() &&
                    std::ranges::find(labels, point.label) == labels.end()) {
                    labels.push_back(point.label);
                }
            }
        }
    }
    return labels;
}

bool layoutPanel(ChartLayout& layout, std::size_t panel, const QRectF& area,
                 const std::vector<std::string>& numbered) {
    const ChartPanel& from = layout.chart.panels[panel];
    Layouter at{layout, from, panel, {}, left_room};
    at.out.area = area;
    at.out.places = category_places(from.categories());
    bool labelled = true;
    if (from.horizontal()) {
        at.layoutRows(area);
    } else if (!from.x.categories.empty()) {
        at.layoutColumns(area);
    } else {
        at.out.plot = area.adjusted(left_room, panel_title + 4, -10, -40);
        at.spanAroundLabels();
        at.placeAxis(true);
        at.placeAxis(false);
        at.placeRules();
        at.placeMarks();
        labelled = placePointLabels(from, at.out, numbered);
    }
    if (!from.title.empty()) {
        const double wide = textWidth(lettering(Lettering::normal, true), words(from.title));
        const bool above = !from.horizontal() && wide <= area.right() - at.out.plot.left();
        const double left = above ? at.out.plot.left() : area.left();
        at.say(QRectF(left, area.top(), area.right() - left, 20), words(from.title),
               Qt::AlignLeft | Qt::AlignVCenter, Role::text, Lettering::normal, true);
    }
    layout.panels.push_back(std::move(at.out));
    return labelled;
}

} // namespace meshslice::ui
