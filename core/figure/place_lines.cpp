#include "core/figure/place_lines.h"

#include "core/base/text/text_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace meshslice {
namespace {

/// "0.5" of "0.5", 500 and "ns" of "500 ns", 20 and "%" of "20%"; none of a name, such as "16x16" or "1d".
std::optional<std::pair<double, std::string>> number_and_unit(const std::string& words) {
    const std::string plain = plain_spaces(words);
    double number = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    const std::string unit(end, plain.data() + plain.size());
    const bool has_unit = unit.empty() || unit == "%" || (unit.front() == ' ' && unit.size() > 1);
    const bool more = std::ranges::any_of(unit, [](char one) { return one >= '0' && one <= '9'; });
    return error == std::errc() && std::isfinite(number) && has_unit && !more
               ? std::optional(std::pair(number, unit))
               : std::nullopt;
}

/// Those that all categories are, with one unit, or that the axis names for all of them; each once.
std::optional<std::vector<double>> numbers_of(const ChartAxis& axis) {
    std::vector<double> numbers;
    for (const auto& [number, name] : axis.names) {
        numbers.push_back(number);
    }
    std::string unit;
    for (const std::string& one : numbers.empty() ? axis.categories : std::vector<std::string>()) {
        const auto read = number_and_unit(one);
        if (!read || (!numbers.empty() && read->second != unit)) {
            return std::nullopt;
        }
        unit = read->second;
        numbers.push_back(read->first);
    }
    std::vector<double> sorted = numbers;
    std::ranges::sort(sorted);
    const bool once = std::ranges::adjacent_find(sorted) == sorted.end();
    return once && numbers.size() > 1 && numbers.size() == axis.categories.size()
               ? std::optional(std::move(numbers))
               : std::nullopt;
}

/// Places of numbers, ascending.
std::vector<std::size_t> ascending_places(const std::vector<double>& numbers) {
    std::vector<std::size_t> places(numbers.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, {}, [&](std::size_t k) { return numbers[k]; });
    return places;
}

ChartSeries at_numbers(ChartSeries series, const std::vector<double>& numbers, const ChartAxis& axis) {
    const auto of = [](const auto& list, std::size_t k, auto none) {
        return k < list.size() ? static_cast<decltype(none)>(list[k]) : none;
    };
    bool apart = false;
    for (const std::size_t k : ascending_places(numbers)) {
        if (k < series.values.size() && series.values[k]) {
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
    const auto [low, high] = std::ranges::minmax(numbers);
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
    for (const std::size_t k : ascending_places(*numbers)) {
        axis.names.emplace_back((*numbers)[k], std::move(axis.categories[k]));
    }
    axis.categories.clear();
    axis.details.clear();
    set_ends(axis, *numbers);
    return panel;
}

} // namespace meshslice
