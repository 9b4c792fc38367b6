#include "core/figure/heat_map.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// "+37%", "\u221227%", "0%"; from twice as much on "\u00d7 3.2".
std::string heat_change_text(double more) {
    if (more >= 1) {
        return "\u00d7\u2009" + number_text(1 + more);
    }
    const std::string size = percent_text(std::abs(more));
    return size == percent_text(0) || size == "0.0%" ? percent_text(0) : (more > 0 ? "+" : "\u2212") + size;
}

} // namespace

std::optional<HeatRange> heat_range(const HeatMap& map) {
    std::optional<HeatRange> range;
    for (const HeatCell& cell : map.cells) {
        if (cell.value && !cell.open) {
            range = range ? HeatRange{std::min(range->low, *cell.value), std::max(range->high, *cell.value)}
                          : HeatRange{*cell.value, *cell.value};
        }
    }
    if (range && map.around_zero) {
        range = HeatRange{std::min(range->low, 0.0), std::max(range->high, 0.0)};
    }
    return range;
}

namespace {
constexpr double weakest = 0.06;
} // namespace

HeatTint heat_tint(const HeatMap& map, const HeatRange& range, double value) {
    if (!map.around_zero) {
        return {Role::compute, heat_strength(range, value)};
    }
    const HeatRange away{0, std::max(-range.low, range.high)};
    if (away.high == 0) { // A and B are equal everywhere.
        return {Role::compute, weakest};
    }
    return {value > 0 ? Role::exposed : Role::compute, heat_strength(away, std::abs(value))};
}

double heat_strength(const HeatRange& range, double value) {
    const double share = range.high > range.low ? (value - range.low) / (range.high - range.low) : 1.0;
    return weakest + (1 - weakest) * std::clamp(share, 0.0, 1.0);
}

std::string heat_number(const HeatMap& map, const HeatCell& cell, bool with_unit) {
    if (!cell.value) {
        return {};
    }
    std::string words = map.around_zero                ? heat_change_text(*cell.value)
                        : map.unit == ChartUnit::share ? percent_text(*cell.value)
                                                       : value_text(map.unit, *cell.value);
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
    words += one.value
                 ? fmt::format("\n{}: {}", map.measure,
                               map.around_zero ? heat_number(map, one) : value_text(map.unit, *one.value))
                 : said("\ndoes not run");
    if (is_best(map, cell)) {
        words += said("\nthe best of those that fit");
    }
    return words + (one.detail.empty() ? "" : "\n") + one.detail;
}

std::string heat_key(const HeatMap& map) {
    std::string key = say("Numbers: {}.", map.measure);
    if (map.best) {
        key += said(" Corner: best.");
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
