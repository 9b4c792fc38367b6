#include "ui/studies/study_chart.h"

#include "core/base/text.h"
#include "ui/charts/ticks.h"
#include "ui/document/words.h"
#include "ui/look/lettering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace meshslice::ui {
namespace {

constexpr double margin = 12;
constexpr double title_height = 34; ///< with one line
constexpr double title_line = 20;
constexpr double panel_title = 22;
constexpr double line_height = 20;
constexpr double least_panel_width = 420;
constexpr double mark_size = 9;
constexpr double lower_mark_size = 13; ///< of the first of two series: seen where the second covers it
constexpr double below_names = 20;     ///< of an axis, where it has no name
constexpr double name_line = 14;
constexpr double name_gap = 14;
constexpr double second_category_line = 10;

/// The highest value or sum of values, published ones included.
double highest(const Panel& panel) {
    double most = 0;
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        double sum = 0;
        for (const Series& series : panel.series) {
            const double value = series.values[k].value_or(0);
            sum = panel.stacked ? sum + value : std::max(sum, value);
            if (!series.published.empty()) {
                sum = std::max(sum, series.published[k].value_or(0));
            }
        }
        most = std::max(most, sum);
    }
    return most;
}

/// The unit of an axis up to `most`, in base units, and its name.
std::pair<double, QString> axisUnit(PanelUnit unit, double most) {
    struct Prefix {
        double factor;
        const char* name;
    };
    const auto prefixed = [&](const std::array<Prefix, 4>& prefixes) -> std::pair<double, QString> {
        for (const Prefix& prefix : prefixes) {
            if (most >= prefix.factor) {
                return {prefix.factor, QString::fromUtf8(prefix.name)};
            }
        }
        return {prefixes.back().factor, QString::fromUtf8(prefixes.back().name)};
    };
    switch (unit) {
    case PanelUnit::share: return {0.01, QStringLiteral("%")};
    case PanelUnit::ratio: return {1, {}};
    case PanelUnit::seconds: return prefixed({{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}});
    case PanelUnit::bytes: return prefixed({{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}});
    }
    return {1, {}};
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

void placeMarks(const Panel& panel, StudyPlot& plot) {
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        double below = 0;
        for (std::size_t s = 0; s < panel.series.size(); ++s) {
            const Series& series = panel.series[s];
            if (const auto value = series.values[k]) {
                const double top = plot.y.pixel(panel.stacked ? below + *value : *value);
                const double size = panel.series.size() == 2 && s == 0 ? lower_mark_size : mark_size;
                QRectF area(plot.columns[k] - size / 2, top - size / 2, size, size);
                if (panel.stacked) {
                    const double width = std::min(56.0, plot.column_width * 0.6);
                    area = QRectF(
                        QPointF(std::round(plot.columns[k] - width / 2), std::round(top)),
                        QPointF(std::round(plot.columns[k] + width / 2), std::round(plot.y.pixel(below))));
                    below += *value;
                }
                plot.marks.push_back({s, k, *value, false, area});
            }
            if (!series.published.empty() && series.published[k]) {
                const double size = mark_size + 4;
                plot.marks.push_back({s, k, *series.published[k], true,
                                      QRectF(plot.columns[k] + mark_size,
                                             plot.y.pixel(*series.published[k]) - size / 2, size, size)});
            }
        }
    }
}

/// Beside the last value of each series.
void placeNames(const Panel& panel, StudyPlot& plot, double width) {
    if (panel.stacked) {
        return;
    }
    std::vector<double> wanted;
    for (const Series& series : panel.series) {
        const auto last = std::ranges::find_if(series.values.rbegin(), series.values.rend(),
                                               [](const auto& value) { return value.has_value(); });
        wanted.push_back(plot.y.pixel(last == series.values.rend() ? 0.0 : last->value()) - name_line / 2);
    }
    for (const double top : spread(wanted, plot.plot.top() - name_line, plot.plot.bottom() - name_line)) {
        plot.names.emplace_back(plot.plot.right() + name_gap, top, width, name_line);
    }
}

StudyPlot layoutPanel(const Panel& panel, const QRectF& area, bool names_categories) {
    StudyPlot plot;
    plot.area = area;
    plot.names_categories = names_categories;
    double names = 0;
    for (const Series& series : panel.stacked ? std::vector<Series>() : panel.series) {
        names = std::max(names, textWidth(lettering(Lettering::small, true), words(series.name)) + 6);
    }
    const double right = names + (names > 0 ? name_gap : 0) + margin;
    const double columns = static_cast<double>(std::max<std::size_t>(1, panel.categories.size()));
    plot.column_width = (area.width() - left_axis - right) / columns;
    const bool two_lines = std::ranges::any_of(panel.categories, [&](const std::string& category) {
        return textWidth(lettering(Lettering::small), words(category)) > plot.column_width - 2;
    });
    plot.plot = area.adjusted(left_axis, panel_title, -right,
                              -(names_categories ? below_axis : below_names) -
                                  (two_lines ? second_category_line : 0));
    const double most = highest(panel);
    const auto [unit, name] = axisUnit(panel.unit, most);
    plot.unit = unit;
    plot.y_name = name.isEmpty() ? words(panel.value_name)
                                 : QStringLiteral("%1 (%2)").arg(words(panel.value_name), name);
    const double step = niceStep(std::max(most, 1e-12) / unit / 5) * unit;
    // The sums stand above their stacks.
    const double room = panel.stacked ? 1.25 : 1.0;
    const double top =
        panel.unit == PanelUnit::share ? 1.0 : std::max(1.0, std::ceil(room * most / step)) * step;
    plot.y = {0, top, plot.plot.bottom(), plot.plot.top(), false};
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        plot.columns.push_back(plot.plot.left() + (static_cast<double>(k) + 0.5) * plot.column_width);
    }
    placeMarks(panel, plot);
    placeNames(panel, plot, names);
    return plot;
}

/// One line where it fits, else two, broken between sentences.
QStringList titleLines(const QString& title, double width) {
    const QString between = QStringLiteral("; ");
    const auto middle = title.indexOf(between);
    if (middle < 0 || textWidth(lettering(Lettering::title, true), title) <= width) {
        return {title};
    }
    return {title.left(middle + 1), title.mid(middle + between.size())};
}

} // namespace

QString valueText(PanelUnit unit, double value) {
    switch (unit) {
    case PanelUnit::share: return QStringLiteral("%1%").arg(100 * value, 0, 'f', 1);
    case PanelUnit::ratio: return QStringLiteral("%1×").arg(value, 0, 'f', 2);
    case PanelUnit::seconds: return words(si_text(value, "s"));
    case PanelUnit::bytes: return words(si_text(value, "B"));
    }
    return {};
}

StudyChart layoutStudy(const StudyResult& result, const QSize& size) {
    StudyChart chart;
    chart.size = size;
    chart.title = titleLines(words(result.finding), size.width() - 2 * margin);
    const double head = title_height + title_line * static_cast<double>(chart.title.size() - 1);
    chart.note = words(result.note);
    chart.panels = result.panels;
    const double foot = line_height * (chart.note.isEmpty() ? 1 : 3) + 4;
    chart.legend_top = size.height() - foot;
    const QRectF all(margin, head, size.width() - 2 * margin, std::max(80.0, size.height() - head - foot));
    const auto count = static_cast<double>(std::max<std::size_t>(1, chart.panels.size()));
    const bool side_by_side = all.width() / count >= least_panel_width;
    for (std::size_t k = 0; k < chart.panels.size(); ++k) {
        const auto place = static_cast<double>(k);
        const double width = side_by_side ? all.width() / count : all.width();
        const double height = side_by_side ? all.height() : all.height() / count;
        const QRectF area(all.left() + (side_by_side ? place * width : 0),
                          all.top() + (side_by_side ? 0 : place * height), width, height);
        const bool lowest = side_by_side || k + 1 == chart.panels.size();
        chart.plots.push_back(
            layoutPanel(chart.panels[k], area,
                        lowest || chart.panels[k].category_name != chart.panels.back().category_name));
    }
    return chart;
}

bool isEmphasised(const Panel& panel, std::size_t series) {
    const std::string& name = panel.series[series].name;
    return name.starts_with("MeshSlice") || (panel.series.size() == 2 && series == 1);
}

StudyHit markAt(const StudyChart& chart, const QPointF& point) {
    for (std::size_t k = 0; k < chart.plots.size(); ++k) {
        for (const StudyMark& mark : chart.plots[k].marks) {
            if (mark.area.adjusted(-2, -2, 2, 2).contains(point)) {
                return {&chart.panels[k], &mark};
            }
        }
    }
    return {};
}

} // namespace meshslice::ui
