#include "core/report/study_chart.h"

#include "core/report/study_look.h"
#include "core/report/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

constexpr double margin = 12;
constexpr double below_title = 6;
constexpr double panel_title = 22;
constexpr double left_axis = 62; ///< ticks, their labels and the turned name
constexpr double key_line = 20;
constexpr double least_panel_width = 420;
constexpr double least_panel_height = 220; ///< below which panels stand side by side, however narrow
constexpr double mark_size = 9;
constexpr double lower_mark_size = 13; ///< of the first of two series: seen where the second covers it
constexpr double hollow_size = 13;
constexpr double name_gap = 14;
constexpr double widest_bar = 56;

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

bool has_published(const Panel& panel) {
    return std::ranges::any_of(panel.series, [](const Series& one) { return !one.published.empty(); });
}

/// The unit of an axis up to `most`, in base units, and its name.
std::pair<double, std::string> axis_unit(PanelUnit unit, double most) {
    using Prefix = std::pair<double, const char*>;
    const auto prefixed = [&](const std::array<Prefix, 4>& prefixes) -> std::pair<double, std::string> {
        const auto* found =
            std::ranges::find_if(prefixes, [&](const Prefix& prefix) { return most >= prefix.first; });
        return found == prefixes.end() ? prefixes.back() : *found;
    };
    switch (unit) {
    case PanelUnit::share: return {0.01, "%"};
    case PanelUnit::ratio: return {1, ""};
    case PanelUnit::seconds: return prefixed({{{1, "s"}, {1e-3, "ms"}, {1e-6, "\u00b5s"}, {1e-9, "ns"}}});
    case PanelUnit::bytes: return prefixed({{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}});
    }
    return {1, ""};
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

/// How far apart the marks of neighbouring series stand within a category: 0 where they share its middle,
/// because lines join them there or because there is no room.
double apart(const Panel& panel, double column_width) {
    if (panel.stacked || panel.series.size() < 2 || is_ordered(panel)) {
        return 0;
    }
    const double needed = has_published(panel) ? mark_size + hollow_size + 6 : mark_size + 2;
    const double step = std::min(40.0, 0.8 * column_width / static_cast<double>(panel.series.size()));
    return step >= needed ? step : 0;
}

/// The part of a stack from `below` upward, on whole pixels, so that neighbours touch and do not blur.
Box bar(const StudyPlot& plot, std::size_t category, double below, double value) {
    const double width = std::min(widest_bar, plot.column_width * 0.6);
    const double left = std::round(plot.columns[category] - width / 2);
    const double top = std::round(plot.y.pixel(below + value));
    return {left, top, std::round(plot.columns[category] + width / 2) - left,
            std::round(plot.y.pixel(below)) - top};
}

void place_marks(const Panel& panel, StudyPlot& plot) {
    const double step = apart(panel, plot.column_width);
    const double middle = (static_cast<double>(panel.series.size()) - 1) / 2;
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        double below = 0;
        for (std::size_t s = 0; s < panel.series.size(); ++s) {
            const Series& series = panel.series[s];
            const double x = plot.columns[k] + (static_cast<double>(s) - middle) * step;
            if (const auto value = series.values[k]; value && panel.stacked) {
                plot.marks.push_back({s, k, *value, false, bar(plot, k, below, *value)});
                below += *value;
            } else if (value) {
                const bool covered = step == 0 && panel.series.size() == 2 && s == 0;
                const double size = covered ? lower_mark_size : mark_size;
                const double y = plot.y.pixel(*value);
                plot.marks.push_back({s, k, *value, false, {x - size / 2, y - size / 2, size, size}});
            }
            if (!series.published.empty() && series.published[k]) {
                const double y = plot.y.pixel(*series.published[k]);
                plot.marks.push_back({s,
                                      k,
                                      *series.published[k],
                                      true,
                                      {x + mark_size, y - hollow_size / 2, hollow_size, hollow_size}});
            }
        }
    }
}

/// Beside the last value of each series, or the middle of its part of the last stack.
void place_names(const Panel& panel, StudyPlot& plot, double width) {
    std::vector<double> wanted;
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        const auto last = std::ranges::find_if(plot.marks.rbegin(), plot.marks.rend(), [&](const auto& mark) {
            return mark.series == s && !mark.published;
        });
        const double y = last == plot.marks.rend() ? plot.plot.bottom() : last->area.center().y;
        wanted.push_back(y - name_line / 2);
    }
    for (const double top : spread(wanted, plot.plot.top - name_line, plot.plot.bottom() - name_line)) {
        plot.names.push_back({plot.plot.right() + name_gap, top, width, name_line});
    }
}

/// The room that the series' names take right of a plot.
double names_width(const Panel& panel, const TextWidth& measure) {
    double most = 0;
    for (const Series& series : panel.series) {
        most = std::max(most, measure(series.name, loud_letters) + 6);
    }
    return most;
}

double column_width(const Panel& panel, double width, const TextWidth& measure) {
    const double columns = static_cast<double>(std::max<std::size_t>(1, panel.categories.size()));
    return (width - left_axis - name_gap - names_width(panel, measure) - margin) / columns;
}

/// The names of categories in lines of at most a column's width.
std::vector<std::vector<std::string>> category_lines(const Panel& panel, double width,
                                                     const TextWidth& measure) {
    std::vector<std::vector<std::string>> all;
    for (const std::string& category : panel.categories) {
        all.push_back(wrapped(category, width, small_letters, measure));
        for (std::string& line : all.back()) {
            line = fitted(line, width, small_letters, measure);
        }
    }
    return all;
}

ChartAxis value_axis(const Panel& panel, double unit, double most, const Box& plot) {
    // The sums stand above their stacks.
    const double room = panel.stacked ? 1.12 : 1.0;
    const double step = nice_step(std::max(most, 1e-12) / unit / 5) * unit;
    const double top =
        panel.unit == PanelUnit::share ? 1.0 : std::max(1.0, std::ceil(room * most / step)) * step;
    return {0, top, plot.bottom(), plot.top, false};
}

/// The highest value of all panels that count the same, so that their heights can be compared.
double highest_of_all(const std::vector<Panel>& panels, PanelUnit unit) {
    double most = 0;
    for (const Panel& panel : panels) {
        most = std::max(most, panel.unit == unit ? highest(panel) : 0.0);
    }
    return most;
}

StudyPlot layout_panel(const Panel& panel, double most, const Box& area, bool names_categories,
                       const TextWidth& measure) {
    StudyPlot plot;
    plot.area = area;
    plot.names_categories = names_categories;
    plot.column_width = column_width(panel, area.width, measure);
    plot.categories = category_lines(panel, plot.column_width - 3, measure);
    std::size_t lines = 1;
    for (const std::vector<std::string>& category : plot.categories) {
        lines = std::max(lines, category.size());
    }
    const double below = 6 + category_line * static_cast<double>(lines) + (names_categories ? 20 : 6);
    const double names = names_width(panel, measure);
    plot.plot = {area.left + left_axis, area.top + panel_title,
                 std::max(1.0, area.width - left_axis - name_gap - names - margin),
                 std::max(1.0, area.height - panel_title - below)};
    const auto [unit, name] = axis_unit(panel.unit, most);
    plot.unit = unit;
    plot.y_name = name.empty() ? panel.value_name : panel.value_name + " (" + name + ")";
    plot.y = value_axis(panel, unit, most, plot.plot);
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        plot.columns.push_back(plot.plot.left + (static_cast<double>(k) + 0.5) * plot.column_width);
        if (std::ranges::none_of(panel.series,
                                 [&](const Series& one) { return one.values[k].has_value(); })) {
            plot.empty.push_back(k);
        }
    }
    place_marks(panel, plot);
    place_names(panel, plot, names);
    return plot;
}

/// Whether every word of the categories' names has room below its column.
bool words_fit(const Panel& panel, double width, const TextWidth& measure) {
    const double room = column_width(panel, width, measure) - 3;
    for (const std::string& category : panel.categories) {
        for (const std::string& word : wrapped(category, 0, small_letters, measure)) {
            if (measure(word, small_letters) > room) {
                return false;
            }
        }
    }
    return true;
}

bool side_by_side(const std::vector<Panel>& panels, double width, double height, const TextWidth& measure) {
    const auto count = static_cast<double>(std::max<std::size_t>(1, panels.size()));
    const double each = (width - 2 * margin) / count;
    return each >= least_panel_width &&
           (height / count < least_panel_height ||
            std::ranges::all_of(panels, [&](const Panel& panel) { return words_fit(panel, each, measure); }));
}

/// All but the panels, with the room that they have left.
struct Frame {
    StudyChart chart;
    Box panels;
};

void place_keys(StudyChart& chart, double top, const TextWidth& measure) {
    double x = margin;
    for (const bool published : {true, false}) {
        const std::string words = published ? "hollow: the paper's (MeshSlice, ISCA 2025)" : "solid: ours";
        const double size = published ? hollow_size : mark_size;
        const Box mark{x, top + (key_line - size) / 2, size, size};
        const double width = measure(words, small_letters) + 2;
        chart.keys.push_back({mark, published, {x + size + 6, top, width, key_line}, words});
        x += size + 6 + width + 16;
    }
}

/// At most so many lines, the last one ending in an ellipsis where there were more.
void shorten(std::vector<std::string>& lines, std::size_t most) {
    if (lines.size() > most) {
        lines.resize(most);
        if (most > 0) {
            lines.back() += " \u2026";
        }
    }
}

Frame frame(const StudyResult& result, double width, double height, const TextWidth& measure) {
    Frame frame;
    StudyChart& chart = frame.chart;
    chart.width = width;
    chart.height = height;
    chart.panels = result.panels;
    chart.margin = margin;
    const double line = std::max(1.0, width - 2 * margin);
    chart.title = wrapped_by_parts(result.finding, line, title_letters, measure);
    std::string note;
    for (const std::string& part : {result.not_judged, result.note, not_running(result.panels)}) {
        note += (note.empty() || part.empty() ? "" : " ") + part;
    }
    chart.note = wrapped(note, line, small_letters, measure);
    // In a low picture the panels keep at least half of the height.
    shorten(chart.title, static_cast<std::size_t>(std::max(1.0, height / 4 / title_line)));
    shorten(chart.note, static_cast<std::size_t>(height / 5 / note_line));
    const double head = chart.title_top + title_line * static_cast<double>(chart.title.size()) + below_title;
    const bool keys = std::ranges::any_of(result.panels, has_published);
    const double foot = (keys ? key_line : 0) + note_line * static_cast<double>(chart.note.size()) + 8;
    chart.note_top = height - foot + (keys ? key_line : 0);
    if (keys) {
        place_keys(chart, height - foot, measure);
    }
    frame.panels = {margin, head, line, std::max(80.0, height - head - foot)};
    return frame;
}

} // namespace

StudyChart layout_study(const StudyResult& result, double width, double height, const TextWidth& measure) {
    auto [chart, all] = frame(result, width, height, measure);
    const auto count = static_cast<double>(std::max<std::size_t>(1, chart.panels.size()));
    const bool beside = side_by_side(chart.panels, width, all.height, measure);
    for (std::size_t k = 0; k < chart.panels.size(); ++k) {
        const auto place = static_cast<double>(k);
        const double panel_width = beside ? all.width / count : all.width;
        const double panel_height = beside ? all.height : all.height / count;
        const Box area{all.left + (beside ? place * panel_width : 0),
                       all.top + (beside ? 0 : place * panel_height), panel_width, panel_height};
        const bool lowest = beside || k + 1 == chart.panels.size();
        const bool own_name = chart.panels[k].category_name != chart.panels.back().category_name;
        chart.plots.push_back(layout_panel(chart.panels[k],
                                           highest_of_all(chart.panels, chart.panels[k].unit), area,
                                           lowest || own_name, measure));
    }
    return std::move(chart);
}

double study_height(const StudyResult& result, double width, const TextWidth& measure) {
    constexpr double plenty = 4000;
    constexpr double tall_panel = 350;
    constexpr double low_panel = 270;
    const auto [chart, all] = frame(result, width, plenty, measure);
    const bool beside = side_by_side(chart.panels, width, all.height, measure);
    const double panels = beside ? tall_panel : low_panel * static_cast<double>(chart.panels.size());
    return std::round(plenty - all.height + panels);
}

std::vector<StudyLine> study_lines(const Panel& panel, const StudyPlot& plot) {
    std::vector<StudyLine> lines;
    if (!is_ordered(panel)) {
        return lines;
    }
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        const StudyMark* before = nullptr;
        for (const StudyMark& mark : plot.marks) {
            if (mark.series != s || mark.published) {
                continue;
            }
            if (before != nullptr && before->category + 1 == mark.category) {
                lines.push_back({s, before->area.center(), mark.area.center()});
            }
            before = &mark;
        }
    }
    return lines;
}

StudyHit mark_at(const StudyChart& chart, const Point& point) {
    constexpr double near = 2;
    for (std::size_t k = 0; k < chart.plots.size(); ++k) {
        for (const StudyMark& mark : chart.plots[k].marks) {
            const Box& area = mark.area;
            if (point.x >= area.left - near && point.x <= area.right() + near && point.y >= area.top - near &&
                point.y <= area.bottom() + near) {
                return {&chart.panels[k], &mark};
            }
        }
    }
    return {};
}

} // namespace meshslice
