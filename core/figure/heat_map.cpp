#include "core/figure/heat_map.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {

std::optional<HeatRange> heat_range(const HeatMap& map) {
    std::optional<HeatRange> range;
    for (const HeatCell& cell : map.cells) {
        if (cell.value && !cell.open) {
            range = range ? HeatRange{std::min(range->low, *cell.value), std::max(range->high, *cell.value)}
                          : HeatRange{*cell.value, *cell.value};
        }
    }
    return range;
}

double heat_strength(const HeatRange& range, double value) {
    constexpr double weakest = 0.06;
    const double share = range.high > range.low ? (value - range.low) / (range.high - range.low) : 1.0;
    return weakest + (1 - weakest) * std::clamp(share, 0.0, 1.0);
}

std::string heat_number(const HeatMap& map, const HeatCell& cell, bool with_unit) {
    if (!cell.value) {
        return {};
    }
    std::string words =
        map.unit == ChartUnit::share ? percent_text(*cell.value) : value_text(map.unit, *cell.value);
    if (!with_unit && words.ends_with('%')) {
        words.pop_back();
    }
    return words;
}

bool is_best(const HeatMap& map, std::size_t cell) {
    const HeatCell& one = map.cells[cell];
    return map.best && one.value && !one.open &&
           heat_number(map, one) == heat_number(map, map.cells[*map.best]);
}

std::string heat_text(const HeatMap& map, std::size_t cell) {
    const HeatCell& one = map.cells[cell];
    std::string words = fmt::format("{} {}, {} {}", map.x, map.columns[cell % map.columns.size()], map.y,
                                    map.rows[cell / map.columns.size()]);
    if (!one.done) {
        return words + said("\nnot computed yet");
    }
    words += one.value ? fmt::format("\n{}: {}", map.measure, value_text(map.unit, *one.value))
                       : said("\ndoes not run");
    if (is_best(map, cell)) {
        words += said("\nthe best of those that fit");
    }
    return words + (one.detail.empty() ? "" : "\n") + one.detail;
}

std::string heat_key(const HeatMap& map) {
    std::string key = say("Numbers: {}.", map.measure);
    if (map.best) {
        key += said(" Corner: the best.");
    }
    if (std::ranges::any_of(map.cells, [](const HeatCell& one) { return one.value && one.open; })) {
        key += said(" Hatched: does not fit into a chip's memory.");
    }
    if (std::ranges::any_of(map.cells, [](const HeatCell& one) { return one.done && !one.value; })) {
        key += said(" Crossed: does not run.");
    }
    return key;
}

} // namespace meshslice
