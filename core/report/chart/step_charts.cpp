#include "core/report/chart/step_charts.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/chart/svg/palette.h"
#include "core/step/breakdown.h"
#include "core/step/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice {
namespace {

std::string details(const BreakdownRow& row, const std::string& of) {
    const Usage& usage = row.usage;
    std::string words = say(
        "{}, {}: {}\nmultiply: {}, {} of the time\ncore waits for exposed communication: {}, {} of the time\n"
        "communication: launch {} + synchronization {} + transfer {} = {}",
        row.title, of, text(row.time), text(usage.compute), percent_text(ratio(usage.compute, row.time)),
        text(usage.exposed), percent_text(ratio(usage.exposed, row.time)), text(usage.launch),
        text(usage.sync), text(usage.transfer), text(usage.communication()));
    if (usage.copy > Time(0)) {
        words += say("\nof it, copying slices together and back: {}", text(usage.copy));
    }
    return words + said("\nmean of all chips; both axes added up");
}

/// The axes along which any of the steps has links.
std::vector<Axis> axes_with_links(const std::vector<TrainingStep>& steps) {
    std::vector<Axis> axes;
    for (const Axis axis : {Axis::vertical, Axis::horizontal, Axis::third}) {
        if (std::ranges::any_of(steps, [&](const TrainingStep& step) { return step.torus.size(axis) > 1; })) {
            axes.push_back(axis);
        }
    }
    return axes;
}

/// One panel of the breakdown, still without bars. What travels along one axis alone has its colour.
ChartPanel breakdown_panel(bool copies, const std::vector<Axis>& axes) {
    ChartPanel panel;
    panel.x = {said("time on one chip"), ChartUnit::seconds};
    const auto add = [&](const char* name, Role role, bool thin) -> ChartSeries& {
        ChartSeries series{said(name), SeriesKind::stack, {}, {}, role};
        series.thin = thin;
        panel.series.push_back(std::move(series));
        return panel.series.back();
    };
    add("multiply", Role::compute, false);
    add("launch", Role::launch, false);
    add("core waits: exposed communication", Role::exposed, false);
    add("launch", Role::launch, true);
    add("synchronization", Role::sync, true);
    if (axes.size() == 1) {
        add("transfer", transfer_role(axes.front()), true);
    } else {
        add(axes.size() == 3 ? "transfer, all axes" : "transfer, both axes", Role::transferHorizontal, true)
            .second = Role::transferVertical;
    }
    if (copies) {
        add("copying slices", Role::slicing, true);
    }
    panel.thin_name = said("communication");
    return panel;
}

/// `of`: what the row's step is called.
void add_row(ChartPanel& panel, const BreakdownRow& row, const std::string& of, bool compared, int item) {
    const Usage& usage = row.usage;
    panel.y.categories.push_back(compared ? of : std::string());
    panel.y.groups.push_back(row.title);
    panel.y.details.push_back(details(row, of));
    panel.y.remarks.push_back(say(", waits {}", percent_text(ratio(usage.exposed, row.time))));
    panel.y.items.push_back(item);
    const Time parts[] = {usage.compute, row.time - usage.compute - usage.exposed,
                          usage.exposed, usage.launch,
                          usage.sync,    usage.transfer,
                          usage.copy};
    for (std::size_t k = 0; k < panel.series.size(); ++k) {
        panel.series[k].values.emplace_back(std::max(0.0, in_seconds(parts[k])));
    }
}

/// Where a slanted roof meets the lowest flat one, and that one's height; none without both.
struct Ridge {
    double intensity = 0;
    double rate = std::numeric_limits<double>::infinity();
};
Ridge ridge_of(const Roofline& roofline) {
    Ridge ridge;
    double slope = 0;
    for (const Roof& roof : roofline.roofs) {
        if (roof.flop_per_s > 0) {
            ridge.rate = std::min(ridge.rate, roof.flop_per_s);
        } else {
            slope = roof.bytes_per_s;
        }
    }
    ridge.intensity = slope > 0 && std::isfinite(ridge.rate) ? ridge.rate / slope : 0;
    return ridge;
}

/// All marks and the ridge with a margin, a factor of eight in height at least.
void span_axes(const std::vector<Roofline>& rooflines, ChartPanel& panel) {
    const Ridge ridge = ridge_of(rooflines.front());
    double low_x = ridge.intensity > 0 ? ridge.intensity : 1;
    double high_x = ridge.intensity > 0 ? ridge.intensity : 1000;
    double high_y = std::isfinite(ridge.rate) ? ridge.rate : 1e14;
    double low_y = high_y;
    for (const Roofline& roofline : rooflines) {
        for (const RooflinePoint& point : roofline.points) {
            if (point.intensity > 0 && point.achieved > 0) {
                low_x = std::min(low_x, point.intensity);
                high_x = std::max(high_x, point.intensity);
                low_y = std::min(low_y, point.achieved);
                high_y = std::max(high_y, point.achieved);
            }
        }
        if (const Ridge other = ridge_of(roofline); other.intensity > 0) { // of another variant's machine
            low_x = std::min(low_x, other.intensity);
            high_x = std::max(high_x, other.intensity);
            high_y = std::max(high_y, other.rate);
        }
    }
    panel.x.low = low_x / 2.5;
    panel.x.high = high_x * 4; // names stand right of the marks
    panel.y.low = std::min(low_y / 1.6, high_y / 8);
    // The name of the highest roof stands above it: a twelfth of the height.
    constexpr double above_roof = 1.0 / 12;
    panel.y.high = high_y * std::pow(high_y / *panel.y.low, above_roof / (1 - above_roof));
}

/// The roofs; of a second roofline, `of` whom they are, dashed, and only those that the first does not have.
void add_roofs(const Roofline& roofline, ChartPanel& panel, const Roofline* first, const std::string& of) {
    const Ridge ridge = ridge_of(roofline);
    const auto before = panel.series.size();
    for (const Roof& roof : roofline.roofs) {
        if (first != nullptr && std::ranges::find(first->roofs, roof) != first->roofs.end()) {
            continue;
        }
        if (roof.flop_per_s > 0) {
            const double from = std::max(*panel.x.low, ridge.intensity);
            panel.series.push_back(
                rule(fmt::format("{}: {}", said(roof.name), text(FlopRate(roof.flop_per_s))), Role::text,
                     {{from, roof.flop_per_s}, {*panel.x.high, roof.flop_per_s}}));
        } else if (ridge.intensity > 0) {
            panel.series.push_back(
                rule(fmt::format("{}: {}", said(roof.name), text(Bandwidth(roof.bytes_per_s))), Role::text,
                     {{*panel.x.low, roof.bytes_per_s * *panel.x.low}, {ridge.intensity, ridge.rate}}));
        }
    }
    for (auto k = before; first != nullptr && k < panel.series.size(); ++k) {
        panel.series[k].dashed = true;
        panel.series[k].role = Role::quietText;
        panel.series[k].name = fmt::format("{}: {}", of, panel.series[k].name);
    }
    if (ridge.intensity > 0 && first == nullptr) {
        panel.series.push_back(rule(say("ridge: {} FLOP/B", number_text(ridge.intensity)), Role::quietText,
                                    {{ridge.intensity, *panel.y.low}, {ridge.intensity, ridge.rate}}, true));
    }
}

/// Where memory is left out of a GEMM's time, it may take less than memory needs.
bool above_roof(const RooflinePoint& point) {
    constexpr double rounding = 1e-6; // of times to whole picoseconds
    return point.achieved > point.attainable * (1 + rounding);
}

std::string details(const RooflinePoint& point) {
    std::string words = say("under {1}: {0} attainable\n{2} of its roof; {3} of the step's time",
                            text(FlopRate(point.attainable)), said(point.bound),
                            percent_text(point.attainable > 0 ? point.achieved / point.attainable : 0.0),
                            percent_text(point.time_share));
    if (above_roof(point)) {
        words += said("\nabove its roof: memory is left out of its time");
    }
    return words;
}

/// "B" of "B (sliced)" where two variants are compared: what title and caption say need not be said at each
/// bar.
std::string brief_title(const std::vector<TrainingStep>& steps, std::size_t step) {
    const std::string whole = title(steps[step]);
    return steps.size() == 2 && !steps[step].variant.empty() &&
                   (whole.starts_with("A (") || whole.starts_with("B ("))
               ? whole.substr(0, 1)
               : whole;
}

/// From one point to another with the tip of an arrow at its middle, which marks would cover at its end;
/// where they are close there is no room for one.
std::vector<ChartPoint> arrow(const ChartPanel& panel, const ChartPoint& from, const ChartPoint& to) {
    constexpr double shortest = 0.06; // of the axes, whose logarithms are as long as the panel
    constexpr double tip = 0.015;
    const auto place = [](const ChartAxis& axis, double value) {
        return std::log(value / *axis.low) / std::log(*axis.high / *axis.low);
    };
    const auto value = [](const ChartAxis& axis, double share) {
        return *axis.low * std::pow(*axis.high / *axis.low, share);
    };
    const double x = place(panel.x, from.x);
    const double y = place(panel.y, from.y);
    const double right = place(panel.x, to.x) - x;
    const double up = place(panel.y, to.y) - y;
    const double length = std::hypot(right, up);
    if (length < shortest) {
        return {{from.x, from.y}, {to.x, to.y}};
    }
    const auto at = [&](double along, double aside) -> ChartPoint {
        return {value(panel.x, x + (right * along - up * aside) / length),
                value(panel.y, y + (up * along + right * aside) / length)};
    };
    const double middle = (length + tip) / 2;
    return {
        {from.x, from.y}, at(middle, 0), at(middle - tip, tip / 2), at(middle, 0), at(middle - tip, -tip / 2),
        at(middle, 0),    {to.x, to.y}};
}

/// `rooflines` has one for each step.
ChartPanel roofline_panel(const std::vector<Roofline>& rooflines, const std::vector<TrainingStep>& steps) {
    ChartPanel panel{said(rooflines.front().title),
                     {said(rooflines.front().intensity_name), ChartUnit::flop_per_byte, true},
                     {said("achieved by one chip"), ChartUnit::flop_rate, true}};
    span_axes(rooflines, panel);
    std::vector<ChartSeries> marks;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        ChartSeries series{title(steps[step])};
        series.emphasized = step == 0;
        series.role = step == 0 ? Role::compute : Role::quietText;
        for (const RooflinePoint& point : rooflines[step].points) {
            const auto& gemms = steps[step].gemms;
            const auto found = std::ranges::find_if(
                gemms, [&](const GemmResult& gemm) { return gemm.title() == point.title; });
            const bool placed = point.intensity > 0 && point.achieved > 0; // on logarithmic axes
            if (found != gemms.end() && placed) {
                const auto gemm = static_cast<std::size_t>(found - gemms.begin());
                series.points.push_back({point.intensity, point.achieved, point.title, details(point),
                                         point.time_share, chart_item(step, gemm, most_gemms(steps)),
                                         above_roof(point)});
            }
        }
        marks.push_back(std::move(series));
    }
    // An arrow from each compared GEMM to the same one of the scenario, from A to B.
    for (std::size_t step = 1; step < marks.size(); ++step) {
        for (const ChartPoint& other : marks[step].points) {
            const auto own = std::ranges::find(marks.front().points, other.label, &ChartPoint::label);
            if (own != marks.front().points.end()) {
                panel.series.push_back(rule({}, Role::quietText, arrow(panel, other, *own)));
            }
        }
    }
    for (std::size_t step = 0; step < steps.size(); ++step) {
        add_roofs(rooflines[step], panel, step == 0 ? nullptr : &rooflines.front(), title(steps[step]));
    }
    panel.series.insert(panel.series.end(), marks.begin(), marks.end());
    return panel;
}

} // namespace

Chart breakdown_chart(const std::vector<TrainingStep>& steps, std::string finding, BreakdownRows shown) {
    std::vector<std::vector<BreakdownRow>> rows; // of each step
    std::vector<std::string> titles;             // that any of them has, each once
    bool copies = false;
    for (const TrainingStep& step : steps) {
        rows.push_back(breakdown({step}));
        for (const BreakdownRow& row : rows.back()) {
            copies = copies || row.usage.copy > Time(0);
            if (std::ranges::find(titles, row.title) == titles.end()) {
                titles.push_back(row.title);
            }
        }
    }
    Chart chart{
        std::move(finding),
        {},
        {said("Thick bar: the core multiplies, copies or waits. Thin bar: what the links do meanwhile, all "
              "axes added up.")}};
    const auto waiting = [&](const std::string& name) {
        Time most;
        for (const std::vector<BreakdownRow>& of : rows) {
            const auto row = std::ranges::find(of, name, &BreakdownRow::title);
            most = row == of.end() ? most : std::max(most, row->usage.exposed);
        }
        return most;
    };
    const auto is_total = [&](const std::string& name) {
        return std::ranges::any_of(rows, [&](const std::vector<BreakdownRow>& of) {
            const auto row = std::ranges::find(of, name, &BreakdownRow::title);
            return row != of.end() && row->total;
        });
    };
    const auto first = std::stable_partition(titles.begin(), titles.end(), is_total);
    const auto gemms = static_cast<std::size_t>(titles.end() - first);
    if (shown.by_waiting) {
        std::ranges::stable_sort(first, titles.end(), std::ranges::greater(), waiting);
        chart.notes.push_back(said("The GEMMs whose core waits longest come first."));
    }
    if (shown.most < gemms) {
        titles.resize(titles.size() - gemms + shown.most);
    }
    for (const bool total : {true, false}) {
        ChartPanel panel = breakdown_panel(copies, axes_with_links(steps));
        for (const std::string& name : titles) {
            for (std::size_t step = 0; step < steps.size(); ++step) {
                const auto row = std::ranges::find(rows[step], name, &BreakdownRow::title);
                if (row == rows[step].end() || row->total != total) {
                    continue;
                }
                const auto gemm = static_cast<std::size_t>(row - rows[step].begin());
                add_row(panel, *row, brief_title(steps, step), steps.size() > 1,
                        total ? -1 : chart_item(step, gemm, most_gemms(steps)));
            }
        }
        if (!panel.y.categories.empty()) {
            chart.panels.push_back(std::move(panel));
        }
    }
    return chart;
}

Chart roofline_chart(const std::vector<TrainingStep>& steps, const Scenario& scenario, std::string finding) {
    return roofline_chart(steps, std::vector<const Scenario*>(steps.size(), &scenario), std::move(finding));
}

Chart roofline_chart(const std::vector<TrainingStep>& steps, const std::vector<const Scenario*>& scenarios,
                     std::string finding) {
    if (steps.empty()) {
        return {std::move(finding), {}, {}};
    }
    std::vector<Roofline> chips;
    std::vector<Roofline> links;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        chips.push_back(chip_roofline({steps[step]}, *scenarios[step]));
        links.push_back(link_roofline({steps[step]}, *scenarios[step]));
    }
    std::string key = said("The larger the mark, the more of the step's time the GEMM takes.");
    if (std::ranges::any_of(
            chips, [](const Roofline& one) { return std::ranges::any_of(one.points, above_roof); })) {
        key += said(" Outlined: above its roof, because memory is left out of its time.");
    }
    return {
        std::move(finding), {roofline_panel(chips, steps), roofline_panel(links, steps)}, {std::move(key)}};
}

} // namespace meshslice
