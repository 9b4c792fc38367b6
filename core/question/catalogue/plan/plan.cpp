// How to spread a whole training run over chips: data x pipeline x tensor parallel, placed and fitted into
// memory.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/machine/catalogue.h"
#include "core/plan/inside/plan_run.h"
#include "core/plan/search/loaded_plan.h"
#include "core/plan/search/plan_question.h"
#include "core/plan/search/space.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/plan/plan_fields.h"
#include "core/question/catalogue/plan/plan_text.h"
#include "core/question/catalogue/questions.h"
#include "core/question/comparison.h"
#include "core/report/document/summarized.h"
#include "core/report/plan/plan_charts.h"
#include "core/report/plan/plan_table.h"
#include "core/report/summary/bill_words.h"
#include "core/report/summary/expected_words.h"
#include "core/report/summary/own_step_words.h"
#include "core/report/sweep/timed_points.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// What is asked, read.
struct PlansAsked {
    PlanModel model;
    PlanSpace space;
    PlanQuestion question;
    double tokens = 0;        ///< of the whole training; 0: not said
    bool of_machine = false;  ///< the chips were said; else one plan says them
    std::size_t simulate = 0; ///< so many of the first plans

    std::optional<ChipsTaken> taken = {}; ///< where a search may take fewer chips
    bool split_said = false;              ///< by flags: one plan is read

    /// All of the split is said: one plan is read.
    [[nodiscard]] bool one() const {
        const FixedSplit& split = space.fixed;
        return split_said && split.data > 0 && split.pipeline > 0 && split.tensor1 > 0 && split.tensor2 > 0;
    }
};

/// What is not said is any of a search by exact rules, and as published of others and of one plan.
Result<PlanChoices> choices_of(const Asked& asked, bool any) {
    const SplitAsked& split = asked.scenario->plan.split;
    const auto words = [&](const char* flag, const std::string& value, const char* published) {
        return any || asked.said.has(flag) || value != "any" ? value : std::string(published);
    };
    return plan_choices({words("--schedule", split.schedule, "1f1b"),
                         words("--recompute", split.recompute, "none"), words("--zero", split.zero, "1")});
}

/// What is of one plan needs all of its split.
Result<void> suits_a_search(const Asked& asked) {
    if (asked.has("placement")) {
        return refuse(fmt::format("{} applies to one plan, so all of --dp, --pp and --tp are needed, such as "
                                  "--dp 32 --pp 64 --tp 8x1.",
                                  asked.called("placement")));
    }
    return {};
}

Result<PlansAsked> read_plans(const Asked& asked, const Workload& workload) {
    Result<PlanModel> model = model_of_run(asked, workload);
    if (!model) {
        return refuse(model.error());
    }
    PlansAsked read{*std::move(model), {}, *plan_question(*asked.scenario)};
    read.question.batch = read.model.run().batch;
    Result<PlanSpace> asked_space = plan_space(read.question, read.model);
    if (!asked_space) {
        return refuse(asked_space.error());
    }
    PlanSpace& space = read.space = *std::move(asked_space);
    read.split_said = asked.said.has("--dp") && asked.said.has("--pp") && asked.said.has("--tp");
    const Result<PlanChoices> choices =
        choices_of(asked, !read.one() && read.model.rules() == ModelRules::exact);
    if (!choices) {
        return refuse(choices.error());
    }
    space.choices = *choices;
    space.tensor_overlap = space.tensor_overlap || asked.flag("overlap_tensor");
    space.data_overlap = space.data_overlap && !asked.flag("no_overlap_data");
    read.tokens = static_cast<double>(read.question.tokens.value_or(0));
    read.of_machine = asked.said.has("--chips") || asked.said.file;
    read.simulate = static_cast<std::size_t>(asked.number("simulate"));
    if (!read.one()) {
        if (const Result<void> suits = suits_a_search(asked); !suits) {
            return refuse(suits.error());
        }
    }
    const char* of_a_search = asked.has("top") ? "top" : asked.text("rank") == "expected" ? "rank" : nullptr;
    if (read.one() && of_a_search != nullptr) {
        return refuse(fmt::format("{} applies to a search, and --dp, --pp and --tp together say one plan; "
                                  "without one of these four it works.",
                                  asked.called(of_a_search)));
    }
    return read;
}

/// A grid of two sides, or panels, need a strategy of their own.
Result<void> has_one_strategy(const Asked& asked, const PlansAsked& read, const Plan& plan) {
    const bool several = read.space.strategies.size() + read.space.algorithms.size() > 1;
    const bool panels = asked.scenario->plan.split.panels.has_value();
    if (!several || (plan.tensor2 == 1 && !panels)) {
        return {};
    }
    const std::string_view which = read.model.torus() ? "meshslice or another of its algorithms"
                                   : !panels          ? "2d or --strategy summa"
                                                      : "summa";
    return refuse(fmt::format("The plan does not say how its grid of {} splits GEMMs; --strategy {} says it.",
                              grid_text(plan), which));
}

Result<void> has_its_chips(const PlansAsked& read, const Plan& plan) {
    if (plan.data > most_planned_chips / plan.pipeline / plan.tensor1 / plan.tensor2) {
        return refuse(fmt::format("The plan has more than {} chips; expected fewer.", most_planned_chips));
    }
    if (read.of_machine && read.space.chips != plan.chips()) {
        return refuse(fmt::format("The plan {} x {} x {} has {} chips and {} were asked for; one of the two "
                                  "is enough.",
                                  plan.data, plan.pipeline, grid_text(plan), plan.chips(), read.space.chips));
    }
    return {};
}

/// The plan whose split is said, with what is left open as it is fastest.
Result<RankedPlan> read_one(const Asked& asked, const PlansAsked& read) {
    const Result<Placed> placement = placement_asked(asked);
    if (!placement) {
        return refuse(placement.error());
    }
    const FixedSplit& split = read.space.fixed;
    Plan plan;
    plan.data = split.data;
    plan.pipeline = split.pipeline;
    plan.tensor1 = split.tensor1;
    plan.tensor2 = split.tensor2;
    plan.micro_batch = std::max(split.micro_batch, std::int64_t{1});
    plan.panels = std::max(split.panels, std::int64_t{1});
    placement->put(plan);
    plan.tensor_overlap = read.space.tensor_overlap;
    plan.data_overlap = read.space.data_overlap;
    if (read.space.strategies.empty()) {
        plan.strategy = TensorStrategy::of_algorithm;
        plan.algorithm = read.space.algorithms.front();
    } else {
        plan.strategy = read.space.strategies.front();
    }
    if (const Result<void> sound = has_one_strategy(asked, read, plan); !sound) {
        return refuse(sound.error());
    }
    if (read.model.torus() && asked.has("placement")) {
        return refuse(fmt::format("{} applies to fast domains, and {} is a torus; without it the fastest way "
                                  "to lay the groups along its axes is taken.",
                                  asked.called("placement"), read.model.cluster_name()));
    }
    if (const Result<void> sound = has_its_chips(read, plan); !sound) {
        return refuse(sound.error());
    }
    plan.shard = split.shard;
    std::optional<Result<RankedPlan>> best;
    for (const std::int64_t experts : expert_sizes(read.model.run(), read.space, plan.strategy)) {
        if (split.experts == 0 && plan.data % experts != 0) {
            continue;
        }
        plan.experts = experts;
        for (const ContextExchange context : read.space.contexts) {
            plan.context = context;
            Result<RankedPlan> found = fastest_plan(
                read.model, plan, {split.panels == 0, !asked.has("placement"), read.space.choices});
            if (!best || (found && (!*best || plan_before(*found, **best)))) {
                best = std::move(found);
            }
        }
    }
    if (!best) { // of this strategy none has groups of that size
        plan.experts = split.experts;
        return fastest_plan(read.model, plan, {split.panels == 0, !asked.has("placement"), {}});
    }
    return *std::move(best);
}

/// Whether nothing asks for other plans than the one that the scenario has loaded.
bool reads_the_loaded_plan(const Asked& asked) {
    static const std::set<std::string, std::less<>> about_any = {
        "--tokens",         "--rules",   "--simulate",         "--measured-step",
        "--trace",          "--open",    "--fits-memory",      "--ends",
        "--optimizer-step", "--no-ends", "--no-optimizer-step"};
    return asked.scenario->plan.loaded && std::ranges::all_of(asked.said.flags, [](const auto& said) {
               return about_any.contains(said.first);
           });
}

/// The plan of the scenario's file, which has to suit its run.
Result<RankedPlan> read_loaded(const Asked& asked, const PlansAsked& read) {
    const Plan& plan = *asked.scenario->plan.loaded;
    const Result<RankedPlan> sound = read_chosen_plan(ChosenPlan{read.question, plan});
    if (!sound) {
        return refuse(fmt::format("{}: the plan {} does not suit the scenario. {}", asked.said.origin,
                                  text(plan), sound.error().sentence));
    }
    return RankedPlan{plan, read.model.reading(plan, read.model.layer(plan))};
}

/// The answer to what was asked: one plan, or those that a search found.
struct FoundPlans {
    PlansAsked asked;
    bool one = false;
    PlanSearch search = {}; ///< of one plan that one alone
    std::vector<std::string> would_fit = {};
    std::vector<Result<SimulatedTime>> simulated = {}; ///< of the first plans
    ExpectedStep expected = {};                        ///< of the best plan, by measured runs
    std::vector<ExpectedStep> expected_ranked = {};    ///< of all, where an answer lists them
    bool by_expected = false;                          ///< the order of the ranked ones
    std::optional<OwnStep> own = {};                   ///< as the user timed the loaded or the best plan

    [[nodiscard]] bool none() const { return !one && search.feasible == 0; }
    /// The one that the words are about.
    [[nodiscard]] const RankedPlan& best() const { return none() ? search.smallest : search.ranked.front(); }
};

void expect_ranked(FoundPlans& found) {
    found.expected_ranked.clear();
    for (const RankedPlan& one : found.search.ranked) {
        found.expected_ranked.push_back(expected_step(found.asked.question, one.plan));
    }
}

void order_by_expected(FoundPlans& found) {
    expect_ranked(found);
    const std::vector<RankedPlan> plans = found.search.ranked;
    const std::vector<ExpectedStep> expected = found.expected_ranked;
    const std::vector<std::size_t> order = by_expected_time(plans, expected);
    for (std::size_t k = 0; k < order.size(); ++k) {
        found.search.ranked[k] = plans[order[k]];
        found.expected_ranked[k] = expected[order[k]];
    }
}

Result<void> search(FoundPlans& found, const Asked& asked, const RunControl& control) {
    if (found.asked.question.split.fewer_chips || asked.flag("fewer_chips")) {
        const Result<ChipsTaken> taken = chips_taken(found.asked.model, found.asked.space, control);
        if (!taken) {
            return refuse(taken.error());
        }
        found.asked.taken = *taken;
        found.asked.space.chips = found.asked.question.chips = taken->taken;
    }
    const std::size_t top =
        std::max(asked.has("top") ? static_cast<std::size_t>(asked.number("top")) : 10, found.asked.simulate);
    Result<PlanSearch> ranked = search_plans(found.asked.model, found.asked.space, top, control);
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
    if (asked.text("rank") == "expected") {
        found.by_expected = true;
        order_by_expected(found);
    }
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
    const Plan& timed = scenario.plan.loaded.value_or(found.best().plan);
    const ExpectedStep expected = expected_step(found.asked.question, timed);
    if (expected.known()) {
        found.own = own_step(*scenario.planning.measured_step, expected);
        correct_ranked(found);
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
    found.expected = expected_step(found.asked.question, found.best().plan);
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
    if (found.by_expected) {
        values["ranked_by"] = "expected";
        values["not_distinguished"] = Tree::array();
        for (std::size_t k = 0; k < alike_by_expected_time(found.search.ranked, found.expected_ranked); ++k) {
            values["not_distinguished"].push_back(static_cast<std::int64_t>(k + 1));
        }
    }
    for (std::size_t k = 0; !found.one && k < found.expected_ranked.size(); ++k) {
        if (const ExpectedStep& one = found.expected_ranked[k]; one.known()) {
            Tree& its = values["plans"].items()[k];
            its["expected_s"] = one.seconds;
            its["time_low_s"] = one.low;
            its["time_high_s"] = one.high;
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
    return {{"time_s", best.reading.time.total},
            {"flop_utilization", best.reading.utilization},
            {"memory_bytes", best.reading.memory.total()},
            {"fits", best.reading.fits},
            {"chips", best.plan.chips()},
            {"plan", text(best.plan)},
            {"flop", flop_a_token * tokens * static_cast<double>(active_layer_parameters(run.model))},
            {"hbm_bytes", found.asked.model.capacity()}};
}

/// The time of the best plan on other machines, as it is.
TimeOn kept_plan(const FoundPlans& found) {
    return [of = found.asked.model, plan = found.best().plan](const Scenario& other) {
        return PlanModel::of(of.run(), other.hardware, of.rules()).and_then([&](const PlanModel& model) {
            return fastest_plan(model, plan, {}).map([](const RankedPlan& one) {
                return Timed{one.reading.time.total, one.reading.fits};
            });
        });
    };
}

/// Plan after plan the one that is best there.
std::shared_ptr<const SweptQuestion> plan_points(const Workload& workload) {
    SweptQuestion all = timed_points();
    all.numbers = [&workload](const Asked& asked, const RunControl& control) {
        return find_plans(asked, workload, control).map(point_of_plans);
    };
    all.kept = [&workload](const Asked& asked, const RunControl& control) {
        return find_plans(asked, workload, control).map(kept_plan);
    };
    all.columns.insert(all.columns.end(), {"chips", "plan"});
    add_words_column(all, "plan");
    return std::make_shared<const SweptQuestion>(std::move(all));
}

std::vector<Paragraph> words_of(const FoundPlans& found) {
    const PlanModel& model = found.asked.model;
    const double tokens = found.asked.tokens;
    const RankedPlan& best = found.best();
    const std::string headline = plan_headline(model, best, tokens);
    std::string words;
    if (found.one) {
        words = best.reading.fits
                    ? std::string()
                    : fmt::format("Does not fit: it needs {} and a chip has {}.\n",
                                  bytes_text(best.reading.memory.total()), bytes_text(model.capacity()));
        words += headline + ".\n" + expected_lines(found.expected) + own_step_lines(found.own) +
                 plan_details(model, best) + days_note(model, tokens) + bill_lines(bill_of(found));
        if (!found.simulated.empty()) {
            words += "\n" + simulated_text(found.search.ranked, found.simulated);
        }
    } else {
        words = found.none() ? plan_misfit(model, best, found.would_fit) + "\n"
                             : fmt::format("{}; {}.\n", headline, text(best.plan)) +
                                   expected_lines(found.expected) + own_step_lines(found.own);
        words += "\n" + ranked_plans(model, found.search, found.expected_ranked,
                                     found.by_expected ? "ideal time against plan 1" : "why it is behind");
        if (const std::string order = found.by_expected
                                          ? by_expected_time_words(found.search.ranked, found.expected_ranked)
                                          : fastest_expected_words(found.expected_ranked);
            !order.empty()) {
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
        words += days_note(model, tokens) + plan_details(model, best) + bill_lines(bill_of(found));
    }
    return {{std::move(words)}};
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
    if (!found->by_expected) {
        expect_ranked(*found);
        correct_ranked(*found);
    }
    const PlanModel& model = found->asked.model;
    Answer answer{values_of(*found), plan_headline(model, found->best(), found->asked.tokens),
                  fmt::format("{} on {}", model.run().model.title, model.hardware().title)};
    answer.words = words_of(*found);
    answer.tables.push_back(
        NamedTable::of("plans", plan_table(model, found->search.ranked, found->asked.tokens)));
    if (found->best().plan.experts > 1) {
        answer.tables.push_back(NamedTable::of("experts", expert_traffic_table(model, found->best().plan)));
    }
    const PlanAnswer shown{found->asked.question, model.capacity(), found->search, found->would_fit, {}};
    answer.charts.push_back({"plans", plan_bars(shown)});
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
