#include "core/figure/place_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

/// Those that all categories are, where they ascend.
std::optional<std::vector<double>> numbers_of(const ChartAxis& axis) {
    std::vector<double> numbers;
    for (const auto& [number, name] : axis.names) {
        numbers.push_back(number);
    }
    for (const std::string& one : numbers.empty() ? axis.categories : std::vector<std::string>()) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), number);
        if (error != std::errc() || end != one.data() + one.size()) {
            return std::nullopt;
        }
        numbers.push_back(static_cast<double>(number));
    }
    const bool ascend = std::ranges::adjacent_find(numbers, std::ranges::greater_equal()) == numbers.end();
    return ascend && numbers.size() > 1 && numbers.size() == axis.categories.size()
               ? std::optional(std::move(numbers))
               : std::nullopt;
}

ChartSeries at_numbers(ChartSeries series, const std::vector<double>& numbers, const ChartAxis& axis) {
    const auto of = [](const auto& list, std::size_t k, auto none) {
        return k < list.size() ? static_cast<decltype(none)>(list[k]) : none;
    };
    bool apart = false;
    for (std::size_t k = 0; k < std::min(series.values.size(), numbers.size()); ++k) {
        if (series.values[k]) {
            std::string detail = of(series.details, k, std::string());
            if (const std::string more = of(axis.details, k, std::string()); !more.empty()) {
                detail += (detail.empty() ? "" : "\n") + more;
            }
            series.points.push_back({numbers[k],
                                     *series.values[k],
                                     {},
                                     std::move(detail),
                                     0,
                                     of(series.items, k, -1),
                                     of(series.open, k, false),
                                     std::exchange(apart, false)});
        } else {
            apart = true;
        }
    }
    series.values.clear();
    series.details.clear();
    series.items.clear();
    series.open.clear();
    return series;
}

/// From the first number to the last, with room for marks at both.
void set_ends(ChartAxis& axis, const std::vector<double>& numbers) {
    constexpr double decade = 10, around = 0.04;
    const double low = numbers.front(), high = numbers.back();
    axis.logarithmic = low > 0 && high > decade * low;
    if (axis.logarithmic) {
        const double margin = std::pow(high / low, around);
        axis.low = low / margin;
        axis.high = high * margin;
    } else {
        const double margin = around * (high - low);
        axis.low = low >= 0 ? std::max(0.0, low - margin) : low - margin;
        axis.high = high + margin;
    }
}

} // namespace

ChartPanel place_lines(ChartPanel panel) {
    const bool has_lines = std::ranges::any_of(
        panel.series, [](const ChartSeries& one) { return one.kind == SeriesKind::line; });
    if (panel.x.categories.empty() || panel.horizontal() || panel.stacked() || !has_lines) {
        return panel;
    }
    ChartAxis& axis = panel.x;
    const std::optional<std::vector<double>> numbers = axis.groups.empty() ? numbers_of(axis) : std::nullopt;
    if (!numbers) {
        for (ChartSeries& one : panel.series) {
            one.kind = one.kind == SeriesKind::line ? SeriesKind::points : one.kind;
        }
        return panel;
    }
    for (ChartSeries& one : panel.series) {
        one = one.points.empty() ? at_numbers(std::move(one), *numbers, axis) : std::move(one);
    }
    axis.names.clear();
    for (std::size_t k = 0; k < numbers->size(); ++k) {
        axis.names.emplace_back((*numbers)[k], std::move(axis.categories[k]));
    }
    axis.categories.clear();
    axis.details.clear();
    set_ends(axis, *numbers);
    return panel;
}

} // namespace meshslice
