#include "core/report/chart/chart_scale.h"

#include "core/report/chart/ticks.h"

#include <algorithm>
#include <cmath>

namespace meshslice {

PixelAxis scaled(const Chart& chart, const ChartPanel& panel, bool along_x, double begin, double end) {
    const ChartAxis& axis = along_x ? panel.x : panel.y;
    const auto own = value_range(panel, along_x);
    if (axis.logarithmic) {
        constexpr double margin = 1.6;
        const double low = axis.low.value_or(own ? own->first / margin : 1.0);
        return {low, std::max(axis.high.value_or(own ? own->second * margin : 10.0), low * 2), begin, end,
                true};
    }
    double most = own ? own->second : 0;
    for (const ChartPanel& other : chart.panels) {
        const bool alike = !panel.categories().categories.empty() && other.values().unit == axis.unit &&
                           panel.horizontal() == other.horizontal() && !panel.horizontal();
        if (const auto range = alike ? value_range(other, along_x) : std::nullopt) {
            most = std::max(most, range->second);
        }
    }
    most = std::max(most, 1e-12);
    const double low = axis.low.value_or(0);
    if (panel.horizontal()) { // the values stand right of their bars, in the room that the caller leaves
        return {low, axis.high.value_or(most), begin, end, false};
    }
    // The sums stand above their stacks, and marks are whole.
    const double unit = axis_unit(axis.unit, most).first;
    const double step = nice_step(most / unit / 5) * unit;
    const double room = panel.stacked() ? 1.12 : 1.03;
    const double top = axis.unit == ChartUnit::share ? 1.0 : std::ceil(most * room / step - 1e-9) * step;
    return {low, axis.high.value_or(top), begin, end, false};
}

std::vector<Tick> named_ticks(const ChartAxis& axis, const PixelAxis& scale,
                              const std::function<double(std::string_view)>& width) {
    constexpr double gap = 6;
    struct Label {
        double middle, half;
    };
    std::vector<Label> labels;
    for (const auto& [value, name] : axis.names) {
        labels.push_back({scale.pixel(value), width(name) / 2});
    }
    const auto touch = [](const Label& a, const Label& b) {
        return std::abs(b.middle - a.middle) < a.half + b.half + gap; // pixels of a vertical axis fall
    };
    const std::size_t count = labels.size();
    bool even = true;
    for (std::size_t k = 2; k < count; ++k) {
        const double first = labels[1].middle - labels[0].middle;
        even = even && std::abs(labels[k].middle - labels[k - 1].middle - first) < 1;
    }
    std::size_t stride = 1;
    const auto crowded = [&] {
        for (std::size_t k = stride; k < count; k += stride) {
            if (touch(labels[k - stride], labels[k])) {
                return true;
            }
        }
        return false;
    };
    while (even && stride < count && crowded()) {
        ++stride;
    }
    std::vector<Tick> ticks;
    for (std::size_t k = 0, last = 0; k < count; k += stride) {
        if (!ticks.empty() && touch(labels[last], labels[k])) {
            continue;
        }
        ticks.push_back({axis.names[k].first, axis.names[k].second});
        last = k;
    }
    return ticks;
}

std::size_t category_stride(const ChartPanel& panel, double room,
                            const std::function<double(std::string_view)>& width) {
    const bool lines = std::ranges::any_of(
        panel.series, [](const ChartSeries& one) { return one.kind == SeriesKind::line; });
    double widest = 0; // of the words, between which a name may break
    for (std::string_view name : panel.x.categories) {
        while (!name.empty()) {
            const std::string_view word = name.substr(0, name.find(' '));
            widest = std::max(widest, width(word));
            name.remove_prefix(std::min(name.size(), word.size() + 1));
        }
    }
    return lines && room > 0 ? std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(widest / room)))
                             : 1;
}

CategoryPlaces category_places(const ChartAxis& axis) {
    CategoryPlaces places;
    places.per_category = axis.groups.empty() ? 1 : 3;
    int next = axis.groups.empty() ? 0 : 1;
    for (std::size_t k = 0; k < axis.categories.size(); ++k) {
        const bool apart = k > 0 && !axis.groups.empty() && axis.groups[k] != axis.groups[k - 1];
        next += apart ? 1 : 0;
        places.at.push_back(next);
        next += places.per_category;
    }
    places.steps = next;
    return places;
}

} // namespace meshslice
