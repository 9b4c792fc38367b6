#include "core/report/sweep/sweep_heat.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/sweep/sweep_plan.h"
#include "core/report/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <optional>
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

/// What stands in the cell of a point that runs.
using CellOf = std::function<void(std::size_t at, HeatCell& cell)>;

HeatMap map_of(const Sweep& sweep, const std::vector<SweepPoint>& points, std::string title, bool around_zero,
               Better better, const CellOf& fill) {
    assert(sweep.fields.size() == 2);
    const SweepPlan plan = sweep_plan(sweep);
    const Vary& along = sweep.fields[plan.axis];
    const Vary& across = sweep.fields[plan.lines];
    HeatMap map;
    map.title = std::move(title);
    map.around_zero = around_zero;
    map.x = sweep.name(plan.axis);
    map.y = sweep.name(plan.lines);
    const std::vector<std::size_t> columns = ascending(along);
    std::vector<std::size_t> rows = ascending(across);
    if (value_numbers(across)) {
        std::ranges::reverse(rows); // as on the axis of a chart
    }
    const std::vector<std::string> column_words = sweep.words(plan.axis);
    const std::vector<std::string> row_words = sweep.words(plan.lines);
    for (const std::size_t column : columns) {
        map.columns.push_back(column_words[column]);
    }
    std::optional<double> best;
    for (const std::size_t row : rows) {
        map.rows.push_back(row_words[row]);
        for (const std::size_t column : columns) {
            const std::size_t at = plan.point(column, row);
            HeatCell cell;
            cell.done = at < points.size();
            cell.item = static_cast<int>(at);
            if (cell.done) {
                const SweepPoint& point = points[at];
                cell.open = point.runs() && !point.fits();
                cell.detail = point_note(point);
                if (point.runs()) {
                    fill(at, cell);
                }
                // Of what is around zero less, where it is less at all.
                const double good = !cell.value ? 0 : better == Better::less ? -*cell.value : *cell.value;
                if (cell.value && point.fits() && better != Better::not_said && (!around_zero || good > 0) &&
                    (!best || good > *best)) {
                    best = good;
                    map.best = map.cells.size();
                }
            }
            map.cells.push_back(std::move(cell));
        }
    }
    return map;
}

void put_before(std::string& detail, const std::string& line) {
    detail = line + (detail.empty() ? "" : "\n") + detail;
}

} // namespace

HeatMap sweep_heat(const Sweep& sweep, const std::vector<SweepPoint>& points, std::string title) {
    const SweptQuestion shown = shown_as(sweep, points);
    const Measure& measure = shown.measures.front();
    const std::optional<Measure> time = time_of(sweep, points);
    HeatMap map =
        map_of(sweep, points, std::move(title), false, measure.better, [&](std::size_t at, HeatCell& cell) {
            cell.value = points[at].number(measure.path);
            const auto takes = time ? points[at].number(time->path) : std::nullopt;
            if (takes) {
                put_before(cell.detail, say("time: {}", seconds_text(*takes)));
            }
        });
    map.measure = measure.name;
    map.unit = measure.unit;
    map.notes = sweep_notes(sweep, points);
    return map;
}

HeatMap sweep_heat_against(const Sweep& sweep, const std::vector<SweepPoint>& points,
                           const std::vector<SweepPoint>& of_a, std::string title) {
    const std::optional<Measure> time = time_of(sweep, points, of_a);
    HeatMap map =
        map_of(sweep, points, std::move(title), true, Better::less, [&](std::size_t at, HeatCell& cell) {
            const bool a_runs = at < of_a.size() && of_a[at].runs();
            const auto a = time && a_runs ? of_a[at].number(time->path) : std::nullopt;
            const auto b = time ? points[at].number(time->path) : std::nullopt;
            if (!a_runs) {
                put_before(cell.detail, said("A does not run."));
            } else if (time && !a) {
                put_before(cell.detail, lacking_words(*time));
            } else if (time && !b) {
                put_before(cell.detail, say("B has no {}.", time->name));
            }
            if (!a || !b) {
                return;
            }
            cell.value = *b / *a - 1;
            put_before(cell.detail, both_times(*b, *a));
        });
    map.measure = said("time of B against A; minus: B takes less");
    map.notes = sweep_notes(sweep, points);
    if (time && !any_has(of_a, *time)) {
        map.notes.push_back(lacking_words(*time));
    }
    return map;
}

} // namespace meshslice
