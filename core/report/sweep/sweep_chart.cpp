#include "core/report/sweep/sweep_chart.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/chart/ticks.h"
#include "core/report/sweep/sweep_plan.h"
#include "core/report/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

/// More lines than these cross each other until none can be followed.
constexpr std::size_t most_lines = 8;

/// The axis of a field's values: by value where they are numbers, else each with a place of its own.
ChartAxis axis_of(const Sweep& sweep, std::size_t which) {
    const std::string name = sweep.name(which);
    ChartAxis axis{name};
    axis.where = say("with {} {{}}", name);
    const std::vector<std::string> words = sweep.words(which);
    const auto numbers = value_numbers(sweep.fields[which]);
    if (!numbers) {
        axis.categories = words;
        return axis;
    }
    for (std::size_t k = 0; k < words.size(); ++k) {
        axis.names.emplace_back((*numbers)[k], words[k]);
    }
    std::ranges::sort(axis.names);
    axis.names.erase(std::unique(axis.names.begin(), axis.names.end()), axis.names.end());
    axis.logarithmic = are_multiplied(*numbers);
    constexpr double around = 0.04; // of the axis, so that no mark stands on its end
    const double low = axis.names.front().first;
    const double high = axis.names.back().first;
    if (axis.logarithmic) {
        const double margin = std::pow(high / low, around);
        axis.low = low / margin;
        axis.high = high * margin;
    } else {
        const double margin = high > low ? around * (high - low) : std::max(1.0, low) / 2;
        axis.low = low >= 0 ? std::max(0.0, low - margin) : low - margin;
        axis.high = high + margin;
    }
    return axis;
}

/// Marks of a line: by the place of their value, or by the value.
void add_marks(ChartSeries& series, const ChartAxis& axis, const std::vector<std::optional<double>>& values,
               const std::vector<const SweepPoint*>& points, const std::vector<std::string>& notes,
               const std::vector<double>& numbers) {
    if (!axis.categories.empty()) {
        series.values = values;
        for (const SweepPoint* point : points) {
            series.open.push_back(point != nullptr && point->runs() && !point->fits());
        }
        series.details = notes;
        return;
    }
    std::vector<std::size_t> order(values.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = k;
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return numbers[k]; });
    bool apart = false;
    for (const std::size_t k : order) {
        if (values[k]) {
            series.points.push_back({numbers[k],
                                     *values[k],
                                     {},
                                     notes[k],
                                     0,
                                     series.items[k],
                                     !points[k]->fits(),
                                     std::exchange(apart, false)});
        }
        apart = apart || !values[k];
    }
    series.items.clear();
}

std::string line_name(const Sweep& sweep, const SweepPlan& plan, std::size_t line) {
    const std::string words = sweep.words(plan.lines)[line];
    return std::holds_alternative<std::string>(sweep.fields[plan.lines].values[line])
               ? words // "MeshSlice" says which field it is of
               : fmt::format("{} {}", sweep.name(plan.lines), words);
}

/// What a panel draws of the point at a place, which runs, and how its tooltip begins; none draws nothing.
struct Measured {
    double value = 0;
    std::string note{};
};
using Draw = std::function<std::optional<Measured>(std::size_t at)>;

ChartPanel sweep_panel(const Sweep& sweep, const std::vector<SweepPoint>& points, const SweepPlan& plan,
                       ChartAxis values, const Draw& measure) {
    const Vary& along = sweep.fields[plan.axis];
    ChartPanel panel{{}, axis_of(sweep, plan.axis), std::move(values)};
    const std::vector<double> numbers = value_numbers(along).value_or(std::vector<double>());
    const bool one = sweep.fields.size() == 1;
    for (std::size_t line = 0; line < std::min(plan.across, most_lines); ++line) {
        ChartSeries series;
        // Names have no order that a line could follow.
        series.kind = panel.x.categories.empty() ? SeriesKind::line : SeriesKind::points;
        series.emphasized = one || line == 0;
        series.role = series.emphasized ? Role::compute : Role::quietText;
        const auto& swept = sweep.over->swept;
        const std::string its = swept && swept->line ? swept->line(sweep) : std::string();
        series.name = !one ? line_name(sweep, plan, line) : its.empty() ? panel.y.label : its;
        std::vector<std::optional<double>> found;
        std::vector<const SweepPoint*> of;
        std::vector<std::string> notes;
        for (std::size_t x = 0; x < plan.along; ++x) {
            const std::size_t at = plan.point(x, line);
            of.push_back(at < points.size() ? &points[at] : nullptr);
            const auto measured =
                of.back() != nullptr && of.back()->runs() ? measure(at) : std::optional<Measured>();
            found.push_back(measured ? std::optional(measured->value) : std::nullopt);
            notes.push_back(of.back() != nullptr ? point_note(*of.back()) : std::string());
            if (measured && !measured->note.empty()) {
                notes.back() = measured->note + (notes.back().empty() ? "" : "\n") + notes.back();
            }
            series.items.push_back(static_cast<int>(at));
        }
        const bool runs = std::ranges::any_of(found, [](const auto& one_of) { return one_of.has_value(); });
        if (runs || one) { // A line without a mark would have its name at zero.
            add_marks(series, panel.x, found, of, notes, numbers);
            panel.series.push_back(std::move(series));
        }
    }
    return panel;
}

/// Which lines have no mark although all of their points are done, and why the first one has none.
std::vector<std::string> absent_lines(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                      const SweepPlan& plan) {
    std::vector<std::string> notes;
    for (std::size_t line = 0; line < std::min(plan.across, most_lines) && sweep.fields.size() == 2; ++line) {
        std::size_t refused = 0;
        for (std::size_t x = 0; x < plan.along; ++x) {
            const std::size_t at = plan.point(x, line);
            refused += at < points.size() && !points[at].runs() ? 1 : 0;
        }
        if (refused == plan.along) {
            notes.push_back(say("{} does not run: {}", line_name(sweep, plan, line),
                                points[plan.point(0, line)].objection));
        }
    }
    return notes;
}

/// Whose line it is, as the first of its tooltips' further lines.
void name_variant(ChartSeries& series, const std::string& variant) {
    const auto put = [&](std::string& detail) { detail = variant + (detail.empty() ? "" : "\n") + detail; };
    std::ranges::for_each(series.details, put);
    for (ChartPoint& point : series.points) {
        put(point.detail);
    }
}

/// From the lowest value to the highest, in whole steps and with zero, which stands for the same time.
void span_around_zero(ChartPanel& panel) {
    double low = 0;
    double high = 0;
    for (const ChartSeries& series : panel.series) {
        for (const ChartPoint& point : points_of(panel, series)) {
            low = std::min(low, point.y);
            high = std::max(high, point.y);
        }
    }
    constexpr double least = 0.01; // where all take the same time
    const double step = nice_step(std::max(high - low, least) / 5);
    panel.y.low = std::floor(low / step + 1e-9) * step;
    panel.y.high = std::max(least, std::ceil(high / step - 1e-9) * step);
}

/// What the chart of B does not say yet.
void add_notes_of_a(Chart& chart, const Chart& of_a) {
    for (const std::string& note : of_a.notes) {
        if (std::ranges::find(chart.notes, note) == chart.notes.end()) {
            chart.notes.push_back("A: " + note);
        }
    }
}

/// The first of what is shown, which have room.
std::vector<Measure> drawn_measures(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    constexpr std::size_t most_measures = 2;
    std::vector<Measure> measures = shown_as(sweep, points).measures;
    measures.resize(std::min(measures.size(), most_measures));
    return measures;
}

} // namespace

SweepPlan sweep_plan(const Sweep& sweep) {
    SweepPlan plan;
    plan.along = sweep.fields[0].values.size();
    if (sweep.fields.size() == 2) {
        plan.across = sweep.fields[1].values.size();
        const bool first = value_numbers(sweep.fields[0]).has_value();
        const bool second = value_numbers(sweep.fields[1]).has_value();
        if (first == second ? plan.across > plan.along : second) {
            std::swap(plan.along, plan.across);
            std::swap(plan.axis, plan.lines);
        }
    }
    return plan;
}

std::string both_times(double b, double a) {
    return say("time: {}; A: {}", seconds_text(b), seconds_text(a));
}

std::string healthy_note(const Sweep& sweep) {
    const bool of_a_healthy_machine = sweep.over->swept && sweep.over->swept->objection != nullptr;
    return of_a_healthy_machine && !sweep.scenario.assume.faults.none()
               ? said("Estimates assume a healthy machine: the faults are left out of them.")
               : std::string();
}

std::vector<std::string> sweep_notes(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    std::vector<std::string> notes;
    if (std::string healthy = healthy_note(sweep); !healthy.empty()) {
        notes.push_back(std::move(healthy));
    }
    const auto refused = std::ranges::find_if(points, [](const SweepPoint& one) { return !one.runs(); });
    if (refused != points.end()) {
        notes.push_back(say("Does not run with {}: {}", point_words(sweep, *refused), refused->objection));
    }
    return notes;
}

/// A panel for each of the measures, whether the points have it or not.
static Chart measures_chart(const Sweep& sweep, const std::vector<SweepPoint>& points,
                            const std::vector<Measure>& measures, std::string title) {
    const SweepPlan plan = sweep_plan(sweep);
    Chart chart{std::move(title), {}};
    for (const Measure& measure : measures) {
        chart.panels.push_back(
            sweep_panel(sweep, points, plan, {measure.name, measure.unit}, [&](std::size_t at) {
                const std::optional<double> value = points[at].number(measure.path);
                return value ? std::optional(Measured{*value}) : std::nullopt;
            }));
    }
    if (std::ranges::any_of(points, [](const SweepPoint& one) { return one.runs() && !one.fits(); })) {
        chart.notes.push_back(said("Hollow: does not fit into a chip's memory."));
    }
    if (plan.across > most_lines) {
        chart.notes.push_back(say("The chart shows the first {} of {} values of the {}; the table has all.",
                                  most_lines, plan.across, sweep.name(plan.lines)));
    }
    std::vector<std::string> notes = absent_lines(sweep, points, plan);
    if (notes.empty()) {
        notes = sweep_notes(sweep, points);
    } else if (const std::string healthy = healthy_note(sweep); !healthy.empty()) {
        notes.insert(notes.begin(), healthy);
    }
    chart.notes.insert(chart.notes.end(), notes.begin(), notes.end());
    return chart;
}

Chart sweep_chart(const Sweep& sweep, const std::vector<SweepPoint>& points, std::string title) {
    return measures_chart(sweep, points, drawn_measures(sweep, points), std::move(title));
}

void add_reference(Chart& chart, const Sweep& sweep, const std::vector<SweepPoint>& points,
                   const Sweep& sweep_of_a, const std::vector<SweepPoint>& of_a) {
    const std::vector<Measure> measures = drawn_measures(sweep, points);
    Chart other = measures_chart(sweep_of_a, of_a, measures, {});
    for (std::size_t panel = 0; panel < std::min(measures.size(), chart.panels.size()); ++panel) {
        if (!any_has(of_a, measures[panel])) {
            chart.notes.push_back(lacking_words(measures[panel]));
            continue;
        }
        if (chart.panels[panel].series.size() != 1 || other.panels[panel].series.size() != 1) {
            continue;
        }
        ChartSeries a = std::move(other.panels[panel].series.front());
        a.name = "A";
        a.role = Role::quietText;
        a.emphasized = false;
        a.items.clear();
        for (ChartPoint& point : a.points) {
            point.item = -1;
        }
        chart.panels[panel].series.front().name = "B";
        chart.panels[panel].series.push_back(std::move(a));
    }
    add_notes_of_a(chart, other);
}

Chart sweep_chart_against(const Sweep& sweep, const std::vector<SweepPoint>& points, const Sweep& sweep_of_a,
                          const std::vector<SweepPoint>& of_a, std::string title) {
    const std::optional<Measure> common = time_of(sweep, points, of_a);
    if (!common) {
        return sweep_chart(sweep, points, std::move(title));
    }
    const Measure& time = *common;
    const SweepPlan plan = sweep_plan(sweep);
    Chart chart = measures_chart(sweep, points, {time}, std::move(title));
    Chart other = measures_chart(sweep_of_a, of_a, {time}, {});
    if (!any_has(of_a, time)) {
        chart.notes.push_back(lacking_words(time));
        add_notes_of_a(chart, other);
        return chart;
    }
    ChartPanel both = std::move(chart.panels.front());
    for (ChartSeries& b : both.series) {
        b.emphasized = true;
        b.role = Role::compute;
        name_variant(b, "B");
    }
    for (ChartSeries& a : other.panels.front().series) {
        a.emphasized = false;
        a.role = Role::quietText;
        a.dashed = true;
        name_variant(a, "A");
        a.items.clear();
        for (ChartPoint& point : a.points) {
            point.item = -1;
        }
        both.series.push_back(std::move(a));
    }
    ChartPanel difference = sweep_panel(
        sweep, points, plan, {said("time of B against A"), ChartUnit::share},
        [&](std::size_t at) -> std::optional<Measured> {
            const auto a = at < of_a.size() ? of_a[at].number(time.path) : std::nullopt;
            const auto b = points[at].number(time.path);
            return a && b ? std::optional(Measured{*b / *a - 1, both_times(*b, *a)}) : std::nullopt;
        });
    span_around_zero(difference);
    chart.notes.insert(chart.notes.begin(), said("Solid: B. Dashed: A."));
    if (*difference.y.low < 0) {
        chart.notes.insert(chart.notes.begin() + 1, said("Below zero B takes less time than A."));
    }
    add_notes_of_a(chart, other);
    chart.panels = {std::move(both), std::move(difference)};
    return chart;
}

} // namespace meshslice
