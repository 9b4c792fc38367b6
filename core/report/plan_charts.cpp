#include "core/report/plan_charts.h"

#include "core/base/listing.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/search/plan_levers.h"
#include "core/plan/step_parts.h"
#include "core/report/plan_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace meshslice {
namespace {

/// Axes whose values differ by more are logarithmic.
constexpr double long_range = 8;
/// Plans that take longer than so many times the best are not drawn next to it.
constexpr double most_times_the_best = 4;

std::string parts_words(const std::vector<PlanPart>& parts, std::string (*amount)(double)) {
    std::string lines;
    for (const PlanPart& part : parts) {
        lines += fmt::format("\n{}: {}, {}", part.name, amount(part.amount), percent_text(part.share));
    }
    return lines;
}

std::string memory_of_chip(const RankedPlan& one, double capacity) {
    return say("{} of {} per chip", bytes_text(one.reading.memory.total()), bytes_text(capacity));
}

/// All there is to say about a plan, line by line.
std::string plan_lines(const RankedPlan& one, double capacity) {
    return plan_name(one.plan) + "\n" +
           (one.plan.axes == TorusAxes{} ? say("in a fast domain {}; {} micro-batches",
                                               placement_text(one.plan), one.reading.micro_batches)
                                         : say("along the axes of the torus {}; {} micro-batches",
                                               placement_text(one.plan), one.reading.micro_batches)) +
           parts_words(time_parts(one), seconds_text) + "\n" + memory_of_chip(one, capacity) +
           parts_words(memory_parts(one.reading), bytes_text);
}

/// "2D: dp 4 x pp 32 x tp 2x4"
std::string split_name(const Plan& plan) {
    return fmt::format("{}: dp {} x pp {} x tp {}", strategy_title(plan), plan.data, plan.pipeline,
                       grid_text(plan));
}

/// "micro-batch 1, panels 16, 2 chunks interleaved, ZeRO 3"; how it runs where that is not as usual.
std::string further_words(const Plan& plan) {
    std::vector<std::string> words = {plan.strategy == TensorStrategy::summa
                                          ? say("micro-batch {}, panels {}", plan.micro_batch, plan.panels)
                                          : say("micro-batch {}", plan.micro_batch)};
    if (plan.schedule.kind == PipelineKind::interleaved) {
        words.push_back(say("{} chunks interleaved", plan.schedule.chunks));
    } else if (plan.schedule.kind == PipelineKind::gpipe) {
        words.push_back(said("GPipe"));
    }
    if (plan.recompute != Recompute::none) {
        words.push_back(plan.recompute == Recompute::full ? said("layers recomputed")
                                                          : said("attention recomputed"));
    }
    if (plan.zero != 1 && shares_weights(plan)) {
        words.push_back(say("ZeRO {}", plan.zero));
    }
    return fmt::format("{}", fmt::join(words, said(", ")));
}

bool is_loaded(const PlanAnswer& answer, const RankedPlan& one) {
    return answer.loaded && answer.loaded->plan == one.plan;
}

/// Why a plan is behind the best one, and whether it is the loaded one.
std::string note_on(const PlanAnswer& answer, const RankedPlan& one) {
    const std::string why = why_behind(answer.best(), one, answer.capacity);
    return !is_loaded(answer, one) ? why : why.empty() ? said("loaded") : say("loaded; {}", why);
}

std::string run_words(const PlanAnswer& answer) {
    return say("{} on {} chips of {}", answer.question.model.title, answer.question.planning.chips,
               answer.cluster_title);
}

} // namespace

std::string plan_name(const Plan& plan) {
    return say("{}, {}", split_name(plan), further_words(plan));
}

namespace {

/// Of the training that the question says.
double days(const PlanAnswer& answer, double step) {
    TrainingRun run;
    run.batch = answer.question.batch;
    run.sequence = answer.question.sequence;
    return days_for_tokens(run, step, static_cast<double>(answer.question.planning.tokens.value_or(0)));
}

/// ", 12.3 days for 1T tokens"; empty where no number of tokens is said.
std::string days_words(const PlanAnswer& answer, double step) {
    const std::optional<std::int64_t>& tokens = answer.question.planning.tokens;
    if (!tokens) {
        return {};
    }
    const auto count = static_cast<double>(*tokens);
    return said(", ") + say("{} for {} tokens", days_text(days(answer, step)), si_text(count, ""));
}

} // namespace

std::string plan_finding(const PlanAnswer& answer) {
    const RankedPlan& best = answer.best();
    const std::string memory = memory_of_chip(best, answer.capacity);
    if (!answer.fits()) {
        const std::string nothing = say("Nothing fits: {} needs {} at least, with {}.", run_words(answer),
                                        memory, plan_name(best.plan));
        return answer.would_fit.empty()
                   ? nothing
                   : nothing + said(" ") + say("What would fit: {}.", listed(answer.would_fit, "or"));
    }
    const std::vector<PlanPart> parts = time_parts(best);
    const auto largest = std::ranges::max_element(parts, {}, &PlanPart::share);
    return say("{}: {} a step{}, {} of peak, with {}; {}; the largest part is {}, {} of the time.",
               run_words(answer), seconds_text(best.reading.time.total),
               days_words(answer, best.reading.time.total), percent_text(best.reading.utilisation),
               plan_name(best.plan), memory, largest->name, percent_text(largest->share));
}

std::string loaded_finding(const PlanAnswer& answer) {
    const RankedPlan& loaded = answer.loaded.value();
    const std::string name = plan_name(loaded.plan);
    if (!loaded.reading.fits) {
        return say("Loaded: {}. It does not fit: {}.", name, memory_of_chip(loaded, answer.capacity));
    }
    const std::string time = seconds_text(loaded.reading.time.total);
    if (!answer.fits()) {
        return say("Loaded: {}. {} a step; no plan that is searched fits.", name, time);
    }
    const double best = answer.best().reading.time.total;
    const double longer = loaded.reading.time.total / best - 1;
    return loaded.plan == answer.best().plan ? say("Loaded: {}. {} a step, the best found.", name, time)
           : longer == 0 ? say("Loaded: {}. {} a step, as fast as the best found.", name, time)
           : longer > 0  ? say("Loaded: {}. {} a step, {} slower than the best found.", name, time,
                               percent_text(longer))
                         : say("Loaded: {}. {} a step, {} faster than the best found.", name, time,
                               percent_text(-longer));
}

namespace {

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

} // namespace

std::string plan_difference(const PlanAnswer& answer, const PlansOfA& of_a) {
    const auto tokens = [](const PlanAnswer& one) {
        return static_cast<double>(one.question.batch) * static_cast<double>(one.question.sequence);
    };
    const RankedPlan& ours = answer.chosen();
    const RankedPlan& its = of_a.answer.chosen();
    if (!ours.reading.fits || !its.reading.fits) {
        return !ours.reading.fits && !its.reading.fits ? said("Both plans, A's and B's, do not fit.")
               : ours.reading.fits                     ? said("B's plan fits and A's does not.")
                                                       : said("A's plan fits and B's does not.");
    }
    const bool same_work = tokens(answer) == tokens(of_a.answer);
    const double b = ours.reading.time.total / tokens(answer);
    const double a = its.reading.time.total / tokens(of_a.answer);
    const std::string times =
        say("{} against {}", seconds_text(ours.reading.time.total), seconds_text(its.reading.time.total));
    const double less = 1 - b / a;
    if (less == 0) {
        return same_work ? say("B takes as long a step as A ({}).", times)
                         : say("B takes as long for a token as A (a step: {}).", times);
    }
    const std::string share = percent_text(std::abs(less));
    if (less > 0) {
        return same_work ? say("B takes {} less time a step than A ({}).", share, times)
                         : say("B takes {} less time for a token than A (a step: {}).", share, times);
    }
    const std::string longer = number_text(b / a);
    if (longer == number_text(1)) {
        return same_work ? say("B takes {} more time a step than A ({}).", share, times)
                         : say("B takes {} more time for a token than A (a step: {}).", share, times);
    }
    return same_work ? say("A step of B takes {} times as long as one of A ({}).", longer, times)
                     : say("A token takes {} times as long with B as with A (a step: {}).", longer, times);
}

Chart plan_bars(const PlanAnswer& answer, const std::optional<PlansOfA>& of_a) {
    const std::vector<RankedPlan> plans = answer.plans();
    const std::vector<RankedPlan> ranked = shown_as_bars(answer);
    ChartPanel panel;
    panel.x = {said("time of a step"), ChartUnit::seconds};
    for (const StepPart& part : step_parts) {
        ChartSeries series{said(part.name), SeriesKind::stack};
        series.role = part.role;
        panel.series.push_back(std::move(series));
    }
    ChartSeries large{said("does not fit into memory"), SeriesKind::stack};
    large.role = Role::exposed;
    panel.series.push_back(std::move(large));
    const auto add = [&](const PlanAnswer& its, const RankedPlan& one, const std::string& whose,
                         const std::string& detail, int item) {
        panel.y.categories.push_back(whose + split_name(one.plan));
        panel.y.remarks.push_back(is_loaded(its, one) ? say(", {} (loaded)", further_words(one.plan))
                                                      : say(", {}", further_words(one.plan)));
        panel.y.groups.push_back(one.reading.fits ? said("fit") : said("do not fit"));
        panel.y.details.push_back(detail + plan_lines(one, its.capacity));
        panel.y.items.push_back(item);
        for (std::size_t part = 0; part < step_parts.size(); ++part) {
            panel.series[part].values.emplace_back(
                one.reading.fits ? std::optional(one.reading.time.*step_parts[part].time) : std::nullopt);
        }
        panel.series.back().values.emplace_back(one.reading.fits ? std::nullopt
                                                                 : std::optional(one.reading.time.total));
    };
    if (of_a) {
        add(of_a->answer, of_a->answer.chosen(), "A: ", of_a->name + "\n", -1);
    }
    for (const RankedPlan& one : ranked) {
        const auto place = std::ranges::find(plans, one.plan, &RankedPlan::plan) - plans.begin();
        add(answer, one, of_a ? "B: " : "", {}, static_cast<int>(place));
    }
    if (std::ranges::find(panel.y.groups, said("do not fit")) == panel.y.groups.end()) {
        panel.y.groups.clear();
    }
    std::erase_if(panel.series, [](const ChartSeries& series) {
        return std::ranges::all_of(series.values, [](const auto& value) { return value.value_or(0) == 0; });
    });
    const std::string finding = plan_finding(answer);
    return {of_a ? plan_difference(answer, *of_a) + said(" ") + finding : finding, {std::move(panel)}};
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
    panel.y = {said("time of a step"), ChartUnit::seconds};
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

namespace {

bool fits(const PlanAtChips& point) {
    return point.best && point.best->reading.fits;
}

/// How much faster the most chips that fit are than the fewest, in the words of the chart.
std::string scaling_finding(const PlanScaling& scaling) {
    const auto first = std::ranges::find_if(scaling.points, fits);
    if (first == scaling.points.end()) {
        return say("{} fits on none of these numbers of chips of {}", scaling.question.model.title,
                   scaling.cluster_title);
    }
    const PlanAtChips& last = *std::find_if(scaling.points.rbegin(), scaling.points.rend(), fits);
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
    panel.y = {said("time of a step"), ChartUnit::seconds};
    panel.x.logarithmic = panel.y.logarithmic = true;
    ChartSeries best{said("best plan"), SeriesKind::line};
    best.role = Role::compute;
    best.emphasised = true; // so that the marks have their names
    ChartSeries large{said("does not fit into memory"), SeriesKind::points};
    large.role = Role::exposed;
    large.emphasised = true;
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
        point.detail = say("{} of peak", percent_text(one.best->reading.utilisation)) + "\n" +
                       plan_lines(*one.best, scaling.capacity);
        point.open = !fits(one);
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
                {"chips", "strategy", "dp", "pp", "tp", "micro-batch", "time_s", "FLOP utilisation",
                 "memory_bytes", "fits"},
                {}};
    for (const PlanAtChips& one : scaling.points) {
        if (one.best) {
            const Plan& plan = one.best->plan;
            table.rows.push_back(
                {one.chips, std::string(strategy_name(plan)), plan.data, plan.pipeline, grid_text(plan),
                 plan.micro_batch, one.best->reading.time.total, one.best->reading.utilisation,
                 static_cast<std::int64_t>(std::min(std::round(one.best->reading.memory.total()), 9e18)),
                 one.best->reading.fits ? said("yes") : said("no")});
        }
    }
    return table;
}

Table shown_plan_table(const PlanAnswer& answer) {
    const std::vector<RankedPlan> plans = answer.plans();
    const bool torus =
        std::ranges::any_of(plans, [](const RankedPlan& one) { return one.plan.axes != TorusAxes{}; });
    const bool trained = answer.question.planning.tokens.has_value();
    Table table{"Plans", {"rank", "strategy", "dp", "pp", "tp", "micro-batch", "time_s"}, {}};
    if (trained) {
        table.columns.emplace_back("days");
    }
    for (const char* column : {"FLOP utilisation", "memory_bytes", "panels",
                               torus ? "along the axes of the torus" : "in a fast domain", "schedule",
                               "recompute", "ZeRO", "note"}) {
        table.columns.emplace_back(column);
    }
    for (std::size_t k = 0; k < plans.size(); ++k) {
        const RankedPlan& one = plans[k];
        std::vector<Table::Cell> row = {static_cast<std::int64_t>(k + 1),
                                        std::string(strategy_name(one.plan)),
                                        one.plan.data,
                                        one.plan.pipeline,
                                        grid_text(one.plan),
                                        one.plan.micro_batch,
                                        one.reading.time.total};
        if (trained) {
            row.emplace_back(days(answer, one.reading.time.total));
        }
        std::ranges::move(
            std::vector<Table::Cell>{
                one.reading.utilisation,
                static_cast<std::int64_t>(std::min(std::round(one.reading.memory.total()), 9e18)),
                one.plan.panels, placement_text(one.plan), text(one.plan.schedule),
                std::string(name(one.plan.recompute)), std::int64_t{one.plan.zero}, note_on(answer, one)},
            std::back_inserter(row));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table plan_parts_table(const RankedPlan& plan) {
    Table table{"Parts of the plan", {"part", "amount", "share"}, {}};
    const auto add = [&](const std::vector<PlanPart>& parts, std::string (*amount)(double)) {
        for (const PlanPart& part : parts) {
            table.rows.push_back({part.name, amount(part.amount), percent_text(part.share)});
        }
    };
    table.rows.push_back({said("time of a step"), seconds_text(plan.reading.time.total), std::string()});
    add(time_parts(plan), seconds_text);
    table.rows.push_back({said("memory of a chip"), bytes_text(plan.reading.memory.total()), std::string()});
    add(memory_parts(plan.reading), bytes_text);
    return table;
}

} // namespace meshslice
