#include "app/command.h"
#include "app/commands/plan_flags.h"
#include "app/output_file.h"
#include "app/plan_simulation.h"
#include "app/plan_words.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/plan/search/loaded_plan.h"
#include "core/plan/search/plan_search.h"
#include "core/report/csv.h"
#include "core/report/plan_table.h"
#include "core/scenario/planning.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_top = 1'000'000;

/// `meshslice plan`: how to split a whole training run over a cluster.
class PlanCommand final : public Command, private PlanFlags {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Plans a whole training run: data x pipeline x tensor parallel, placed and fitted into memory";
    }

    void declare(CLI::App& flags) override { PlanFlags::declare(flags); }

    [[nodiscard]] Result<Printed> run() const override {
        if (scenario_.empty() && variant_.empty()) {
            return run_given();
        }
        const Result<Scenario> scenario = scenario_of_file(scenario_, variant_);
        const Result<PlanQuestion> question = scenario ? plan_question(*scenario) : refuse(scenario.error());
        if (!question) {
            return refuse(question.error());
        }
        PlanCommand changed;
        static_cast<PlanFlags&>(changed) = *this;
        if (scenario->plan.loaded && asks_for_no_other()) {
            changed.loaded_ = *scenario->plan.loaded;
        }
        changed.scenario_model_ = question->model;
        const auto fill = [](std::string& words, const auto& value) {
            words = words.empty() ? fmt::format("{}", value) : words;
        };
        fill(changed.sequence_, question->sequence);
        fill(changed.batch_, question->batch);
        fill(changed.cluster_, question->planning.cluster);
        fill(changed.chips_, question->planning.chips);
        fill(changed.strategy_, question->split.strategy);
        if (question->planning.tokens) {
            fill(changed.tokens_, *question->planning.tokens);
        }
        const auto fix = [&](std::string& words, const std::string& value) {
            if (value != "any") {
                fill(words, value);
            }
        };
        fix(changed.schedule_, question->split.schedule);
        fix(changed.recompute_, question->split.recompute);
        fix(changed.zero_, question->split.zero);
        Result<Printed> answer = changed.run_given();
        const bool other_flags =
            !csv_.empty() || !trace_.empty() || !simulate_.empty() || !tokens_.empty() || rules_ != "exact";
        if (!answer && asks_for_no_other() && !other_flags) { // So what is wrong stands in the file.
            return refuse(fmt::format("{}: {}", scenario_, answer.error().sentence));
        }
        if (answer && !json_ && cluster_.empty() && scenario->planning == Planning{} &&
            scenario->plan.split == SplitAsked{}) {
            answer->text +=
                fmt::format("{} says no cluster to plan for, so {} chips of {} were taken; --cluster and "
                            "--chips say others.\n",
                            scenario_, scenario->planning.chips, scenario->planning.cluster);
        }
        return answer;
    }

  private:
    [[nodiscard]] Result<Printed> run_given() const {
        const Result<TensorGrid> grid = tensor_.empty() ? TensorGrid{0, 0} : parse_grid(tensor_);
        if (!grid) {
            return refuse(grid.error());
        }
        const bool one = !data_.empty() && !pipeline_.empty() && grid->tensor1 > 0 && grid->tensor2 > 0;
        for (const auto& [flag, words] :
             {std::pair("--micro-batch", &micro_batch_), std::pair("--panels", &panels_),
              std::pair("--placement", &placement_)}) {
            if (!one && !words->empty()) {
                return refuse(fmt::format(
                    "{} is of one plan, so all of --dp, --pp and --tp are needed, such as --dp 32 "
                    "--pp 64 --tp 8x1.",
                    flag));
            }
        }
        if (const auto kept = keeps_what_is_read({scenario_, model_, cluster_}, {csv_, trace_}); !kept) {
            return refuse(kept.error());
        }
        if (!open_.empty() && trace_.empty()) {
            return refuse("--open says what --trace writes; give both.");
        }
        if (one && !top_.empty()) {
            return refuse("--top is of a search, and --dp, --pp and --tp together say one plan; without one "
                          "of these four it works.");
        }
        const Result<std::int64_t> top = number_after("--top", top_.empty() ? "10" : top_, 1, most_top);
        if (!top) {
            return refuse(top.error());
        }
        const auto simulated = number_after("--simulate", simulate_.empty() ? "1" : simulate_, 1, most_top);
        if (!simulated) {
            return refuse(simulated.error());
        }
        if (!tokens_.empty()) {
            if (const auto sound = tokens(); !sound) {
                return refuse(sound.error());
            }
        }
        return choices(one).and_then([&](const PlanChoices& choices) {
            return model().and_then([&](const PlanModel& model) {
                return loaded_ ? read_loaded(model)
                       : one   ? read_one(model, choices)
                               : search(model, choices,
                                        static_cast<std::size_t>(
                                          simulate_.empty() ? *top : std::max(*top, *simulated)));
            });
        });
    }

    /// The plan of the scenario's file, which has to suit its run.
    [[nodiscard]] Result<Printed> read_loaded(const PlanModel& model) const {
        PlanQuestion question{model.run().model, model.run().sequence, model.run().batch, {}, {}};
        question.planning.cluster = cluster_;
        question.planning.chips = *parse_count(chips_);
        question.split.strategy = strategy_;
        const Result<RankedPlan> sound = read_chosen_plan(ChosenPlan{question, *loaded_});
        if (!sound) {
            return refuse(fmt::format("{}: the plan {} does not suit the scenario. {}", scenario_,
                                      text(*loaded_), sound.error().sentence));
        }
        return told(model, {*loaded_, model.reading(*loaded_, model.layer(*loaded_))});
    }

    [[nodiscard]] Result<Printed> read_one(const PlanModel& model, const PlanChoices& choices) const {
        Plan plan;
        plan.tensor_overlap = tensor_overlap_;
        plan.data_overlap = !no_data_overlap_;
        const auto fixed = fixed_split();
        const auto number = [](const char* flag, const std::string& words) {
            return words.empty() ? Result<std::int64_t>(1) : number_after(flag, words, 1, most_planned_chips);
        };
        const auto micro_batch =
            fixed ? number("--micro-batch", micro_batch_) : Result<std::int64_t>(refuse(fixed.error()));
        const auto panels = micro_batch ? number("--panels", panels_) : micro_batch;
        const auto placement = !panels              ? Result<Placement>(refuse(panels.error()))
                               : placement_.empty() ? Result<Placement>(Placement{})
                                                    : parse_placement(placement_);
        const auto strategy = placement ? strategies(model) : refuse(placement.error());
        if (!strategy) {
            return refuse(strategy.error());
        }
        plan.data = fixed->data;
        plan.pipeline = fixed->pipeline;
        plan.tensor1 = fixed->tensor1;
        plan.tensor2 = fixed->tensor2;
        plan.micro_batch = *micro_batch;
        plan.panels = *panels;
        plan.placement = *placement;
        const bool several = strategy->strategies.size() + strategy->algorithms.size() > 1;
        if (several && (plan.tensor2 > 1 || !panels_.empty())) {
            const std::string_view which = model.torus()     ? "meshslice or another of its algorithms"
                                           : panels_.empty() ? "2d or --strategy summa"
                                                             : "summa";
            return refuse(
                fmt::format("The plan does not say how its grid of {} splits GEMMs; --strategy {} says it.",
                            grid_text(plan), which));
        }
        if (model.torus() && !placement_.empty()) {
            return refuse(fmt::format("--placement is of fast domains, and {} is a torus; without it the "
                                      "fastest way to lay the groups along its axes is taken.",
                                      model.cluster_name()));
        }
        if (strategy->strategies.empty()) {
            plan.strategy = TensorStrategy::of_algorithm;
            plan.algorithm = strategy->algorithms.front();
        } else {
            plan.strategy = strategy->strategies.front();
        }
        if (plan.data > most_planned_chips / plan.pipeline / plan.tensor1 / plan.tensor2) {
            return refuse(
                fmt::format("The plan has more than {} chips; fewer were expected.", most_planned_chips));
        }
        if (!chips_.empty()) {
            const auto chips = number_after("--chips", chips_, 1, most_planned_chips);
            if (!chips) {
                return refuse(chips.error());
            }
            if (*chips != plan.chips()) {
                return refuse(
                    fmt::format("The plan {} x {} x {} has {} chips and {} were asked for; one of the two is "
                                "enough.",
                                plan.data, plan.pipeline, grid_text(plan), plan.chips(), *chips));
            }
        }
        return fastest_plan(model, plan, {panels_.empty(), placement_.empty(), choices})
            .and_then([&](const RankedPlan& read) { return told(model, read); });
    }

    [[nodiscard]] Result<Printed> told(const PlanModel& model, const RankedPlan& read) const {
        const std::string memory = bytes_text(read.reading.memory.total());
        const std::string capacity = bytes_text(model.capacity());
        if (fits_ && !read.reading.fits) {
            return refuse(plain_spaces(
                fmt::format("The plan {} needs {} and a chip has {}.", text(read.plan), memory, capacity)));
        }
        const auto simulated = simulate(model, {read});
        if (!simulated || (!simulated->empty() && !simulated->front())) {
            return refuse(!simulated ? simulated.error() : simulated->front().error());
        }
        if (const auto written = write_files(model, {read}); !written) {
            return refuse(written.error());
        }
        if (json_) {
            return Printed{plan_json(model, read, *simulated, *tokens())};
        }
        std::string words = read.reading.fits ? std::string()
                                              : fmt::format("Does not fit: it needs {} and a chip has {}.\n",
                                                            memory, capacity);
        words += plan_headline(model, read, *tokens()) + ".\n" + plan_details(model, read) +
                 days_note(model, *tokens());
        if (!simulated->empty()) {
            words += "\n" + simulated_text({read}, *simulated);
        }
        return Printed{plain_spaces(words)};
    }

    /// As many of the first plans as --simulate says.
    [[nodiscard]] Result<std::vector<Result<SimulatedTime>>>
    simulate(const PlanModel& model, const std::vector<RankedPlan>& plans) const {
        const std::size_t count = simulate_.empty() ? 0 : static_cast<std::size_t>(*parse_count(simulate_));
        return simulated_plans(model, plans, count);
    }

    /// Once nothing else can be refused: the trace of the first plan and the table of all.
    [[nodiscard]] Result<void> write_files(const PlanModel& model,
                                           const std::vector<RankedPlan>& plans) const {
        if (!trace_.empty()) {
            if (const auto written = write_plan_trace(model, plans.front().plan, trace_, open_); !written) {
                return written;
            }
        }
        if (csv_.empty()) {
            return {};
        }
        return write_file(csv_, [&](std::ostream& out) { out << csv(plan_table(model, plans, *tokens())); });
    }

    [[nodiscard]] Result<Printed> search(const PlanModel& model, const PlanChoices& choices,
                                         std::size_t top) const {
        const auto chips = number_after("--chips", chips_.empty() ? "1024" : chips_, 1, most_planned_chips);
        const auto chosen = chips ? strategies(model) : refuse(chips.error());
        const auto fixed = chosen ? fixed_split() : refuse(chosen.error());
        if (!fixed) {
            return refuse(fixed.error());
        }
        PlanSpace space = *chosen;
        space.fixed = *fixed;
        space.chips = *chips;
        space.choices = choices;
        space.tensor_overlap = tensor_overlap_;
        space.data_overlap = !no_data_overlap_;
        ProgressLine progress("Planning");
        Result<PlanSearch> found = search_plans(model, space, top, {{}, progress.share()});
        if (!found) {
            return refuse(found.error());
        }
        const bool none = found->feasible == 0;
        const std::vector<std::string> ways =
            none ? what_would_fit(model, space) : std::vector<std::string>();
        if (none && fits_) {
            return refuse(plan_misfit(model, found->smallest, ways));
        }
        if (fits_) {
            std::erase_if(found->ranked, [](const RankedPlan& one) { return !one.reading.fits; });
        }
        const auto simulated = simulate(model, found->ranked);
        if (!simulated) {
            return refuse(simulated.error());
        }
        if (const auto written = write_files(model, found->ranked); !written) {
            return refuse(written.error());
        }
        if (json_) {
            return Printed{plan_search_json(model, *found, *simulated, *tokens(), ways)};
        }
        std::string words =
            none ? plan_misfit(model, found->smallest, ways) + "\n"
                 : fmt::format("{}; {}.\n", plan_headline(model, found->ranked.front(), *tokens()),
                               text(found->ranked.front().plan));
        words += fmt::format("\n{}", ranked_plans(model, *found));
        if (!simulated->empty()) {
            words += "\n" + simulated_text(found->ranked, *simulated) + "\n";
        }
        words += fmt::format("{}, {} of which fit{}. Placement: {}.\n",
                             count_text(found->candidates, "plan", "plans"), found->feasible,
                             found->feasible == 1 ? "s" : "",
                             model.torus() ? "chips of each group along the axes of the torus"
                                           : "chips of tp1, tp2, dp and pp in one fast domain");
        words += days_note(model, *tokens());
        words += plan_details(model, none ? found->smallest : found->ranked.front());
        return Printed{plain_spaces(words)};
    }
};

} // namespace

std::unique_ptr<Command> plan_command() {
    return std::make_unique<PlanCommand>();
}

} // namespace meshslice
