#include "core/report/chart/sweep_chart.h"

#include "core/gemm/algorithms.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

/// More lines than these cross each other until none can be followed.
constexpr std::size_t most_lines = 8;

/// Which field is which, and where a pair of their values is among the points.
struct Plan {
    std::size_t axis = 0;  ///< of the sweep's fields
    std::size_t lines = 1; ///< the other one; of one field there is none
    std::size_t along = 1; ///< values of the axis
    std::size_t across = 1;

    [[nodiscard]] std::size_t point(std::size_t x, std::size_t line) const {
        return axis < lines ? x * across + line : line * along + x;
    }
};

Plan sweep_plan(const Sweep& sweep) {
    Plan plan;
    plan.along = sweep.fields[0].values.size();
    if (sweep.fields.size() == 2) {
        plan.across = sweep.fields[1].values.size();
        if (plan.across > plan.along) {
            std::swap(plan.along, plan.across);
            std::swap(plan.axis, plan.lines);
        }
    }
    return plan;
}

ChartPanel sweep_panel(const Sweep& sweep, const std::vector<SweepPoint>& points, const Plan& plan,
                       ChartAxis values, double (*value)(const SweepPoint&)) {
    const Vary& along = sweep.fields[plan.axis];
    const Field<Scenario>& field = scenario_field(along.key);
    ChartPanel panel{{}, {field.name}, std::move(values)};
    panel.x.where = fmt::format("with {} {{}}", field.name);
    panel.x.categories = value_words(along);
    const std::vector<std::string> lines =
        sweep.fields.size() == 2 ? value_words(sweep.fields[plan.lines]) : std::vector<std::string>();
    for (std::size_t line = 0; line < std::min(plan.across, most_lines); ++line) {
        ChartSeries series;
        series.kind = SeriesKind::line;
        series.role = Role::compute;
        series.emphasised = true;
        if (sweep.fields.size() == 2) {
            const Field<Scenario>& other = scenario_field(sweep.fields[plan.lines].key);
            series.name = fmt::format("{} {}", other.name, lines[line]);
            series.emphasised = line == 0;
            series.role = line == 0 ? Role::compute : Role::quietText;
        } else {
            const auto chosen = algorithm(sweep.scenario.algorithm);
            series.name = chosen && along.key != "algorithm" ? std::string((*chosen)->title) : panel.y.label;
        }
        for (std::size_t x = 0; x < plan.along; ++x) {
            const std::size_t at = plan.point(x, line);
            const bool runs = at < points.size() && points[at].runs();
            series.values.push_back(runs ? std::optional(value(points[at])) : std::nullopt);
            series.items.push_back(static_cast<int>(at));
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

} // namespace

Chart sweep_chart(const Sweep& sweep, const std::vector<SweepPoint>& points, std::string title) {
    const Plan plan = sweep_plan(sweep);
    Chart chart{std::move(title), {}};
    chart.panels.push_back(sweep_panel(sweep, points, plan, {"FLOP utilisation", ChartUnit::share},
                                       [](const SweepPoint& point) { return point.utilisation; }));
    chart.panels.push_back(sweep_panel(sweep, points, plan, {"time", ChartUnit::seconds},
                                       [](const SweepPoint& point) { return in_seconds(point.time); }));
    if (plan.across > most_lines) {
        chart.notes.push_back(
            fmt::format("The chart shows the first {} of {} values of the {}; the table has all.", most_lines,
                        plan.across, scenario_field(sweep.fields[plan.lines].key).name));
    }
    const auto refused = std::ranges::find_if(points, [](const SweepPoint& one) { return !one.runs(); });
    if (refused != points.end()) {
        chart.notes.push_back(refused->objection);
    }
    return chart;
}

} // namespace meshslice
