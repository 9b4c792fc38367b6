#include "core/report/study_look.h"

#include "core/base/listing.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// Whether no series has a value there.
bool nothing_runs(const Panel& panel, std::size_t category) {
    return std::ranges::none_of(panel.series,
                                [&](const Series& one) { return one.values[category].has_value(); });
}

std::string not_running_in(const Panel& panel) {
    std::string words;
    for (const Series& one : panel.series) {
        std::vector<std::string> missing;
        for (std::size_t k = 0; k < panel.categories.size(); ++k) {
            if (!one.values[k] && !nothing_runs(panel, k)) {
                missing.push_back(panel.categories[k]);
            }
        }
        if (!missing.empty()) {
            const bool chips = panel.category_name == "chips";
            words += fmt::format("{}{} does not run {} {}{}.", words.empty() ? "" : " ", one.name,
                                 chips ? "on" : "for", listed(missing), chips ? " chips" : "");
        }
    }
    return words;
}

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

} // namespace

bool is_emphasised(const Panel& panel, std::size_t series) {
    const std::string& name = panel.series[series].name;
    const bool compared = panel.series.size() == 2 && series == 1;
    return !panel.stacked && (name.starts_with("MeshSlice") || compared);
}

bool is_ordered(const Panel& panel) {
    return panel.category_name == "chips" || panel.category_name == "mesh" ||
           panel.category_name == "slice count S";
}

Role series_role(const Panel& panel, std::size_t series) {
    if (!panel.stacked) {
        return is_emphasised(panel, series) ? Role::compute : Role::quietText;
    }
    const std::string& name = panel.series[series].name;
    return name == "launch"            ? Role::launch
           : name == "sync"            ? Role::sync
           : name == "transfer"        ? Role::transferHorizontal
           : name == "fully connected" ? Role::compute
                                       : Role::quietText;
}

std::optional<Role> second_role(const Panel& panel, std::size_t series) {
    return panel.stacked && series_role(panel, series) == Role::transferHorizontal
               ? std::optional(Role::transferVertical)
               : std::nullopt;
}

std::vector<Point> mark_outline(std::size_t series, const Box& area) {
    const Point middle = area.center();
    const double left = area.left;
    const double top = area.top;
    const double right = area.right();
    const double bottom = area.bottom();
    constexpr double arm = 1.5; // half of what a cross's arm is wide
    switch (series % 7) {
    case 0: return {};
    case 1:
        return {{left + 0.5, top + 0.5},
                {right - 0.5, top + 0.5},
                {right - 0.5, bottom - 0.5},
                {left + 0.5, bottom - 0.5}};
    case 2: return {{middle.x, top}, {right, middle.y}, {middle.x, bottom}, {left, middle.y}};
    case 3: return {{middle.x, top}, {right, bottom}, {left, bottom}};
    case 4: return {{left, top}, {right, top}, {middle.x, bottom}};
    case 5:
        return {{middle.x - arm, top},    {middle.x + arm, top},    {middle.x + arm, middle.y - arm},
                {right, middle.y - arm},  {right, middle.y + arm},  {middle.x + arm, middle.y + arm},
                {middle.x + arm, bottom}, {middle.x - arm, bottom}, {middle.x - arm, middle.y + arm},
                {left, middle.y + arm},   {left, middle.y - arm},   {middle.x - arm, middle.y - arm}};
    default:
        return {{left, middle.y - 2}, {right, middle.y - 2}, {right, middle.y + 2}, {left, middle.y + 2}};
    }
}

std::string value_text(PanelUnit unit, double value) {
    switch (unit) {
    case PanelUnit::share: return fmt::format("{:.1f}%", 100 * value);
    case PanelUnit::ratio: return three_digits(value) + "\u00d7";
    case PanelUnit::seconds: return si_text(value, "s");
    case PanelUnit::bytes: return si_text(value, "B");
    }
    return {};
}

double stack_sum(const Panel& panel, std::size_t category) {
    double sum = 0;
    for (const Series& one : panel.series) {
        sum += one.values[category].value_or(0);
    }
    return sum;
}

std::string not_running(const std::vector<Panel>& panels) {
    std::vector<std::string> said;
    for (const Panel& panel : panels) {
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

} // namespace meshslice
