#include "core/report/plan/plan_charts.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_lines.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace meshslice {
namespace {

/// Axes whose values differ by more are logarithmic.
constexpr double long_range = 8;
/// Plans that take longer than so many times the best are not drawn next to it.
constexpr double most_times_the_best = 4;

/// The ranked plans and the loaded one, those that fit first.
std::vector<RankedPlan> shown_as_bars(const PlanAnswer& answer) {
    std::vector<RankedPlan> shown = answer.search.ranked;
    if (answer.place_of_loaded() == shown.size()) {
        const auto behind = std::ranges::find_if(
            shown, [&](const RankedPlan& one) { return answer.loaded->reading.fits && !one.reading.fits; });
        shown.insert(behind, *answer.loaded);
    }
    return shown;
}

/// A bar for each part that there is, the largest first.
ChartPanel bars_of(std::vector<PlanPart> parts, const std::string& title, ChartUnit unit, Role role) {
    std::erase_if(parts, [](const PlanPart& part) { return part.amount <= 0; });
    std::ranges::stable_sort(parts, std::greater(), &PlanPart::amount);
    ChartPanel panel{title};
    panel.x = {{}, unit};
    ChartSeries bars{{}, SeriesKind::stack};
    bars.role = role;
    for (const PlanPart& part : parts) {
        panel.y.categories.push_back(part.name);
        panel.y.remarks.push_back(say(", {}", percent_text(part.share)));
        bars.values.emplace_back(part.amount);
    }
    panel.series = {std::move(bars)};
    return panel;
}

} // namespace

namespace {

/// The bars of plans, ideal ones part by part, or expected ones with the ideal time next to each.
class PlanBars {
  public:
    PlanBars(const std::vector<RankedPlan>& plans, bool expected) : expected_(expected) {
        panel_.x = {expected ? said("expected time of a step, with the interval of eight of ten")
                             : said("ideal time of a step"),
                    ChartUnit::seconds};
        if (expected) {
            for (const ExpectedPart& part : expected_parts({})) {
                add_series(part.name, part.role);
            }
            add_series(said("ideal"), Role::quietText);
            panel_.series.back().thin = true;
            panel_.thin_name = said("ideal");
        } else {
            parts_.assign(step_parts.begin(), step_parts.end());
            if (std::ranges::all_of(plans, [](const RankedPlan& one) { return one.plan.experts == 1; })) {
                std::erase_if(parts_, [](const StepPart& part) { return part.time == &PlanTime::experts; });
            }
            for (const StepPart& part : parts_) {
                add_series(said(part.name), part.role);
            }
        }
        add_series(said("does not fit into memory"), Role::exposed);
    }

    void add(const PlanAnswer& its, const RankedPlan& one, const ExpectedStep& expected,
             const std::string& whose, const std::string& detail, int item) {
        const bool leads = expected_ && leads_expected(its.question, one, expected);
        const std::string pinned =
            is_loaded(its, one) ? say("{} (pinned)", further_words(one.plan)) : further_words(one.plan);
        panel_.y.categories.push_back(whose + split_name(one.plan));
        panel_.y.remarks.push_back(say(", {}", pinned));
        panel_.y.groups.push_back(one.reading.fits ? said("fit") : said("do not fit"));
        panel_.y.details.push_back(detail + (leads ? expected_lines_of(expected) : std::string()) +
                                   plan_lines(one, its.capacity));
        panel_.y.items.push_back(item);
        panel_.y.spans.push_back(leads ? std::optional(std::pair(expected.low, expected.high))
                                       : std::nullopt);
        std::size_t series = 0;
        const auto push = [&](std::optional<double> value) {
            panel_.series[series++].values.push_back(value);
        };
        if (expected_) {
            for (const ExpectedPart& part : expected_parts(expected)) {
                push(leads ? std::optional(part.seconds) : std::nullopt);
            }
            push(one.reading.fits ? std::optional(one.reading.time.total) : std::nullopt);
        } else {
            for (const StepPart& part : parts_) {
                push(one.reading.fits ? std::optional(one.reading.time.*part.time) : std::nullopt);
            }
        }
        push(one.reading.fits ? std::nullopt : std::optional(one.reading.time.total));
    }

    ChartPanel finished() && {
        if (std::ranges::find(panel_.y.groups, said("do not fit")) == panel_.y.groups.end()) {
            panel_.y.groups.clear();
        }
        if (!expected_) {
            panel_.y.spans.clear();
        }
        std::erase_if(panel_.series, [](const ChartSeries& series) {
            return std::ranges::all_of(series.values,
                                       [](const auto& value) { return value.value_or(0) == 0; });
        });
        return std::move(panel_);
    }

  private:
    void add_series(const std::string& name, Role role) {
        ChartSeries series{name, SeriesKind::stack};
        series.role = role;
        panel_.series.push_back(std::move(series));
    }
    [[nodiscard]] static std::string expected_lines_of(const ExpectedStep& expected) {
        return say("expected: {}, {}", seconds_text(expected.seconds), interval_words(expected)) + "\n";
    }

    bool expected_;
    std::vector<StepPart> parts_;
    ChartPanel panel_;
};

} // namespace

Chart plan_bars(const PlanAnswer& answer, const std::optional<PlansOfA>& of_a,
                const std::vector<std::size_t>& order, const std::vector<ExpectedStep>& expected) {
    const std::vector<RankedPlan> plans = answer.plans();
    const auto place_of = [&](const RankedPlan& one) {
        return static_cast<std::size_t>(std::ranges::find(plans, one.plan, &RankedPlan::plan) -
                                        plans.begin());
    };
    const auto expected_at = [&](std::size_t place) {
        return place < expected.size() ? expected[place] : ExpectedStep();
    };
    std::vector<RankedPlan> ranked = shown_as_bars(answer);
    if (!order.empty()) {
        std::ranges::stable_sort(ranked, {}, [&](const RankedPlan& one) {
            return std::ranges::find(order, place_of(one)) - order.begin();
        });
    }
    const bool any_expected = std::ranges::any_of(ranked, [&](const RankedPlan& one) {
        return leads_expected(answer.question, one, expected_at(place_of(one)));
    });
    PlanBars bars(plans, any_expected);
    if (of_a) {
        bars.add(of_a->answer, of_a->answer.chosen(), of_a->expected, "A: ", of_a->name + "\n", -1);
    }
    for (const RankedPlan& one : ranked) {
        const std::size_t place = place_of(one);
        bars.add(answer, one, expected_at(place), of_a ? "B: " : "", {}, static_cast<int>(place));
    }
    const std::string finding = plan_title(answer, expected_at(place_of(answer.best())));
    const auto chosen = expected_at(place_of(answer.chosen()));
    return {of_a ? plan_difference(answer, *of_a, chosen) + said(" ") + finding : finding,
            {std::move(bars).finished()}};
}

Chart plan_frontier_chart(const PlanAnswer& answer, const std::optional<PlansOfA>& of_a) {
    const std::vector<RankedPlan> plans = answer.plans();
    // The smallest plans may take hundreds of times as long as the fastest, and squash what matters.
    const double longest =
        most_times_the_best * std::max(answer.best().reading.time.total, answer.chosen().reading.time.total);
    std::size_t left_out = 0;
    double slowest_of_all = 0;
    ChartPanel panel;
    panel.x = {said("memory of a chip"), ChartUnit::bytes};
    panel.y = {said("ideal time of a step"), ChartUnit::seconds};
    ChartSeries frontier{said("frontier"), SeriesKind::line};
    frontier.role = Role::compute;
    ChartSeries others{said("other plans"), SeriesKind::points};
    others.role = Role::quietText;
    ChartSeries large{said("does not fit into memory"), SeriesKind::points};
    large.role = Role::exposed;
    double slowest = 0;
    double fastest = std::numeric_limits<double>::max();
    double largest = answer.capacity;
    double smallest = answer.capacity;
    for (std::size_t k = 0; k < plans.size(); ++k) {
        const RankedPlan& one = plans[k];
        if (one.reading.time.total > longest) {
            ++left_out;
            slowest_of_all = std::max(slowest_of_all, one.reading.time.total);
            continue;
        }
        slowest = std::max(slowest, one.reading.time.total);
        fastest = std::min(fastest, one.reading.time.total);
        largest = std::max(largest, one.reading.memory.total());
        smallest = std::min(smallest, one.reading.memory.total());
        ChartPoint point{one.reading.memory.total(), one.reading.time.total};
        point.detail = plan_lines(one, answer.capacity);
        point.item = static_cast<int>(k);
        point.open = !one.reading.fits;
        const bool best = std::ranges::find(answer.search.frontier, one) != answer.search.frontier.end();
        (best ? frontier : one.reading.fits ? others : large).points.push_back(std::move(point));
    }
    std::ranges::sort(frontier.points, {}, &ChartPoint::x);
    ChartSeries frontier_of_a{said("frontier of A"), SeriesKind::line};
    frontier_of_a.role = Role::quietText;
    for (const RankedPlan& one : of_a ? of_a->answer.search.frontier : std::vector<RankedPlan>()) {
        if (one.reading.time.total <= longest) {
            ChartPoint point{one.reading.memory.total(), one.reading.time.total};
            point.detail = plan_lines(one, of_a->answer.capacity);
            slowest = std::max(slowest, point.y);
            fastest = std::min(fastest, point.y);
            largest = std::max(largest, point.x);
            smallest = std::min(smallest, point.x);
            frontier_of_a.points.push_back(std::move(point));
        }
    }
    std::ranges::sort(frontier_of_a.points, {}, &ChartPoint::x);
    panel.y.logarithmic = slowest > long_range * fastest;
    panel.x.logarithmic = largest > long_range * smallest;
    panel.y.low = panel.y.logarithmic ? fastest / 1.5 : 0;
    panel.y.high = slowest * (panel.y.logarithmic ? 1.5 : 1.1);
    if (panel.x.logarithmic) {
        panel.x.low = smallest / 1.3;
    }
    panel.x.high = largest * (panel.x.logarithmic ? 1.3 : 1.05);
    ChartSeries capacity{said("what a chip has"), SeriesKind::rule};
    capacity.role = Role::exposed;
    capacity.points = {{answer.capacity, *panel.y.low}, {answer.capacity, *panel.y.high}};
    panel.series = {std::move(others), std::move(large), std::move(frontier_of_a), std::move(frontier),
                    std::move(capacity)};
    std::erase_if(panel.series, [](const ChartSeries& series) { return series.points.empty(); });
    const std::size_t count = answer.search.frontier.size();
    Chart chart{count == 0   ? said("Every plan of the search needs more memory than a chip has")
                : count == 1 ? said("The fastest plan is also the smallest")
                             : say("{} plans trade time for memory", count),
                {std::move(panel)}};
    if (left_out == 1) {
        chart.notes.push_back(
            say("One plan that takes {} is left out; the table has it.", seconds_text(slowest_of_all)));
    } else if (left_out > 1) {
        chart.notes.push_back(say("{} plans that take up to {} are left out; the table has them.", left_out,
                                  seconds_text(slowest_of_all)));
    }
    return chart;
}

Chart plan_limits_chart(const PlanLimits& limits) {
    const RankedPlan& plan = limits.plan;
    const std::vector<PlanPart> times = time_parts(plan);
    const auto largest = std::ranges::max_element(times, {}, &PlanPart::amount);
    Chart chart{say("{} of the ideal step is {}", percent_text(largest->share), largest->name),
                {},
                limits.explanation};
    chart.panels = {bars_of(times, say("The ideal step takes {}", seconds_text(plan.reading.time.total)),
                            ChartUnit::seconds, Role::compute),
                    bars_of(memory_parts(plan.reading), memory_of_chip(plan, limits.capacity),
                            ChartUnit::bytes, Role::transferThird)};
    return chart;
}

} // namespace meshslice
