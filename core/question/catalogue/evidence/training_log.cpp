// How fast a training run was, as its program logged it, next to what a plan says.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/evidence/measured_scenario.h"
#include "core/evidence/own_step.h"
#include "core/import/log_readings.h"
#include "core/question/catalogue/evidence/predicted_step.h"
#include "core/question/catalogue/questions.h"
#include "core/report/csv.h"
#include "core/report/summary/own_step_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using LogLines = std::vector<std::vector<std::string>>;
using FlagWords = std::vector<std::pair<std::string, std::string>>;

std::string schedule_of(const TrainingLog& log, std::int64_t pipeline) {
    const std::int64_t layers = log.whole("num_layers").value_or(0);
    const std::int64_t each = log.whole("num_layers_per_virtual_pipeline_stage").value_or(0);
    const std::int64_t chunks = log.whole("virtual_pipeline_model_parallel_size")
                                    .value_or(each > 0 && pipeline > 0 ? layers / pipeline / each : 1);
    return pipeline > 1 && chunks > 1 ? fmt::format("interleaved:{}", chunks) : "1f1b";
}

std::string zero_of(const TrainingLog& log) {
    const std::string sharding = log.word("data_parallel_sharding_strategy");
    return sharding == "optim_grads_params"                  ? "3"
           : sharding == "optim_grads"                       ? "2"
           : log.word("use_distributed_optimizer") == "True" ? "1"
                                                             : "0";
}

/// Tensor, pipeline and context parallelism, and the chips of each that are left for data; 0: they do not
/// divide.
std::int64_t data_of(std::int64_t chips, std::initializer_list<std::int64_t> sizes) {
    for (const std::int64_t size : sizes) {
        chips = size > 0 && chips % size == 0 ? chips / size : 0;
    }
    return chips;
}

/// How a part of a sequence sees the others; Megatron-LM's own word, and its default.
std::string context_of(const TrainingLog& log) {
    const std::string by = log.word("cp_comm_type");
    return by.find("all_gather") != std::string::npos || by.find("allgather") != std::string::npos ? "gather"
           : by.find("a2a") != std::string::npos ? "all-to-all"
                                                 : "ring";
}

/// Our flags for what the log's arguments say; only the batch where it lists none.
FlagWords flags_of(const TrainingLog& log, const SteadySteps& steady) {
    FlagWords flags;
    const auto add = [&](const char* flag, const std::optional<std::int64_t>& value) {
        if (value) {
            flags.emplace_back(flag, std::to_string(*value));
        }
    };
    add("--batch", steady.batch > 0 ? std::optional(steady.batch) : log.whole("global_batch_size"));
    add("--chips", log.whole("world_size"));
    add("--sequence", log.whole("seq_length"));
    const std::int64_t tensor = log.whole("tensor_model_parallel_size").value_or(0);
    const std::int64_t pipeline = log.whole("pipeline_model_parallel_size").value_or(0);
    const std::int64_t context = log.whole("context_parallel_size").value_or(1);
    const std::int64_t chips = log.whole("world_size").value_or(0);
    if (const std::int64_t data = data_of(chips, {tensor, pipeline, context}); data > 0) {
        flags.emplace_back("--strategy", context > 1 ? "2d" : "1d");
        add("--dp", data);
        add("--pp", pipeline);
        flags.emplace_back("--tp", fmt::format("{}x{}", tensor, context));
        if (context > 1) {
            flags.emplace_back("--context", context_of(log));
        }
        add("--micro-batch", log.whole("micro_batch_size"));
        if (log.whole("expert_model_parallel_size").value_or(1) > 1) {
            add("--ep", log.whole("expert_model_parallel_size"));
        }
        flags.emplace_back("--schedule", schedule_of(log, pipeline));
        flags.emplace_back("--zero", zero_of(log));
        const std::string recompute = log.word("recompute_granularity");
        flags.emplace_back("--recompute", recompute == "full"        ? "full"
                                          : recompute == "selective" ? "attention"
                                                                     : "none");
    }
    return flags;
}

/// What was asked, with the log's own words for flags that were not said. Keeps the scenario.
struct FilledPlan {
    Asked asked;
    std::optional<Scenario> scenario = {};
    FlagWords taken = {}; ///< from the log
};
Result<FilledPlan> with_flags_of(Asked its, const FlagWords& flags) {
    FilledPlan made{std::move(its)};
    if (made.asked.said.file || !made.asked.said.read) {
        return made;
    }
    SaidFields::Flags instead;
    for (const auto& [flag, words] : flags) {
        if (!made.asked.said.has(flag)) {
            instead[flag] = words;
            made.asked.said.flags[flag] = words;
            made.taken.emplace_back(flag, words);
        }
    }
    Result<Scenario> scenario = made.asked.said.read(instead);
    if (!scenario) {
        return refuse(say("What the log says does not make a plan: {}", scenario.error().sentence));
    }
    made.scenario = *std::move(scenario);
    return made;
}

struct LoggedRun {
    std::string file;
    TrainingLog log;
    SteadySteps steady = {};
    FlagWords flags = {}, taken = {};
    std::optional<PredictedStep> predicted = {};

    [[nodiscard]] ComparedNumber step() const {
        ComparedNumber made{said("step"), steady.median};
        if (predicted && predicted->expected.known()) {
            made.expected = predicted->expected.seconds;
            made.low = predicted->expected.low;
            made.high = predicted->expected.high;
        } else if (predicted) {
            made.expected = predicted->parts.seconds;
        }
        return made;
    }
    [[nodiscard]] std::optional<OwnStep> own() const {
        return predicted && predicted->expected.known()
                   ? std::optional(own_step(steady.median, predicted->expected))
                   : std::nullopt;
    }
};

std::string headline_of(const LoggedRun& run) {
    if (!run.predicted) {
        return say("Measured: {} a step, the median of {} lines; eight of ten take {} to {}.",
                   seconds_text(run.steady.median), run.steady.steps.size(), seconds_text(run.steady.low),
                   seconds_text(run.steady.high));
    }
    return say("Measured: a step takes {}.", compared_words(run.step(), seconds_text));
}

/// Model FLOP utilization as measured and as expected, by each convention.
LogLines utilization_lines(const LoggedRun& run) {
    LogLines lines;
    if (!run.predicted) {
        return lines;
    }
    const double peak = run.predicted->question.machine.peak_rate(DataType::bf16).value();
    const double expected = run.step().expected;
    for (const CountedFlop& one : counted_flop(run.predicted->question, run.predicted->plan)) {
        lines.push_back({one.name, percent_text(one.flop / run.steady.median / peak),
                         percent_text(one.flop / expected / peak)});
    }
    return lines;
}

std::string joined_flags(const FlagWords& flags) {
    std::string words;
    for (const auto& [flag, value] : flags) {
        words += fmt::format("{}{} {}", words.empty() ? "" : " ", flag, value);
    }
    return words;
}

/// What the log says of the model and the run that the plan does not have.
std::vector<std::string> differences(const LoggedRun& run) {
    std::vector<std::string> found;
    if (!run.predicted) {
        return found;
    }
    const PlanQuestion& question = run.predicted->question;
    const auto hold = [&](const std::string& what, std::int64_t ours,
                          const std::optional<std::int64_t>& its) {
        if (its && *its != ours) {
            found.push_back(say("The log has {} {}, and the plan {}.", what, *its, ours));
        }
    };
    hold(said("layers:"), question.model.layers, run.log.whole("num_layers"));
    hold(said("hidden size:"), question.model.hidden, run.log.whole("hidden_size"));
    hold(said("tokens of a sequence:"), question.sequence, run.log.whole("seq_length"));
    hold(said("chips:"), question.chips, run.log.whole("world_size"));
    hold(said("sequences of a step:"), question.batch,
         run.steady.batch > 0 ? std::optional(run.steady.batch) : std::nullopt);
    return found;
}

Table step_table(const LoggedRun& run) {
    Table table{said("Logged steps"), {"step", "time_s", "batch", "flop_per_s", "counted"}, {}};
    for (const LoggedStep& one : run.log.steps) {
        const bool counted = std::ranges::find(run.steady.steps, one) != run.steady.steps.end();
        table.rows.push_back({one.step, one.seconds, one.batch > 0 ? Table::Cell(one.batch) : Table::Cell(),
                              one.flop_rate > 0 ? Table::Cell(one.flop_rate) : Table::Cell(),
                              std::int64_t{counted ? 1 : 0}});
    }
    return table;
}

Chart step_chart(const LoggedRun& run) {
    constexpr std::size_t most = 1000; // as many as a chart shows apart
    ChartPanel panel;
    panel.x.label = say("step of the run");
    panel.y = {.label = say("time of a step"), .unit = ChartUnit::seconds};
    const std::vector<LoggedStep>& all = run.log.steps;
    const double first = static_cast<double>(all.front().step), last = static_cast<double>(all.back().step);
    panel.x.low = first;
    ChartSeries measured{say("measured"), SeriesKind::points};
    measured.role = Role::compute;
    const std::size_t every = (all.size() + most - 1) / most;
    for (std::size_t k = 0; k < all.size(); k += every) {
        measured.points.push_back({static_cast<double>(all[k].step), all[k].seconds});
    }
    panel.series.push_back(std::move(measured));
    const auto level = [&](const std::string& name, double seconds, bool dashed) {
        panel.series.push_back(rule(name, Role::quietText, {{first, seconds}, {last, seconds}}, dashed));
    };
    const ComparedNumber step = run.step();
    double top = step.high;
    for (const LoggedStep& one : all) {
        top = std::max(top, one.seconds);
    }
    constexpr double a_line_of_text = 0.08; // of the axis, which begins at zero
    const bool apart = std::min(step.high - step.expected, step.expected - step.low) > a_line_of_text * top;
    if (step.expected > 0) {
        level(!step.judged() || apart ? say("expected")
                                      : say("expected, eight of ten from {} to {}", seconds_text(step.low),
                                            seconds_text(step.high)),
              step.expected, false);
    }
    if (step.judged()) {
        level(apart ? say("eight of ten below") : std::string(), step.high, true);
        level(apart ? say("eight of ten above") : std::string(), step.low, true);
    }
    return {headline_of(run), {std::move(panel)}};
}

/// With the columns of resources/measured/training.csv; without a plan those that the log itself says.
Table training_row(const LoggedRun& run) {
    Table row{said("Measured row"), {}, {{}}};
    const auto add = [&](const char* column, Table::Cell cell) {
        row.columns.emplace_back(column);
        row.rows.front().push_back(std::move(cell));
    };
    const auto logged = [&](const char* column, const char* argument) {
        if (const auto value = run.log.whole(argument)) {
            add(column, *value);
        }
    };
    add("id", run.file);
    if (run.predicted) {
        const PlanQuestion& question = run.predicted->question;
        const Transformer& model = question.model;
        const Plan& plan = run.predicted->plan;
        const TrainingChip* const chip = measured_chip(question.machine);
        add("hardware", chip == nullptr ? question.machine.name : std::string(chip->name));
        add("model", model.name);
        add("num_devices", question.chips);
        add("layers", model.layers);
        add("d_model", model.hidden);
        add("heads", model.heads);
        add("kv_heads", model.kv_heads);
        add("head_dim", model.head_size);
        add("d_ff", model.feed_forward);
        add("mlp_matrices", std::int64_t{model.gated ? 3 : 2});
        add("vocab", model.vocabulary);
        add("seq_len", question.sequence);
        add("global_batch_seqs", question.batch);
        add("micro_batch_seqs", plan.micro_batch);
        add("tp", plan.tensor1);
        add("pp", plan.pipeline);
        add("vp", plan.schedule.chunks);
        add("cp", plan.tensor2);
        add("ep", plan.experts);
        add("dp", plan.data);
        add("precision", std::string(name(question.recipe)));
        add("recompute", std::string(plan.recompute == Recompute::full        ? "full"
                                     : plan.recompute == Recompute::attention ? "selective"
                                                                              : "none"));
    } else {
        logged("num_devices", "world_size");
        logged("layers", "num_layers");
        logged("d_model", "hidden_size");
        logged("heads", "num_attention_heads");
        logged("d_ff", "ffn_hidden_size");
        logged("vocab", "padded_vocab_size");
        logged("seq_len", "seq_length");
        logged("micro_batch_seqs", "micro_batch_size");
        logged("tp", "tensor_model_parallel_size");
        logged("pp", "pipeline_model_parallel_size");
        logged("cp", "context_parallel_size");
        logged("ep", "expert_model_parallel_size");
        if (run.steady.batch > 0) {
            add("global_batch_seqs", run.steady.batch);
        }
    }
    add("step_time_s", run.steady.median);
    add("framework", std::string("Megatron-LM"));
    return row;
}

Tree values_of(const LoggedRun& run) {
    const SteadySteps& steady = run.steady;
    Tree values = {{"writer", "Megatron-LM"},
                   {"lines", run.log.steps.size()},
                   {"left_out", steady.left_out},
                   {"time_s", steady.median},
                   {"time_p10_s", steady.low},
                   {"time_p90_s", steady.high},
                   {"batch", steady.batch > 0 ? Tree(steady.batch) : Tree()},
                   {"flop_per_s", steady.flop_rate > 0 ? Tree(steady.flop_rate) : Tree()},
                   {"flags", Tree::object()}};
    for (const auto& [flag, words] : run.flags) {
        values["flags"][flag] = words;
    }
    if (run.predicted) {
        values["predicted"] = {{"time_s", run.predicted->parts.seconds}};
        if (const auto own = run.own()) {
            values["measured_step"] = own_step_values(*own);
        }
        Tree utilization = Tree::object();
        const double peak = run.predicted->question.machine.peak_rate(DataType::bf16).value();
        for (const CountedFlop& one : counted_flop(run.predicted->question, run.predicted->plan)) {
            utilization[one.key] = one.flop / steady.median / peak;
        }
        values["utilization"] = std::move(utilization);
        values["differences"] = differences(run);
    }
    return values;
}

void add_words(const LoggedRun& run, Answer& answer) {
    const SteadySteps& steady = run.steady;
    const auto paragraph = [&](const std::string& words) { answer.words.push_back({words + "\n"}); };
    paragraph(answer.headline);
    if (run.predicted) {
        paragraph(run.predicted->about);
        paragraph("\n" + say("The median of {} lines; eight of ten take {} to {}.", steady.steps.size(),
                             seconds_text(steady.low), seconds_text(steady.high)));
    }
    if (steady.left_out > 0) {
        paragraph(say("{} lines are left out: the first one, which has the start-up in it, and those with "
                      "another batch or with steps that were skipped.",
                      steady.left_out));
    }
    if (steady.flop_rate > 0) {
        paragraph(say("The program counts {} of a chip.", si_text(steady.flop_rate, "FLOP/s")));
    }
    if (run.predicted && !run.predicted->expected.known()) {
        paragraph(say("Expected by the machine's numbers alone: {}", run.predicted->expected.reason));
    }
    if (const auto own = run.own()) {
        const std::vector<std::string> sentences = own_step_sentences(*own);
        for (std::size_t k = 1; k < sentences.size(); ++k) { // the first one is the headline
            paragraph(sentences[k]);
        }
    }
    if (LogLines lines = utilization_lines(run); !lines.empty()) {
        lines.insert(lines.begin(), {"", say("measured"), say("expected")});
        paragraph("");
        answer.words.push_back({{}, std::move(lines), 1, false});
    }
    for (const std::string& one : differences(run)) {
        paragraph(one);
    }
    if (!run.taken.empty()) {
        paragraph("\n" + say("From the log: {}", joined_flags(run.taken)));
    } else if (!run.predicted && !run.flags.empty()) {
        paragraph("\n" + say("As flags of a plan: {}", joined_flags(run.flags)));
    }
}

} // namespace

Result<Answer> training_log_answer(const Asked& asked, const Question* over, LogReadings& logs,
                                   const RunControl& control) {
    using namespace measured_file_keys;
    const std::string path = asked.text(file);
    const Result<std::shared_ptr<const TrainingLog>> log = logs.training(path, control);
    if (!log) {
        return refuse(log.error());
    }
    if (over != nullptr && over->id != plan_question().id) {
        return refuse(say("{} is the log of a training run, which is held against a plan; expected {}.", path,
                          "--of plan"));
    }
    LoggedRun run{path, **log};
    run.steady = steady_steps(run.log);
    run.flags = flags_of(run.log, run.steady);
    if (over != nullptr) {
        Result<FilledPlan> filled =
            with_flags_of(asked_over(asked, *over, measured_file_keys::own), run.flags);
        if (!filled) {
            return refuse(filled.error());
        }
        if (filled->scenario) {
            filled->asked.scenario = &*filled->scenario;
        }
        Result<PredictedStep> predicted = predicted_step(*over, filled->asked, control);
        if (!predicted) {
            return refuse(predicted.error());
        }
        run.predicted = *std::move(predicted);
        run.taken = filled->taken;
    }
    Answer answer{values_of(run), headline_of(run), say("{}, a log of {}", path, "Megatron-LM"),
                  Confidence::exact};
    add_words(run, answer);
    answer.tables.push_back(NamedTable::of("steps", step_table(run)));
    answer.charts.push_back({"steps", step_chart(run)});
    answer.texts.push_back({"row", [row = training_row(run)](std::ostream& out) {
                                out << csv(row);
                                return Result<void>();
                            }});
    return answer;
}

} // namespace meshslice
