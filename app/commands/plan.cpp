#include "app/command.h"
#include "app/output_file.h"
#include "app/plan_simulation.h"
#include "app/plan_words.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/plan/loaded_plan.h"
#include "core/plan/plan_search.h"
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

Result<std::int64_t> number_after(const char* flag, const std::string& words, std::int64_t least,
                                  std::int64_t most) {
    const Result<std::int64_t> value = parse_count(words);
    if (!value || *value < least || *value > most) {
        return refuse(fmt::format("{} is \"{}\"; a whole number from {} to {} was expected.", flag,
                                  shortened(words), least, most));
    }
    return value;
}

/// "8x1", or "8" of a grid of one side.
Result<TensorGrid> parse_grid(const std::string& words) {
    const std::size_t by = words.find('x');
    const Result<std::int64_t> first = parse_whole(words.substr(0, by));
    const Result<std::int64_t> second =
        by == std::string::npos ? Result<std::int64_t>(1) : parse_whole(words.substr(by + 1));
    if (!first || !second || *first < 1 || *second < 1 || *first > most_planned_chips ||
        *second > most_planned_chips) {
        return refuse(
            fmt::format("--tp is \"{}\"; the sides of a tensor-parallel grid were expected, such as 8x1.",
                        shortened(words)));
    }
    return TensorGrid{*first, *second};
}

/// "8,1,1,1"
Result<Placement> parse_placement(const std::string& words) {
    std::array<std::int64_t, 4> near{};
    std::size_t begin = 0;
    bool sound = true;
    for (std::size_t k = 0; k < near.size(); ++k) {
        const std::size_t end = words.find(',', begin);
        const bool last = k + 1 == near.size();
        const Result<std::int64_t> value = parse_whole(words.substr(begin, end - begin));
        sound = sound && value && *value >= 1 && last == (end == std::string::npos);
        near[k] = value.value_or(0);
        begin = end == std::string::npos ? words.size() : end + 1;
    }
    if (!sound) {
        return refuse(
            fmt::format("--placement is \"{}\"; how many chips of the two tensor-parallel groups, the "
                        "data-parallel group and the pipeline stand in one fast domain was expected, such "
                        "as 8,1,1,1.",
                        shortened(words)));
    }
    return Placement{near[0], near[1], near[2], near[3]};
}

/// As typed; empty where a flag was not given.
struct PlanFlags {
    std::string scenario_, variant_;
    std::string model_, tokens_, sequence_, cluster_, chips_, batch_, strategy_, rules_ = "exact", top_, csv_,
                                                                                 simulate_, trace_;
    std::string data_, pipeline_, tensor_, micro_batch_, panels_, placement_;
    std::string schedule_, recompute_, zero_;
    std::optional<Transformer> scenario_model_; ///< of the scenario's file
    std::optional<Plan> loaded_;                ///< likewise, where nothing else is asked for
    bool fits_ = false, json_ = false, tensor_overlap_ = false, no_data_overlap_ = false, ends_ = false,
         optimizer_step_ = false;
};

/// `meshslice plan`: how to split a whole training run over a cluster.
class PlanCommand final : public Command, private PlanFlags {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Plans a whole training run: data x pipeline x tensor parallel, placed and fitted into memory";
    }

    void declare(CLI::App& flags) override {
        const auto option = [&](const char* flag, std::string& words, const char* help) {
            flags.add_option(flag, words, help)->type_name("");
        };
        option(
            "--scenario", scenario_,
            "FILE: a scenario or project file, whose run is planned; the other flags change it. A plan that "
            "it has loaded is read, where no flag asks for others");
        option("--variant", variant_,
               "NAME|N|A|B: which variant of a project file; else the one that was shown last");
        option("--model", model_, "NAME|FILE.json: the model (default gpt3-1t)");
        option("--sequence", sequence_, "N: tokens of one sample (default: the model's own)");
        option("--cluster", cluster_, "NAME|FILE.json: chips and network (default b200-nvs8)");
        option("--chips", chips_, "N: chips (default 1024, or those of one plan)");
        option("--batch", batch_, "N: samples of one step, of all chips (default 4096)");
        option(
            "--strategy", strategy_,
            "1d|2d|summa|all: how products are split over a group; on a torus 1d|meshslice|wang|collective|"
            "summa|cannon|all (default all)");
        option("--tokens", tokens_, "N: of a whole training, such as 1T or 300e9: says its days too");
        option("--rules", rules_, "exact|reference: right, or as published (default exact)");
        option("--top", top_, "N: plans of a search to show (default 10)");
        flags.add_flag("--fits-memory", fits_, "Only plans that fit into the chips' memory");
        option("--csv", csv_, "FILE: writes the shown plans as CSV");
        flags.add_flag("--json", json_, "Prints JSON for programs");
        option("--simulate", simulate_,
               "N: simulates the pipelines of the first N plans, pass by pass, and shows at least so many");
        option("--trace", trace_, "FILE: writes the pipeline of the first plan for Perfetto (Chrome trace)");
        option("--dp", data_,
               "N: data-parallel size of one plan, which is read instead of a search (default 1)");
        option("--pp", pipeline_, "N: pipeline stages of one plan (default 1)");
        option("--tp", tensor_, "M1xM2: tensor-parallel grid of one plan (default 1x1)");
        option("--micro-batch", micro_batch_, "N: samples of a micro-batch of one plan (default 1)");
        option("--panels", panels_, "N: panels of one SUMMA plan (default: the fastest)");
        option("--placement", placement_,
               "TP1,TP2,DP,PP: of both sides of the tensor grid, of the data-parallel group and of the "
               "pipeline, "
               "the chips in one fast domain (default: the fastest)");
        option("--schedule", schedule_,
               "any, or a list of 1f1b|interleaved|interleaved:V|gpipe: of the pipeline; interleaved tries "
               "every number V of chunks, any this and 1f1b (default any; of one plan or by published rules "
               "1f1b)");
        option("--recompute", recompute_,
               "any, or a list of none|attention|full: in the backward pass (default any; else none)");
        option("--zero", zero_,
               "any, or a list of 0|1|2|3: what data-parallel chips share (default any; else 1)");
        flags.add_flag("--overlap-tensor", tensor_overlap_, "GEMMs hide their tensor-parallel communication");
        flags.add_flag("--no-overlap-data", no_data_overlap_, "Nothing hides data-parallel communication");
        flags.add_flag("--ends", ends_, "Counts embedding, output head and loss too");
        flags.add_flag("--optimizer-step", optimizer_step_, "Counts the optimizer's step too");
    }

    [[nodiscard]] Result<Answer> run() const override {
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
        if (scenario->plan && asks_for_no_other()) {
            changed.loaded_ = *scenario->plan;
        }
        changed.scenario_model_ = question->model;
        const auto fill = [](std::string& words, const auto& value) {
            words = words.empty() ? fmt::format("{}", value) : words;
        };
        fill(changed.sequence_, question->sequence);
        fill(changed.batch_, question->batch);
        fill(changed.cluster_, question->planning.cluster);
        fill(changed.chips_, question->planning.chips);
        fill(changed.strategy_, question->planning.strategy);
        const auto fix = [&](std::string& words, const std::string& value) {
            if (value != "any") {
                fill(words, value);
            }
        };
        fix(changed.schedule_, question->planning.schedule);
        fix(changed.recompute_, question->planning.recompute);
        fix(changed.zero_, question->planning.zero);
        Result<Answer> answer = changed.run_given();
        if (answer && !json_ && cluster_.empty() && scenario->planning == Planning{}) {
            answer->text +=
                fmt::format("{} says no cluster to plan for, so {} chips of {} were taken; --cluster and "
                            "--chips say others.\n",
                            scenario_, scenario->planning.chips, scenario->planning.cluster);
        }
        return answer;
    }

  private:
    /// No flag says what to plan.
    [[nodiscard]] bool asks_for_no_other() const {
        const std::string* const flags[] = {
            &model_,    &sequence_, &cluster_,     &chips_,  &batch_,     &strategy_, &top_,       &data_,
            &pipeline_, &tensor_,   &micro_batch_, &panels_, &placement_, &schedule_, &recompute_, &zero_};
        return std::ranges::all_of(flags, [](const std::string* words) { return words->empty(); }) &&
               !tensor_overlap_ && !no_data_overlap_;
    }

    [[nodiscard]] Result<Answer> run_given() const {
        const bool one = !data_.empty() || !pipeline_.empty() || !tensor_.empty();
        for (const auto& [flag, words] :
             {std::pair("--micro-batch", &micro_batch_), std::pair("--panels", &panels_),
              std::pair("--placement", &placement_)}) {
            if (!one && !words->empty()) {
                return refuse(
                    fmt::format("{} is of one plan, so --dp, --pp and --tp are needed, such as --dp 32 "
                                "--pp 64 --tp 8x1.",
                                flag));
            }
        }
        if (const auto kept = keeps_what_is_read({scenario_, model_, cluster_}, {csv_, trace_}); !kept) {
            return refuse(kept.error());
        }
        if (one && !top_.empty()) {
            return refuse("--top is of a search, and --dp, --pp and --tp say one plan; without one of the "
                          "two it works.");
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

    /// Of the whole training; 0 where it is not said.
    [[nodiscard]] Result<double> tokens() const {
        constexpr double most = 1e18;
        if (tokens_.empty()) {
            return 0;
        }
        const Result<double> value = parse_quantity(tokens_, "");
        if (!value || !(*value >= 1) || *value > most) {
            return refuse(fmt::format("--tokens is \"{}\"; a number from 1 to 1E was expected, such as 1T.",
                                      shortened(tokens_)));
        }
        return value;
    }

    [[nodiscard]] Result<PlanModel> model() const {
        const Result<ModelRules> rules = parse_model_rules(rules_);
        const Result<Transformer> model = !rules ? refuse(rules.error())
                                          : scenario_model_ && model_.empty()
                                              ? Result<Transformer>(*scenario_model_)
                                              : named_model(model_.empty() ? "gpt3-1t" : model_);
        const Result<Hardware> cluster =
            model ? named_cluster(cluster_.empty() ? "b200-nvs8" : cluster_) : refuse(model.error());
        const Result<std::int64_t> sequence =
            !cluster            ? refuse(cluster.error())
            : sequence_.empty() ? Result<std::int64_t>(0)
                                : number_after("--sequence", sequence_, 1, std::int64_t{1} << 31);
        const Result<std::int64_t> batch =
            sequence ? number_after("--batch", batch_.empty() ? "4096" : batch_, 1, std::int64_t{1} << 24)
                     : refuse(sequence.error());
        if (!batch) {
            return refuse(batch.error());
        }
        Result<TrainingRun> run = training_run(*model, *sequence, *batch);
        if (!run) {
            return refuse(fmt::format("{}{}", run.error().sentence,
                                      *sequence == 0 && model->sequence == 0 ? " --sequence says it." : ""));
        }
        run->ends = ends_;
        run->optimizer_step = optimizer_step_;
        if (ends_ && run->model.vocabulary == 0) {
            return refuse(
                fmt::format("{} says no vocabulary, which --ends needs; without --ends it can be planned.",
                            run->model.title));
        }
        return PlanModel::of(*run, *cluster, *rules);
    }

    /// What is not said is any of a search by exact rules, and as published of others and of one plan.
    [[nodiscard]] Result<PlanChoices> choices(bool one) const {
        const bool any = !one && rules_ == name(ModelRules::exact);
        const auto words = [&](const std::string& given, const char* published) {
            return !given.empty() ? given : std::string(any ? "any" : published);
        };
        return plan_choices({words(schedule_, "1f1b"), words(recompute_, "none"), words(zero_, "1")});
    }

    /// With the strategies that were asked for.
    [[nodiscard]] Result<PlanSpace> strategies(const PlanModel& model) const {
        PlanSpace space;
        if (const auto set = set_strategies(space, strategy_.empty() ? "all" : strategy_, model.torus());
            !set) {
            return refuse(set.error());
        }
        return space;
    }

    /// The plan of the scenario's file, which has to suit its run.
    [[nodiscard]] Result<Answer> read_loaded(const PlanModel& model) const {
        PlanQuestion question{model.run().model, model.run().sequence, model.run().batch, {}};
        question.planning.cluster = cluster_;
        question.planning.chips = *parse_count(chips_);
        question.planning.strategy = strategy_;
        const Result<RankedPlan> sound = read_plan(ChosenPlan{question, *loaded_});
        if (!sound) {
            return refuse(fmt::format("{}: the plan {} does not suit the scenario. {}", scenario_,
                                      text(*loaded_), sound.error().sentence));
        }
        return told(model, {*loaded_, model.reading(*loaded_, model.layer(*loaded_))});
    }

    [[nodiscard]] Result<Answer> read_one(const PlanModel& model, const PlanChoices& choices) const {
        Plan plan;
        plan.tensor_overlap = tensor_overlap_;
        plan.data_overlap = !no_data_overlap_;
        const auto number = [](const char* flag, const std::string& words) {
            return words.empty() ? Result<std::int64_t>(1) : number_after(flag, words, 1, most_planned_chips);
        };
        const auto data = number("--dp", data_);
        const auto pipeline = data ? number("--pp", pipeline_) : data;
        const auto micro_batch = pipeline ? number("--micro-batch", micro_batch_) : pipeline;
        const auto panels = micro_batch ? number("--panels", panels_) : micro_batch;
        const auto grid = !panels           ? Result<TensorGrid>(refuse(panels.error()))
                          : tensor_.empty() ? Result<TensorGrid>(TensorGrid{})
                                            : parse_grid(tensor_);
        const auto placement = !grid                ? Result<Placement>(refuse(grid.error()))
                               : placement_.empty() ? Result<Placement>(Placement{})
                                                    : parse_placement(placement_);
        const auto strategy = placement ? strategies(model) : refuse(placement.error());
        if (!strategy) {
            return refuse(strategy.error());
        }
        plan.data = *data;
        plan.pipeline = *pipeline;
        plan.tensor1 = grid->tensor1;
        plan.tensor2 = grid->tensor2;
        plan.micro_batch = *micro_batch;
        plan.panels = *panels;
        plan.placement = *placement;
        const bool several = strategy->strategies.size() + strategy->algorithms.size() > 1;
        if (several && (plan.tensor2 > 1 || !panels_.empty())) {
            const std::string_view which = model.torus()     ? "meshslice or another of its algorithms"
                                           : panels_.empty() ? "2d or --strategy summa"
                                                             : "summa";
            return refuse(fmt::format(
                "The plan does not say how its grid of {} splits products; --strategy {} says it.",
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

    [[nodiscard]] Result<Answer> told(const PlanModel& model, const RankedPlan& read) const {
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
            return Answer{plan_json(model, read, *simulated, *tokens())};
        }
        std::string words = read.reading.fits ? std::string()
                                              : fmt::format("Does not fit: it needs {} and a chip has {}.\n",
                                                            memory, capacity);
        words += plan_headline(model, read, *tokens()) + ".\n" + plan_details(model, read) +
                 days_note(model, *tokens());
        if (!simulated->empty()) {
            words += "\n" + simulated_text({read}, *simulated);
        }
        return Answer{plain_spaces(words)};
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
            if (const auto written = write_plan_trace(model, plans.front().plan, trace_); !written) {
                return written;
            }
        }
        if (csv_.empty()) {
            return {};
        }
        return write_file(csv_, [&](std::ostream& out) { out << csv(plan_table(model, plans, *tokens())); });
    }

    [[nodiscard]] Result<Answer> search(const PlanModel& model, const PlanChoices& choices,
                                        std::size_t top) const {
        const auto chips = number_after("--chips", chips_.empty() ? "1024" : chips_, 1, most_planned_chips);
        const auto chosen = chips ? strategies(model) : refuse(chips.error());
        if (!chosen) {
            return refuse(chosen.error());
        }
        PlanSpace space = *chosen;
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
            none && (fits_ || !json_) ? what_would_fit(model, space) : std::vector<std::string>();
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
            return Answer{plan_search_json(model, *found, *simulated, *tokens())};
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
        return Answer{plain_spaces(words)};
    }
};

} // namespace

std::unique_ptr<Command> plan_command() {
    return std::make_unique<PlanCommand>();
}

} // namespace meshslice
