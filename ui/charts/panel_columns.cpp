#include "ui/charts/chart_words.h"
#include "ui/charts/panel_layout.h"
#include "ui/charts/panel_layouter.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace meshslice::ui {
namespace {

constexpr double name_gap = 14;
constexpr double right_margin = 12;
constexpr double category_line = 13;
constexpr double name_line = 14;
constexpr double widest_bar = 56;
constexpr double least_plot = 120; ///< next to the names of its series

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

} // namespace

void PanelLayouter::layoutColumns(const QRectF& area) {
    const double names = namesWidth(panel);
    const double column = columnWidth(panel, area.width());
    const QFont font = lettering(Lettering::small);
    std::vector<QStringList> categories;
    qsizetype lines = 1;
    const std::size_t stride = category_stride(
        panel, column - 3, [&](std::string_view name) { return textWidth(font, words(name)); });
    const double room = column * static_cast<double>(stride);
    for (const std::string& category : panel.x.categories) {
        categories.push_back(wrapped(font, words(category), room - 3));
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
        for (const QString& line : k % stride == 0 ? categories[k] : QStringList()) {
            say(QRectF(x - room / 2 + 1, y, room - 2, category_line), line, Qt::AlignCenter, Role::quietText);
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
            say(QRectF(categoryPixel(static_cast<double>(k)) - column / 2, out.y.pixel(sum) - 17, column, 15),
                words(value_text(panel.y.unit, sum)), Qt::AlignCenter, Role::text);
        }
    }
    placeNames(names);
}

void PanelLayouter::placeNames(double width) {
    std::vector<std::size_t> named;
    std::vector<double> wanted;
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        const auto first = std::ranges::find(panel.series, panel.series[s].name, &ChartSeries::name);
        const bool has_name = first != panel.series.begin() + static_cast<std::ptrdiff_t>(s);
        if (panel.series[s].hollow || (panel.series[s].dashed && has_name)) {
            continue; // the solid one of the same name
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

bool namesStandInPanel(const ChartPanel& panel) {
    const bool lines = !panel.series.empty() && std::ranges::all_of(panel.series, [](const ChartSeries& one) {
        return one.kind == SeriesKind::line;
    });
    return !panel.x.categories.empty() || lines;
}

void PanelLayouter::layoutLines(const QRectF& area) {
    const double names = namesWidth(panel);
    out.plot = area.adjusted(left_room, panel_title + 4, -(name_gap + names + right_margin), -40);
    out.plot.setWidth(std::max(1.0, out.plot.width()));
    spanAroundLabels();
    placeAxis(true);
    placeAxis(false);
    placeMarks();
    placeNames(names);
}

bool partsFit(const ChartPanel& panel, double width) {
    const double plot = width - left_room - name_gap - namesWidth(panel) - right_margin;
    if (namesStandInPanel(panel) && plot < least_plot) {
        return false;
    }
    if (panel.x.categories.empty()) {
        return true;
    }
    const double column = columnWidth(panel, width);
    if (marksHideEachOther(panel, column)) {
        return false;
    }
    const double room = column - 3;
    for (const std::string& category : panel.x.categories) {
        for (const QString& word : words(category).split(QLatin1Char(' '))) {
            if (textWidth(lettering(Lettering::small), word) > room) {
                return false;
            }
        }
    }
    return true;
}

} // namespace meshslice::ui
