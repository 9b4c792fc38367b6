// Time against number of chips. The charts of one number of chips are in plan_charts.cpp.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/report/plan/plan_charts.h"
#include "core/report/plan/plan_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice {
namespace {

bool fits_on(const PlanAtChips& point) {
    return point.best && point.best->reading.fits;
}

/// How much faster the most chips that fit are than the fewest, in the words of the chart.
std::string scaling_finding(const PlanScaling& scaling) {
    const auto first = std::ranges::find_if(scaling.points, fits_on);
    if (first == scaling.points.end()) {
        return say("{} fits on none of these numbers of chips of {}", scaling.question.model.title,
                   scaling.cluster_title);
    }
    const PlanAtChips& last = *std::find_if(scaling.points.rbegin(), scaling.points.rend(), fits_on);
    if (last.chips == first->chips) {
        return say("Of these numbers of chips, {} fits on {} only ({})", scaling.question.model.title,
                   last.chips, scaling.cluster_title);
    }
    const double faster = first->best->reading.time.total / last.best->reading.time.total;
    const double chips = static_cast<double>(last.chips) / static_cast<double>(first->chips);
    return say("{} times the chips, {} to {}, make a step {}x as fast: {} of ideal", number_text(chips),
               first->chips, last.chips, number_text(faster), percent_text(faster / chips));
}

} // namespace

Chart plan_scaling_chart(const PlanScaling& scaling) {
    ChartPanel panel;
    panel.x = {said("number of chips"), ChartUnit::none};
    panel.y = {said("ideal time of a step"), ChartUnit::seconds};
    panel.x.logarithmic = panel.y.logarithmic = true;
    ChartSeries best{said("best plan"), SeriesKind::line};
    best.role = Role::compute;
    best.emphasized = true; // so that the marks have their names
    ChartSeries large{said("does not fit into memory"), SeriesKind::points};
    large.role = Role::exposed;
    large.emphasized = true;
    std::vector<std::string> none;
    double fastest = std::numeric_limits<double>::max(), slowest = 0;
    for (const PlanAtChips& one : scaling.points) {
        const auto chips = static_cast<double>(one.chips);
        panel.x.names.emplace_back(chips, std::to_string(one.chips));
        if (!one.best) {
            none.push_back(std::to_string(one.chips));
            continue;
        }
        const double time = one.best->reading.time.total;
        fastest = std::min(fastest, time);
        slowest = std::max(slowest, time);
        ChartPoint point{chips, time};
        point.label = split_name(one.best->plan);
        point.detail = say("{} of peak", percent_text(one.best->reading.utilization)) + "\n" +
                       plan_lines(*one.best, scaling.capacity);
        point.open = !fits_on(one);
        (point.open ? large : best).points.push_back(std::move(point));
    }
    Chart chart{scaling_finding(scaling), {}};
    if (!none.empty()) {
        chart.notes.push_back(say("There is no plan for {} chips.", listed(none)));
    }
    if (slowest > 0) {
        ChartSeries ideal{{}, SeriesKind::rule};
        ideal.role = Role::quietText;
        ideal.dashed = true;
        if (best.points.size() > 1) {
            const ChartPoint& from = best.points.front();
            const double to = best.points.back().x;
            const double end = from.y * from.x / to;
            ideal.points = {{from.x, from.y}, {to, end}};
            fastest = std::min(fastest, end);
            panel.series.push_back(std::move(ideal));
            chart.notes.push_back(said("Dashed: twice the chips in half the time."));
        }
        panel.x.low = static_cast<double>(scaling.points.front().chips) / 1.3;
        panel.x.high = static_cast<double>(scaling.points.back().chips) * 1.8;
        panel.y.low = fastest / 1.5;
        panel.y.high = slowest * 1.5;
        panel.series.push_back(std::move(large));
        panel.series.push_back(std::move(best));
        std::erase_if(panel.series, [](const ChartSeries& series) { return series.points.empty(); });
        chart.panels.push_back(std::move(panel));
    }
    return chart;
}

Table plan_scaling_table(const PlanScaling& scaling) {
    Table table{"Time against number of chips",
                {"chips", "strategy", "dp", "pp", "tp", "micro-batch", "time_s", "FLOP utilization",
                 "memory_bytes", "fits"},
                {}};
    for (const PlanAtChips& one : scaling.points) {
        if (one.best) {
            const Plan& plan = one.best->plan;
            table.rows.push_back(
                {one.chips, std::string(strategy_name(plan)), plan.data, plan.pipeline, grid_text(plan),
                 plan.micro_batch, one.best->reading.time.total, one.best->reading.utilization,
                 static_cast<std::int64_t>(std::min(std::round(one.best->reading.memory.total()), 9e18)),
                 one.best->reading.fits ? said("yes") : said("no")});
        }
    }
    return table;
}

} // namespace meshslice
