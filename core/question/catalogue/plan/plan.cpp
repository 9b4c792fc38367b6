// How to spread a whole training run over chips: data x pipeline x tensor parallel, placed and fitted into
// memory.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/machine/catalogue.h"
#include "core/plan/inside/plan_run.h"
#include "core/plan/search/plan_question.h"
#include "core/plan/search/space.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/plan/plan_fields.h"
#include "core/question/catalogue/plan/plan_points.h"
#include "core/question/catalogue/plan/plan_text.h"
#include "core/question/catalogue/plan/plans_asked.h"
#include "core/question/catalogue/questions.h"
#include "core/question/comparison.h"
#include "core/report/document/summarized.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_charts.h"
#include "core/report/plan/plan_table.h"
#include "core/report/summary/bill_words.h"
#include "core/report/summary/expected_words.h"
#include "core/report/summary/own_step_words.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// The answer to what was asked: one plan, or those that a search found.
struct FoundPlans {
    PlansAsked asked;
    bool one = false;
    PlanSearch search = {}; ///< of one plan that one alone
    std::vector<std::string> would_fit = {};
    std::vector<Result<SimulatedTime>> simulated = {}; ///< of the first plans
    ExpectedStep expected = {};                        ///< of the best plan, by measured runs
    std::vector<ExpectedStep> expected_ranked = {};    ///< of all ranked ones
    bool by_expected = false;                          ///< the order of the ranked ones
    std::vector<std::string> taken = {};               ///< sentences: what was taken as nothing was said
    std::optional<OwnStep> own = {};                   ///< as the user timed the loaded or the best plan
    std::string own_unused = {}; ///< why it corrects nothing; empty where it does, or nothing was timed

    /// Whether what is expected stands in front of what is ideal.
    [[nodiscard]] bool leads_expected() const {
        return expected.known() && !none() && asked.model.rules() == ModelRules::exact &&
               asked.question.split.rank == PlanOrder::expected;
    }
    [[nodiscard]] bool none() const { return !one && search.feasible == 0; }
    /// The one that the words are about.
    [[nodiscard]] const RankedPlan& best() const { return none() ? search.smallest : search.ranked.front(); }
};

void expect_ranked(FoundPlans& found) {
    found.expected_ranked.clear();
    for (const RankedPlan& one : found.search.ranked) {
        found.expected_ranked.push_back(expected_of(found.asked.question, one));
    }
}

/// By published rules plans are ranked as published.
ExpectedSeconds rank_of(const PlansAsked& asked) {
    return asked.model.rules() == ModelRules::exact ? ranked_by(asked.question) : ExpectedSeconds();
}

Result<void> search(FoundPlans& found, const Asked& asked, const RunControl& control) {
    if (found.asked.question.split.fewer_chips || asked.flag("fewer_chips")) {
        const Result<ChipsTaken> taken = chips_taken(found.asked.model, found.asked.space, control,
                                                     [&found] { return rank_of(found.asked); });
        if (!taken) {
            return refuse(taken.error());
        }
        found.asked.taken = *taken;
        found.asked.space.chips = found.asked.question.chips = taken->taken;
    }
    const std::size_t top =
        std::max(asked.has("top") ? static_cast<std::size_t>(asked.number("top")) : 10, found.asked.simulate);
    const ExpectedSeconds expects = rank_of(found.asked);
    Result<PlanSearch> ranked = search_plans(found.asked.model, found.asked.space, top, control, expects);
    if (!ranked) {
        return refuse(ranked.error());
    }
    found.search = *std::move(ranked);
    if (found.none()) {
        found.would_fit = what_would_fit(found.asked.model, found.asked.space, control.stop);
    }
    if (asked.flag("fits_memory") || found.asked.question.split.fits_only) {
        if (found.none()) {
            return refuse(plan_misfit(found.asked.model, found.search.smallest, found.would_fit));
        }
        std::erase_if(found.search.ranked, [](const RankedPlan& one) { return !one.reading.fits; });
    }
    found.by_expected = expects && !found.none();
    return {};
}

Result<void> read_plan(FoundPlans& found, const Asked& asked) {
    const Result<RankedPlan> read =
        reads_the_loaded_plan(asked) ? read_loaded(asked, found.asked) : read_one(asked, found.asked);
    if (!read) {
        return refuse(read.error());
    }
    if (asked.flag("fits_memory") && !read->reading.fits) {
        return refuse(plain_spaces(fmt::format("The plan {} needs {} and a chip has {}.", text(read->plan),
                                               bytes_text(read->reading.memory.total()),
                                               bytes_text(found.asked.model.capacity()))));
    }
    found.one = true;
    found.search.ranked = {*read};
    found.search.smallest = *read;
    found.search.feasible = read->reading.fits ? 1 : 0;
    return {};
}

/// What the ranked ones are expected to take, corrected by the user's own measurement.
void correct_ranked(FoundPlans& found) {
    for (ExpectedStep& one : found.expected_ranked) {
        one = found.own ? narrowed(one, *found.own) : one;
    }
}

/// The measured step is one of the plan that is loaded; where none is, of the best.
void take_own_step(FoundPlans& found, const Scenario& scenario) {
    if (!scenario.planning.measured_step) {
        return;
    }
    const double measured = *scenario.planning.measured_step;
    const ExpectedStep expected =
        expected_of(found.asked.question, scenario.plan.loaded.value_or(found.best().plan));
    if (expected.known()) {
        found.own = own_step(measured, expected);
        correct_ranked(found);
    } else {
        found.own_unused = unused_step_words(measured, expected);
    }
}

Result<FoundPlans> find_plans(const Asked& asked, const Workload& workload, const RunControl& control) {
    Result<PlansAsked> read = read_plans(asked, workload);
    if (!read) {
        return refuse(read.error());
    }
    FoundPlans found{*std::move(read)};
    const bool one = reads_the_loaded_plan(asked) || found.asked.one();
    if (const auto done = one ? read_plan(found, asked) : search(found, asked, control); !done) {
        return refuse(done.error());
    }
    found.taken = taken_sequence(asked);
    found.expected = expected_of(found.asked.question, found.best());
    expect_ranked(found);
    take_own_step(found, *asked.scenario);
    const std::size_t count = std::min(found.asked.simulate, found.search.ranked.size());
    for (std::size_t k = 0; k < count; ++k) {
        found.simulated.push_back(
            simulate_plan(found.asked.model, found.search.ranked[k].plan).map(simulated_time));
        if (one && !found.simulated.back()) {
            return refuse(found.simulated.back().error());
        }
    }
    return found;
}

/// What is wrong where no flag says anything stands in the file.
Result<FoundPlans> find_or_name_the_file(const Asked& asked, const Workload& workload,
                                         const RunControl& control) {
    Result<FoundPlans> found = find_plans(asked, workload, control);
    const bool in_file = !found && asked.said.file && asked.said.flags.empty() &&
                         !found.error().sentence.starts_with(asked.said.origin);
    return in_file ? refuse(fmt::format("{}: {}", asked.said.origin, found.error().sentence))
                   : std::move(found);
}

std::optional<PlanBill> bill_of(const FoundPlans& found) {
    return plan_bill(found.asked.question, found.best(), found.expected, found.own);
}

/// How many of the first plans cannot be distinguished.
std::size_t ties(const FoundPlans& found) {
    return found.by_expected ? alike_by_expected_time(found.search.ranked, found.expected_ranked) : 0;
}

Tree values_of(const FoundPlans& found) {
    const PlanModel& model = found.asked.model;
    Tree values =
        found.one
            ? plan_values(model, found.search.ranked.front(), found.simulated, found.asked.tokens)
            : plan_search_values(model, found.search, found.simulated, found.asked.tokens, found.would_fit);
    if (const std::optional<ChipsTaken>& taken = found.asked.taken) {
        values["chips_taken"] = {
            {"asked", taken->asked}, {"taken", taken->taken}, {"why", chips_taken_words(*taken)}};
    }
    add_expected(values, found.expected);
    if (const std::optional<PlanBill> bill = bill_of(found)) {
        values["training"] = bill_values(*bill);
    }
    if (found.own) {
        values["measured_step"] = own_step_values(*found.own);
    }
    if (!found.own_unused.empty()) {
        values["measured_step_not_used"] = found.own_unused;
    }
    if (!found.one) {
        values["ranked_by"] = name(found.by_expected ? PlanOrder::expected : PlanOrder::ideal);
    }
    const std::size_t alike = ties(found);
    if (found.by_expected) {
        const std::optional<StepRatio> ratio = ratio_of(found.expected, found.expected);
        values["ratio_known_times"] = ratio ? Tree(ratio->least_times()) : Tree();
        values["not_distinguished"] = Tree::array();
        for (std::size_t k = 0; k < alike; ++k) {
            values["not_distinguished"].push_back(static_cast<std::int64_t>(k + 1));
        }
        values["splits_not_distinguished"] = static_cast<std::int64_t>(
            splits_alike(found.search.expected_splits, found.search.ranked, found.expected_ranked));
    }
    for (std::size_t k = 0; !found.one && k < found.expected_ranked.size(); ++k) {
        if (const ExpectedStep& one = found.expected_ranked[k]; one.known()) {
            Tree& its = values["plans"].items()[k];
            its["expected_s"] = one.seconds;
            its["time_low_s"] = one.low;
            its["time_high_s"] = one.high;
            if (one.cut()) {
                its["time_low_by_errors_s"] = one.low_by_errors;
            }
            if (found.by_expected) {
                its["tied"] = k < alike;
            }
        }
    }
    return values;
}

/// The best plan and what it takes.
Tree point_of_plans(const FoundPlans& found) {
    const RankedPlan& best = found.best();
    const TrainingRun& run = found.asked.model.run();
    const double tokens = static_cast<double>(run.batch) * static_cast<double>(run.sequence);
    constexpr double flop_a_token = 6; // of each parameter: forward and backward
    Tree point = {{"time_s", best.reading.time.total},
                  {"flop_utilization", best.reading.utilization},
                  {"memory_bytes", best.reading.memory.total()},
                  {"fits", best.reading.fits},
                  {"chips", best.plan.chips()},
                  {"plan", text(best.plan)},
                  {"flop", flop_a_token * tokens * static_cast<double>(active_layer_parameters(run.model))},
                  {"hbm_bytes", found.asked.model.capacity()}};
    if (found.expected.known() && !found.none()) {
        const ExpectedStep& expected = found.expected;
        point["expected_s"] = expected.seconds;
        point["time_low_s"] = expected.low;
        point["time_high_s"] = expected.high;
        point["expected_flop_utilization"] = expected_utilization(best, expected);
        double waits = 0;
        for (const ExpectedPart& part : expected_parts(expected)) {
            waits += part.waits ? part.seconds : 0;
        }
        point["waits_share"] = waits / expected.seconds;
        if (const std::optional<StepRatio> ratio = ratio_of(expected, expected)) {
            point["ratio_known_times"] = ratio->least_times();
            point["ratio_wider"] = ratio->wider;
            point["ratio_pairs"] = ratio->pairs;
            point["ratio_groups"] = ratio->groups;
            point["measured_like"] = like_words(expected);
        }
    }
    return point;
}

/// The time of the best plan on other machines, as it is: the one that stands in front.
TimeOn kept_plan(const FoundPlans& found) {
    const PlanClock clock = found.leads_expected()
                                ? clock_of(found.asked.question, found.best().plan,
                                           found.own ? narrowed(found.expected, *found.own) : found.expected)
                                : PlanClock();
    return [of = found.asked.model, plan = found.best().plan, question = found.asked.question,
            clock](const Scenario& other) {
        return PlanModel::of(of.run(), other.hardware, of.rules()).and_then([&](const PlanModel& model) {
            return fastest_plan(model, plan, {}).and_then([&](const RankedPlan& one) {
                PlanQuestion there = question;
                there.machine = other.hardware;
                return clock.of(there, one);
            });
        });
    };
}

/// Plan after plan the one that is best there.
std::shared_ptr<const SweptQuestion> plan_points(const Workload& workload) {
    SweptQuestion all = shown_plan_points();
    all.numbers = [&workload](const Asked& asked, const RunControl& control) {
        return find_plans(asked, workload, control).map(point_of_plans);
    };
    all.kept = [&workload](const Asked& asked, const RunControl& control) {
        return find_plans(asked, workload, control).map(kept_plan);
    };
    return std::make_shared<const SweptQuestion>(std::move(all));
}

std::string headline_of_plans(const FoundPlans& found) {
    const PlanModel& model = found.asked.model;
    return found.leads_expected() ? expected_headline(model, found.best(), found.expected, found.asked.tokens)
                                  : plan_headline(model, found.best(), found.asked.tokens);
}

/// The two times that it takes, the one in front that plans are ranked by, and the measured runs nearest to
/// it.
std::string times_of(const FoundPlans& found) {
    const std::string own = found.own_unused.empty() ? own_step_lines(found.own) : found.own_unused + "\n";
    const std::string taken = found.taken.empty() ? "" : found.taken.front() + "\n";
    return taken + (found.leads_expected() ? ideal_line(found.best()) + nearest_lines(found.expected) + own
                                           : expected_lines(found.expected) + own);
}

/// How the ranked plans stand to each other by the other kind of time, or why there is none.
std::string order_words(const FoundPlans& found) {
    if (!found.by_expected) {
        const bool asked_for = found.asked.model.rules() != ModelRules::exact ||
                               found.asked.question.split.rank == PlanOrder::ideal;
        return asked_for || found.none() ? fastest_expected_words(found.expected_ranked)
                                         : std::string("Ranked by ideal time, as no time is expected.");
    }
    const std::string ideal = ideal_first_words(found.best(), found.search, found.asked.question);
    const std::string ties =
        by_expected_time_words(found.search.ranked, found.expected_ranked, found.search.expected_splits);
    return ideal.empty() ? ties : ties + "\n" + ideal;
}

std::vector<Paragraph> words_of(const FoundPlans& found) {
    const PlanModel& model = found.asked.model;
    const double tokens = found.asked.tokens;
    const RankedPlan& best = found.best();
    const ExpectedStep* const expected = found.leads_expected() ? &found.expected : nullptr;
    const std::string headline = headline_of_plans(found);
    std::string words;
    if (found.one) {
        words = best.reading.fits
                    ? std::string()
                    : fmt::format("Does not fit: it needs {} and a chip has {}.\n",
                                  bytes_text(best.reading.memory.total()), bytes_text(model.capacity()));
        words += headline + ".\n" + times_of(found) + plan_details(model, best, expected) +
                 days_note(model, tokens) + bill_lines(bill_of(found));
        if (!found.simulated.empty()) {
            words += "\n" + simulated_text(found.search.ranked, found.simulated);
        }
    } else {
        words = found.none() ? plan_misfit(model, best, found.would_fit) + "\n"
                             : fmt::format("{}; {}.\n", headline, text(best.plan)) + times_of(found);
        words += "\n" + ranked_plans(model, found.search, found.expected_ranked, found.by_expected);
        if (const std::string order = order_words(found); !order.empty()) {
            words += order + "\n";
        }
        if (!found.simulated.empty()) {
            words += "\n" + simulated_text(found.search.ranked, found.simulated) + "\n";
        }
        words += fmt::format("{}, {} of which fit{}. Placement: {}.\n",
                             count_text(found.search.candidates, "plan", "plans"), found.search.feasible,
                             found.search.feasible == 1 ? "s" : "", placements_text(model));
        if (found.asked.taken) {
            words += chips_taken_words(*found.asked.taken) + "\n";
        }
        words += days_note(model, tokens) + plan_details(model, best, expected) + bill_lines(bill_of(found));
    }
    return {{std::move(words)}};
}

/// The table of plans with what is expected of each.
Table table_of_plans(const FoundPlans& found) {
    Table table = plan_table(found.asked.model, found.search.ranked, found.asked.tokens);
    if (found.asked.model.rules() != ModelRules::exact ||
        std::ranges::none_of(found.expected_ranked, &ExpectedStep::known)) {
        return table;
    }
    const std::size_t alike = ties(found);
    table.columns.insert(table.columns.end(), {"expected_s", "expected_low_s", "expected_high_s"});
    if (found.by_expected) {
        table.columns.emplace_back("tied");
    }
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        std::vector<Table::Cell>& row = table.rows[k];
        const ExpectedStep& one = found.expected_ranked[k];
        for (const double seconds : {one.seconds, one.low, one.high}) {
            row.push_back(one.known() ? Table::Cell(seconds) : Table::Cell(std::string()));
        }
        if (found.by_expected) {
            row.emplace_back(std::string(k < alike ? "yes" : "no"));
        }
    }
    return table;
}

/// What is expected of each of PlanAnswer::plans().
std::vector<ExpectedStep> expected_of_all(const FoundPlans& found, const PlanAnswer& shown) {
    std::vector<ExpectedStep> all;
    const std::vector<RankedPlan>& ranked = found.search.ranked;
    for (const RankedPlan& one : shown.plans()) {
        const auto at =
            static_cast<std::size_t>(std::ranges::find(ranked, one.plan, &RankedPlan::plan) - ranked.begin());
        all.push_back(at < ranked.size() ? found.expected_ranked[at] : ExpectedStep());
    }
    return all;
}

/// The ranked plans alone, in their order, with what is against each.
Table plans_for_people(const FoundPlans& found, PlanAnswer shown) {
    shown.search.frontier.clear();
    const bool exact = found.asked.model.rules() == ModelRules::exact;
    return printed_plan_table(shown, exact ? found.expected_ranked : std::vector<ExpectedStep>());
}

/// The pipeline of the first plan, whose bars open.
Result<NamedRun> run_of(const FoundPlans& found) {
    const PlanModel& model = found.asked.model;
    const Plan& plan = found.search.ranked.front().plan;
    return simulate_plan(model, plan).map([&](PipelineRun pipeline) {
        return NamedRun{"pipeline", std::make_shared<const PlanRun>(
                                        std::make_shared<const PipelineRun>(std::move(pipeline)),
                                        std::make_shared<const PlanAndModel>(PlanAndModel{model, plan}))};
    });
}

Result<Answer> answer_plans(const Asked& asked, const Workload& workload, const RunControl& control) {
    Result<FoundPlans> found = find_or_name_the_file(asked, workload, control);
    if (!found) {
        return refuse(found.error());
    }
    const PlanModel& model = found->asked.model;
    Answer answer{values_of(*found), headline_of_plans(*found),
                  fmt::format("{} on {}", model.run().model.title, model.hardware().title)};
    answer.words = words_of(*found);
    answer.notes = found->taken;
    if (found->best().plan.experts > 1) {
        answer.tables.push_back(NamedTable::of("experts", expert_traffic_table(model, found->best().plan)));
    }
    const PlanAnswer shown{found->asked.question, model.capacity(), found->search, found->would_fit, {}};
    const std::vector<ExpectedStep> expected =
        model.rules() == ModelRules::exact ? expected_of_all(*found, shown) : std::vector<ExpectedStep>();
    NamedTable plans = NamedTable::of("plans", table_of_plans(*found)).as(TableKind::alternatives);
    if (!found->search.ranked.empty()) {
        plans = std::move(plans).shown_as(plans_for_people(*found, shown),
                                          found->one ? std::string() : order_words(*found));
    }
    answer.tables.insert(answer.tables.begin(), std::move(plans));
    if (found->leads_expected()) {
        answer.trust.bands = {{said("expected time of a step"), "expected_s", found->expected.seconds,
                               found->expected.low, found->expected.high}};
    }
    answer.charts.push_back({"plans", plan_bars(shown, std::nullopt, {}, expected)});
    if (!found->one) {
        answer.charts.push_back({"frontier", plan_frontier_chart(shown)});
    }
    answer.fits = [fits = found->search.feasible > 0] { return fits; };
    answer.detail = summarized_plan(*asked.scenario, shown, model);
    if (asked.said.has("--trace") && !found->search.ranked.empty()) {
        Result<NamedRun> run = run_of(*found);
        if (!run) {
            return refuse(run.error());
        }
        answer.runs.push_back(*std::move(run));
    }
    return answer;
}

} // namespace

Question plan_question(const Workload& workload) {
    Question question{
        "plan",
        said("Plans"),
        "",
        "Plans a whole training run: data x pipeline x tensor parallel, placed and fitted into memory",
        {.machine = true, .work = true, .plan = true},
        plan_question_fields(),
        [&workload](const Asked& asked, const RunControl& control) {
            return find_or_name_the_file(asked, workload, control).map([](const FoundPlans& found) {
                return values_of(found);
            });
        },
        [&workload](const Asked& asked, const RunControl& control) {
            return answer_plans(asked, workload, control);
        },
        {.only = of_a_plan,
         .helps = {{"--scenario",
                    "FILE: a scenario or project file, whose run is planned; other flags override "
                    "it. A plan that it has loaded is read, where no flag asks for others"}}}};
    question.swept = plan_points(workload);
    question.files = {
        {AnswerFile::Of::runs,
         {},
         "--trace",
         "FILE: writes the pipeline of the first plan for Perfetto (Chrome trace)"},
        {AnswerFile::Of::chart, "plans", "--svg", "FILE.svg: draws the time of the plans, part by part"}};
    add_comparison(question);
    question.examples = {
        "--model llama-3-70b --machine h100 --chips 512 --batch 1024",
        "--model gpt3-175b --machine b200-nvs8 --dp 32 --pp 4 --tp 8x1",
        "--model llama-3-70b --machine h100 --chips 64 --batch 64 --fits-memory --csv plans.csv"};
    question.says_fit = true;
    return question;
}

} // namespace meshslice
