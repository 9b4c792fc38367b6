#include "core/report/sweep/sweep_heat.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/sweep/sweep_plan.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

/// The places of the values: numbers ascending, words as they were given.
std::vector<std::size_t> ascending(const Vary& vary) {
    std::vector<std::size_t> order(vary.values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (const auto numbers = value_numbers(vary)) {
        std::ranges::stable_sort(order, {}, [&](std::size_t k) { return (*numbers)[k]; });
    }
    return order;
}

} // namespace

HeatMap sweep_heat(const Sweep& sweep, const std::vector<SweepPoint>& points, std::string title) {
    assert(sweep.fields.size() == 2);
    const SweepPlan plan = sweep_plan(sweep);
    const Vary& along = sweep.fields[plan.axis];
    const Vary& across = sweep.fields[plan.lines];
    HeatMap map;
    map.title = std::move(title);
    map.x = said(scenario_field(along.key).name);
    map.y = said(scenario_field(across.key).name);
    map.measure = said(sweep.depth == Depth::estimate ? "FLOP utilisation, by estimate" : "FLOP utilisation");
    const std::vector<std::size_t> columns = ascending(along);
    std::vector<std::size_t> rows = ascending(across);
    if (value_numbers(across)) {
        std::ranges::reverse(rows); // as on the axis of a chart
    }
    const std::vector<std::string> column_words = value_words(along);
    const std::vector<std::string> row_words = value_words(across);
    for (const std::size_t column : columns) {
        map.columns.push_back(column_words[column]);
    }
    double best = -1;
    for (const std::size_t row : rows) {
        map.rows.push_back(row_words[row]);
        for (const std::size_t column : columns) {
            const std::size_t at = plan.point(column, row);
            HeatCell cell;
            cell.done = at < points.size();
            cell.item = static_cast<int>(at);
            if (cell.done) {
                const SweepPoint& point = points[at];
                cell.open = point.runs() && !point.fits;
                cell.detail = point_note(point);
                if (point.runs()) {
                    cell.value = point.utilisation;
                    cell.detail =
                        say("time: {}", text(point.time)) + (cell.detail.empty() ? "" : "\n") + cell.detail;
                }
                if (point.runs() && point.fits && point.utilisation > best) {
                    best = point.utilisation;
                    map.best = map.cells.size();
                }
            }
            map.cells.push_back(std::move(cell));
        }
    }
    map.notes = sweep_notes(sweep, points);
    return map;
}

} // namespace meshslice
