#include "core/figure/chart.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice {
namespace {

/// With its zeros, so that 3.80 says as much as 3.81, and without an exponent.
std::string three_digits(double value) {
    // 1 for values that are written with one digit before the point, as rounding leaves them.
    int before = 1;
    while (before < 3 && value >= std::pow(10.0, before) * 0.9995) {
        ++before;
    }
    const int zeros = value > 0 && value < 0.9995 ? static_cast<int>(-std::floor(std::log10(value))) : 0;
    return fmt::format("{:.{}f}", value, 3 - before + std::min(zeros, 6));
}

bool nothing_runs(const ChartPanel& panel, std::size_t category) {
    return std::ranges::none_of(panel.series, [&](const ChartSeries& one) {
        return category < one.values.size() && one.values[category].has_value();
    });
}

std::string not_running_in(const ChartPanel& panel) {
    std::string words;
    const ChartAxis& axis = panel.categories();
    for (const ChartSeries& one : panel.series) {
        std::vector<std::string> missing;
        for (std::size_t k = 0; k < axis.categories.size() && !one.hollow; ++k) {
            if (!one.values[k] && !nothing_runs(panel, k)) {
                missing.push_back(axis.categories[k]);
            }
        }
        if (!missing.empty()) {
            words +=
                (words.empty() ? std::string() : said(" ")) +
                say("{} does not run {}.", one.name,
                    language_detail::spaced(fmt::format(fmt::runtime(said(axis.where)), listed(missing))));
        }
    }
    return words;
}

std::string column(const ChartSeries& series, ChartUnit unit) {
    const std::string name = series.name + (series.hollow ? " published" : "");
    switch (unit) {
    case ChartUnit::none: return name;
    case ChartUnit::share: return name + "_share";
    case ChartUnit::ratio: return name + "_ratio";
    case ChartUnit::seconds: return name + "_s";
    case ChartUnit::bytes: return name + "_bytes";
    case ChartUnit::byte_rate: return name + "_bytes_per_s";
    case ChartUnit::flop_rate: return name + "_flop_per_s";
    case ChartUnit::flop_per_byte: return name + "_flop_per_byte";
    }
    return name;
}

} // namespace

ChartSeries rule(std::string name, Role role, std::vector<ChartPoint> points, bool dashed) {
    ChartSeries series{std::move(name), SeriesKind::rule, {}, std::move(points), role};
    series.dashed = dashed;
    return series;
}

bool ChartPanel::stacked() const {
    return std::ranges::any_of(series, [](const ChartSeries& one) { return one.kind == SeriesKind::stack; });
}

std::vector<ChartPoint> points_of(const ChartPanel& panel, const ChartSeries& series) {
    const ChartAxis& axis = panel.categories();
    if (axis.categories.empty()) {
        return series.points;
    }
    std::vector<ChartPoint> points;
    for (std::size_t k = 0; k < series.values.size(); ++k) {
        if (series.values[k]) {
            const auto place = static_cast<double>(k);
            const double value = *series.values[k];
            points.push_back({panel.horizontal() ? value : place,
                              panel.horizontal() ? place : value,
                              {},
                              k < series.details.size() ? series.details[k]
                              : k < axis.details.size() ? axis.details[k]
                                                        : std::string(),
                              0,
                              k < series.items.size() ? series.items[k]
                              : k < axis.items.size() ? axis.items[k]
                                                      : -1,
                              k < series.open.size() && series.open[k]});
        }
    }
    return points;
}

std::optional<double> stack_sum(const ChartPanel& panel, std::size_t category, bool thin) {
    std::optional<double> sum;
    for (const ChartSeries& one : panel.series) {
        if (one.kind == SeriesKind::stack && one.thin == thin && one.values[category]) {
            sum = sum.value_or(0) + *one.values[category];
        }
    }
    return sum;
}

double stack_end(const ChartPanel& panel, std::size_t category) {
    const auto& spans = panel.categories().spans;
    const double sum = stack_sum(panel, category).value_or(0);
    return category < spans.size() && spans[category] ? std::max(sum, spans[category]->second) : sum;
}

std::optional<std::pair<double, double>> value_range(const ChartPanel& panel, bool along_x) {
    std::optional<std::pair<double, double>> range;
    const bool logarithmic = along_x ? panel.x.logarithmic : panel.y.logarithmic;
    const auto take = [&](double value) {
        if (std::isfinite(value) && (!logarithmic || value > 0)) {
            range = range ? std::pair(std::min(range->first, value), std::max(range->second, value))
                          : std::pair(value, value);
        }
    };
    for (const ChartSeries& one : panel.series) {
        for (const ChartPoint& point : points_of(panel, one)) {
            take(along_x ? point.x : point.y);
        }
    }
    for (const auto& span : panel.categories().spans) {
        if (span && along_x == panel.horizontal()) {
            take(span->first);
            take(span->second);
        }
    }
    for (std::size_t k = 0; k < panel.categories().categories.size() && panel.stacked(); ++k) {
        for (const bool thin : {false, true}) {
            if (const auto sum = stack_sum(panel, k, thin)) {
                take(*sum);
            }
        }
    }
    return range;
}

std::string value_text(const ChartAxis& axis, double value) {
    const auto named = std::ranges::find(axis.names, value, [](const auto& one) { return one.first; });
    return named == axis.names.end() ? value_text(axis.unit, value) : named->second;
}

std::string value_text(ChartUnit unit, double value) {
    switch (unit) {
    case ChartUnit::none: return number_text(value);
    case ChartUnit::share: return fmt::format("{:.1f}%", std::abs(value) < 0.0005 ? 0 : 100 * value);
    case ChartUnit::ratio: return three_digits(value) + "\u00d7";
    case ChartUnit::seconds: return si_text(value, "s");
    case ChartUnit::bytes: return si_text(value, "B");
    case ChartUnit::byte_rate: return si_text(value, "B/s");
    case ChartUnit::flop_rate: return si_text(value, "FLOP/s");
    case ChartUnit::flop_per_byte: return number_text(value) + " FLOP/B";
    }
    return {};
}

std::pair<double, std::string> axis_unit(ChartUnit unit, double most) {
    using Prefix = std::pair<double, const char*>;
    const auto prefixed = [&](const std::array<Prefix, 4>& prefixes) -> std::pair<double, std::string> {
        const auto* found =
            std::ranges::find_if(prefixes, [&](const Prefix& prefix) { return most >= prefix.first; });
        return found == prefixes.end() ? prefixes.back() : *found;
    };
    switch (unit) {
    case ChartUnit::none:
    case ChartUnit::ratio:
    case ChartUnit::flop_per_byte: return {1, ""};
    case ChartUnit::share: return {0.01, "%"};
    case ChartUnit::seconds: return prefixed({{{1, "s"}, {1e-3, "ms"}, {1e-6, "\u00b5s"}, {1e-9, "ns"}}});
    case ChartUnit::bytes: return prefixed({{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}});
    case ChartUnit::byte_rate: return {1e9, "GB/s"};
    case ChartUnit::flop_rate: return {1e12, "TFLOP/s"};
    }
    return {1, ""};
}

std::string axis_name(const ChartAxis& axis, double most) {
    const std::string unit = axis.names.empty() ? axis_unit(axis.unit, most).second : std::string();
    if (axis.logarithmic) {
        return unit.empty() ? say("{} (log scale)", axis.label) : say("{} ({}, log scale)", axis.label, unit);
    }
    return unit.empty() ? axis.label : fmt::format("{} ({})", axis.label, unit);
}

std::string mark_text(const ChartPanel& panel, const ChartSeries& series, const ChartPoint& point) {
    std::string words;
    if (const ChartAxis& axis = panel.categories(); !axis.categories.empty()) {
        const auto k = static_cast<std::size_t>(panel.horizontal() ? point.y : point.x);
        const std::string group = axis.groups.empty() ? std::string() : axis.groups[k] + ", ";
        const double value = panel.horizontal() ? point.x : point.y;
        words = fmt::format("{}\n{}{}{}{}: {}", series.name, axis.label, axis.label.empty() ? "" : " ", group,
                            axis.categories[k], value_text(panel.values().unit, value));
    } else {
        words = fmt::format("{}{}{}\n{}: {}\n{}: {}", point.label, point.label.empty() ? "" : ", ",
                            series.name, panel.x.label, value_text(panel.x, point.x), panel.y.label,
                            value_text(panel.y, point.y));
    }
    if (!series.source.empty()) {
        words += say("\nPublished: {}", series.source);
    }
    return words + (point.detail.empty() ? "" : "\n") + point.detail;
}

std::string not_running(const std::vector<ChartPanel>& panels) {
    std::vector<std::string> said;
    for (const ChartPanel& panel : panels) {
        said.push_back(not_running_in(panel));
    }
    if (std::ranges::adjacent_find(said, std::ranges::not_equal_to()) == said.end()) {
        return said.empty() ? std::string() : said.front();
    }
    std::string words;
    for (std::size_t k = 0; k < panels.size(); ++k) {
        if (!said[k].empty()) {
            words += fmt::format("{}{}: {}", words.empty() ? "" : " ", panels[k].title, said[k]);
        }
    }
    return words;
}

Table table(const std::string& title, const std::vector<ChartPanel>& panels) {
    Table table;
    table.title = title;
    if (panels.empty()) {
        return table;
    }
    table.columns = {"panel", panels.front().categories().label};
    for (const ChartSeries& series : panels.front().series) {
        table.columns.push_back(column(series, panels.front().values().unit));
    }
    for (const ChartPanel& panel : panels) {
        const std::vector<std::string>& categories = panel.categories().categories;
        for (std::size_t k = 0; k < categories.size(); ++k) {
            std::vector<Table::Cell> row = {panel.title, categories[k]};
            for (const ChartSeries& series : panel.series) {
                const bool runs = k < series.values.size() && series.values[k];
                row.push_back(runs ? Table::Cell(*series.values[k]) : Table::Cell(std::string()));
            }
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

} // namespace meshslice
