// Where the time of a measured step went, as a profiler recorded it, next to what a plan says.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/calibrate/nccl_log.h"
#include "core/import/chakra_trace.h"
#include "core/import/log_readings.h"
#include "core/import/run_log.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/evidence/far_off.h"
#include "core/question/catalogue/evidence/predicted_step.h"
#include "core/question/catalogue/evidence/trace_fit.h"
#include "core/question/catalogue/evidence/trace_memory.h"
#include "core/question/catalogue/evidence/trace_question.h"
#include "core/question/catalogue/questions.h"
#include "core/report/trace/chakra_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* file_key = measured_file_keys::file;
constexpr const char* step_key = measured_file_keys::step;
constexpr const char* fit_key = measured_file_keys::fit;
constexpr const char* row_flag = "--row";
constexpr const char* memory_flag = "--svg-memory";
constexpr std::size_t kernels_in_words = 12;

using OverPtr = std::shared_ptr<const Question>;

Result<ProfiledStep> read(const Asked& asked, const RunControl& control) {
    Result<DeviceTrace> trace = read_device_trace_file(asked.text(file_key), control);
    if (!trace) {
        return refuse(trace.error());
    }
    return profiled_step(std::make_shared<const DeviceTrace>(*std::move(trace)),
                         asked.has(step_key) ? std::optional(static_cast<std::size_t>(asked.number(step_key)))
                                             : std::nullopt,
                         asked.text(file_key), asked.called(step_key));
}

std::string headline_of(const ProfiledStep& read) {
    const DeviceUse& use = read.whole;
    const auto share = [&](double seconds) { return percent_text(seconds / use.seconds); };
    const std::string parts =
        say("multiplication and attention {}, other kernels {}, exposed communication {}, nothing runs {}",
            share(use.of(DeviceWork::multiply) + use.of(DeviceWork::attention)),
            share(use.of(DeviceWork::other) + use.of(DeviceWork::copy)),
            share(use.of(DeviceWork::communication)), share(use.idle_s));
    const std::string words = read.steps == 0
                                  ? say("{} in all: {}.", seconds_text(use.seconds), parts)
                                  : say("{} a step: {}.", seconds_text(read.a_step(use.seconds)), parts);
    return read.trace->predicted ? say("A prediction of MeshSlice Explorer, nothing measured: {}", words)
                                 : words;
}

Tree values_of(const ProfiledStep& read, const std::optional<PredictedStep>& predicted) {
    const DeviceUse& use = read.whole;
    Tree values = {{"writer", std::string(name(read.trace->writer))},
                   {"measured", !read.trace->predicted},
                   {"devices", read.devices.size()},
                   {"steps", read.steps},
                   {"time_s", read.a_step(use.seconds)}};
    for (const DeviceWork work : device_works) {
        static constexpr std::array keys = {"multiply_s", "attention_s", "other_s", "copy_s", "exposed_s"};
        values[keys[static_cast<std::size_t>(work)]] = read.a_step(use.of(work));
    }
    values["idle_s"] = read.a_step(use.idle_s);
    values["communication_s"] = read.a_step(use.communication_s);
    values["hidden_s"] = read.a_step(use.hidden_s());
    if (predicted) {
        const PredictedParts& parts = predicted->parts;
        values["predicted"] = {{"time_s", parts.seconds},      {"compute_s", parts.kernels()},
                               {"multiply_s", parts.multiply}, {"attention_s", parts.attention},
                               {"other_s", parts.other},       {"exposed_s", parts.exposed},
                               {"idle_s", parts.idle}};
        if (predicted->expected.known()) {
            values["predicted"]["expected_s"] = predicted->expected.seconds;
            values["predicted"]["time_low_s"] = predicted->expected.low;
            values["predicted"]["time_high_s"] = predicted->expected.high;
        }
    }
    return values;
}

std::string percent_more(double ours, double theirs) {
    return theirs <= 0 ? std::string() : fmt::format("{:+.0f}%", 100 * (ours / theirs - 1));
}

Paragraph parts_of(const ProfiledStep& read) {
    const DeviceUse& use = read.whole;
    Paragraph lines{{}, {}, 1, false};
    const auto add = [&](const std::string& what, double seconds) {
        if (seconds > 0) {
            lines.lines.push_back(
                {what, seconds_text(read.a_step(seconds)), percent_text(seconds / use.seconds)});
        }
    };
    for (const DeviceWork work : device_works) {
        add(work == DeviceWork::communication ? say("communication, exposed") : said(std::string(name(work))),
            use.of(work));
    }
    add(say("nothing runs"), use.idle_s);
    return lines;
}

std::string hidden_words(const ProfiledStep& read) {
    const DeviceUse& use = read.whole;
    if (use.communication_s <= 0) {
        return {};
    }
    return say("Of {} of communication, {} ({}) run while something else does.",
               seconds_text(read.a_step(use.communication_s)), seconds_text(read.a_step(use.hidden_s())),
               percent_text(use.hidden_s() / use.communication_s)) +
           "\n";
}

Table kernel_table(const ProfiledStep& read) {
    Table table{said("Kernels"), {"kernel", "work", "count", "time_s", "mean_s", "share", "flop_per_s"}, {}};
    for (const KernelUse& one : read.kernels) {
        table.rows.push_back({one.name, said(std::string(name(one.work))), one.count, one.seconds,
                              one.seconds / static_cast<double>(one.count), one.seconds / read.whole.seconds,
                              one.flop_per_s > 0 ? Table::Cell(one.flop_per_s) : Table::Cell()});
    }
    return table;
}

Paragraph kernel_lines(const ProfiledStep& read) {
    Paragraph lines{{}, {{say("kernel"), say("work"), say("count"), say("time"), say("share")}}, 2, false};
    for (std::size_t k = 0; k < std::min(kernels_in_words, read.kernels.size()); ++k) {
        const KernelUse& one = read.kernels[k];
        lines.lines.push_back({shortened(one.name), said(std::string(name(one.work))),
                               std::to_string(one.count), seconds_text(one.seconds),
                               percent_text(one.seconds / read.whole.seconds)});
    }
    return lines;
}

Chart chart_of(const ProfiledStep& read) {
    ChartPanel panel;
    panel.y.label = say("device");
    panel.x = {.label = say("time of a step"), .unit = ChartUnit::seconds};
    std::vector<DeviceUse> shown = read.devices;
    constexpr std::size_t most = 32;
    shown.resize(std::min(most, shown.size()));
    for (const DeviceUse& one : shown) {
        panel.y.categories.push_back(one.device);
    }
    static constexpr std::array roles = {Role::compute, Role::backward, Role::update, Role::slicing,
                                         Role::transferHorizontal};
    const auto add = [&](const std::string& called, Role role, const auto& of) {
        ChartSeries series{called, SeriesKind::stack};
        series.role = role;
        for (const DeviceUse& one : shown) {
            series.values.emplace_back(read.a_step(of(one)));
        }
        panel.series.push_back(std::move(series));
    };
    for (const DeviceWork work : device_works) {
        add(work == DeviceWork::communication ? say("communication, exposed") : said(std::string(name(work))),
            roles[static_cast<std::size_t>(work)], [work](const DeviceUse& one) { return one.of(work); });
    }
    add(say("nothing runs"), Role::waits, [](const DeviceUse& one) { return one.idle_s; });
    Chart chart{headline_of(read), {std::move(panel)}};
    if (shown.size() < read.devices.size()) {
        chart.notes.push_back(say("The first {} of {} devices.", shown.size(), read.devices.size()));
    }
    return chart;
}

/// The parts of a predicted step next to those that were measured.
Paragraph compared(const ProfiledStep& read, const PredictedStep& predicted) {
    const bool measured = !read.trace->predicted;
    Paragraph lines{{},
                    {{"", measured ? say("measured") : say("in the file"), say("predicted"),
                      measured ? say("measured against it") : say("the file against it")}},
                    1,
                    false};
    for (const ComparedPart& part : compared_parts(read, predicted.parts)) {
        lines.lines.push_back({part.name, seconds_text(part.measured), seconds_text(part.predicted),
                               percent_more(part.measured, part.predicted)});
    }
    return lines;
}

std::string verdict(const ProfiledStep& read, const PredictedStep& predicted) {
    const double seconds = read.a_step(read.whole.seconds);
    std::string words =
        say("{} takes {} by the machine's numbers.", predicted.about, seconds_text(predicted.parts.seconds));
    if (const ExpectedStep& expected = predicted.expected; expected.known()) {
        const bool inside = seconds >= expected.low && seconds <= expected.high;
        words += " " + say("By measured runs it takes {}, eight of ten from {} to {}; this one is {} that.",
                           seconds_text(expected.seconds), seconds_text(expected.low),
                           seconds_text(expected.high), inside ? say("within") : say("outside of"));
    }
    return words + "\n";
}

/// That a measured step is likely one of another run; empty where it may be of this one.
std::string far_off(const ProfiledStep& read, const PredictedStep& predicted) {
    const ExpectedStep& expected = predicted.expected;
    return read.trace->predicted
               ? std::string()
               : far_off_words(read, expected.known() ? expected.seconds : predicted.parts.seconds,
                               predicted.parts, predicted.plan);
}

Answer answer_of(const Asked& asked, const ProfiledStep& read,
                 const std::optional<PredictedStep>& predicted) {
    Answer answer{values_of(read, predicted), headline_of(read),
                  read.devices.size() == 1
                      ? say("{}, one device, written by {}", asked.text(file_key), name(read.trace->writer))
                      : say("{}, {} devices, written by {}", asked.text(file_key), read.devices.size(),
                            name(read.trace->writer)),
                  predicted ? Confidence::modelled : Confidence::exact};
    answer.tables.push_back(NamedTable::of("kernels", kernel_table(read)));
    answer.charts.push_back({"devices", chart_of(read)});
    answer.words = {{answer.headline + "\n"}, parts_of(read), {hidden_words(read)}};
    if (predicted) {
        answer.words.push_back({"\n" + verdict(read, *predicted)});
        answer.words.push_back(compared(read, *predicted));
        if (const std::string far = far_off(read, *predicted); !far.empty()) {
            answer.words.push_back({"\n" + far + "\n"});
            answer.trust.sentences.push_back(far);
            answer.values["far_off"] = far;
        }
    }
    if (const std::string memory = add_memory(read, predicted ? &*predicted : nullptr, answer);
        !memory.empty()) {
        answer.words.push_back({"\n" + memory});
    }
    answer.words.push_back({"\n"});
    answer.words.push_back(kernel_lines(read));
    if (read.devices.size() > 1) {
        const auto slowest = std::ranges::min_element(read.devices, {}, &DeviceUse::idle_s);
        answer.words.push_back({"\n" +
                                say("Numbers are averages over {} devices; {} has the least time in "
                                    "which nothing runs.",
                                    read.devices.size(), slowest->device) +
                                "\n"});
    }
    answer.notes.push_back(say("What a kernel does is guessed from its name."));
    if (read.steps > 0 && !read.trace->steps_of_device) {
        answer.notes.push_back(
            say("Steps are as the host called them; a device runs behind it, so kernels at their borders may "
                "belong to the next one."));
    }
    for (const std::string& note : answer.notes) {
        answer.words.push_back({note + "\n"});
    }
    answer.runs.push_back({"measured", read.run(StepBegin::step, asked.text(file_key))});
    return answer;
}

Result<Answer> profile_answer(const Question* over, const Asked& asked, const RunControl& control) {
    if (asked.said.has(row_flag)) {
        return refuse(say("{} has no effect: {} is a profiler's trace, and rows are made of logs.", row_flag,
                          asked.text(file_key)));
    }
    std::optional<PredictedStep> predicted;
    if (over != nullptr) {
        if (over->id != plan_question().id) {
            return refuse(say("A trace is held against a plan; expected {}.", "--of plan"));
        }
        Result<PredictedStep> step =
            predicted_step(*over, asked_over(asked, *over, measured_file_keys::own), control);
        if (!step) {
            return refuse(step.error());
        }
        predicted = *std::move(step);
    }
    if (asked.flag(fit_key) && !predicted) {
        return refuse(say("{} needs a plan: add {} and its flags.", asked.called(fit_key), "--of plan"));
    }
    if (!asked.flag(fit_key) && asked.said.has("--out")) {
        return refuse(say("{} has no effect without {}.", "--out", asked.called(fit_key)));
    }
    return read(asked, control).and_then([&](const ProfiledStep& one) -> Result<Answer> {
        Answer answer = answer_of(asked, one, predicted);
        if (asked.flag(fit_key)) {
            if (const Result<void> fitted = add_fit(one, *predicted, asked, answer, control); !fitted) {
                return refuse(fitted.error());
            }
        }
        return answer;
    });
}

/// An execution trace: what its nodes compute and send; with their times, what the rank does and when.
Result<Answer> graph_answer(const Question* over, const Asked& asked, const RunControl& control) {
    const std::string path = asked.text(file_key);
    const Result<ChakraTrace> trace = read_chakra_file(path, control);
    if (!trace) {
        return refuse(trace.error());
    }
    const std::vector<ChakraSum> sums = sums_of(*trace);
    double flop = 0;
    for (const ChakraSum& one : sums) {
        flop += one.flop;
    }
    const std::vector<std::string> sent = chakra_bytes(sums);
    const std::string headline =
        sent.empty()
            ? say("{} nodes: {} are computed, nothing is sent.", trace->nodes.size(), si_text(flop, "FLOP"))
            : say("{} nodes: {} are computed; bytes by operation: {}.", trace->nodes.size(),
                  si_text(flop, "FLOP"), fmt::join(sent, said(", ")));
    const bool timed = trace->has_times();
    if (!timed && over != nullptr) {
        return refuse(device_trace_of(*trace, path).error());
    }
    Result<Answer> answer = timed ? profile_answer(over, asked, control)
                                  : Result<Answer>(Answer{Tree::object(), headline, path, Confidence::exact});
    if (!answer) {
        return answer;
    }
    answer->values["nodes"] = Tree::array();
    answer->tables.push_back(NamedTable::of("nodes", chakra_table(sums, answer->values["nodes"])));
    answer->words.push_back({timed ? "\n" + headline + "\n" : headline + "\n"});
    answer->words.push_back(chakra_lines(sums));
    if (timed &&
        std::ranges::any_of(sums, [](const ChakraSum& one) { return one.kind == ChakraKind::receive; })) {
        answer->notes.push_back(said("What a rank waits for others is in the traces of these."));
        answer->words.push_back({answer->notes.back() + "\n"});
    }
    return answer;
}

/// By what the file holds.
Result<Answer> answer_about_file(const Question* over, LogReadings& logs, const Asked& asked,
                                 const RunControl& control) {
    const Result<std::string> first = first_bytes_of(asked.text(file_key));
    if (!first) {
        return refuse(first.error());
    }
    const bool collectives = is_nccl_log(*first);
    const MeasuredKind kind = kind_of_measured(*first);
    const bool log = collectives || kind == MeasuredKind::training || kind == MeasuredKind::serving;
    if (log && asked.flag(fit_key)) {
        return refuse(say("{} has no effect: {} is a log, and a fit needs the kernels of a trace.",
                          asked.called(fit_key), asked.text(file_key)));
    }
    if (log && asked.has(step_key)) {
        return refuse(say("{} has no effect: {} is a log, and its steps are not looked into.",
                          asked.called(step_key), asked.text(file_key)));
    }
    if (!collectives && asked.has(measured_file_keys::operation)) {
        return refuse(say("{} has no effect: {} is not a log of nccl-tests.",
                          asked.called(measured_file_keys::operation), asked.text(file_key)));
    }
    Result<Answer> answer = collectives                      ? collective_log_answer(asked, over, control)
                            : kind == MeasuredKind::training ? training_log_answer(asked, over, logs, control)
                            : kind == MeasuredKind::serving  ? serving_log_answer(asked, over, logs, control)
                            : kind == MeasuredKind::graph    ? graph_answer(over, asked, control)
                                                             : profile_answer(over, asked, control);
    if (answer && asked.said.has(memory_flag) &&
        std::ranges::find(answer->charts, "memory", &NamedChart::name) == answer->charts.end()) {
        return refuse(say("{} has no effect: {} says nothing of memory.", memory_flag, asked.text(file_key)));
    }
    return answer;
}

Question trace_over(const OverPtr& over, const std::shared_ptr<LogReadings>& logs) {
    QuestionField file{
        .row = {.key = file_key,
                .name = said("Trace"),
                .label = said("Trace"),
                .help = said("The file that a profiler or a program wrote"),
                .flag = "trace",
                .flag_help = "FILE: what PyTorch's profiler, XProf or this program wrote, an "
                             "execution trace of Chakra, a "
                             "log of Megatron-LM or of nccl-tests, or what vllm bench serve saved; each may "
                             "be compressed with gzip"},
        .needed = true};
    QuestionField step = whole_flag("--step", "N: this step of the trace alone (default: all)", 1'000'000);
    step.row.key = step_key;
    step.row.least = 1;
    QuestionField operation = text_flag("--operation", "NAME: what a log of nccl-tests measured, such as "
                                                       "all-reduce, where it does not say so itself");
    operation.row.key = measured_file_keys::operation;
    Question question{
        "trace",
        said("Measured traces"),
        "",
        said("Says where the time of a measured step went, or how fast a logged run was, and holds "
             "it against a plan or a deployment"),
        over == nullptr ? Nouns{} : over->uses,
        {std::move(file), std::move(step),
         text_flag("--of", "plan|serve|collective: holds a trace or a training log against the first plan, "
                           "with the flags of plan; a log of a server against serve, and one of nccl-tests "
                           "against collective"),
         std::move(operation),
         switch_flag("--fit", "fits the machine's efficiencies to the trace, with --of plan")}};
    if (over != nullptr) {
        std::ranges::copy_if(over->fields, std::back_inserter(question.fields),
                             [](const QuestionField& field) { return !field.said_by_log; });
        question.scenario = over->scenario;
    }
    question.answer = [over, logs](const Asked& asked, const RunControl& control) {
        return answer_about_file(over.get(), *logs, asked, control);
    };
    question.files = {
        {AnswerFile::Of::chart, "devices", "--svg",
         "FILE: draws the devices' time, that of logged steps, or the rate of logged collectives, as SVG"},
        {AnswerFile::Of::chart, "memory", memory_flag,
         "FILE: draws the memory that a trace says its devices hold, as SVG"},
        {AnswerFile::Of::runs, "", "--trace",
         "FILE: writes what was looked at as a Chrome trace, without what the host did"},
        {AnswerFile::Of::text, "row", row_flag,
         "FILE.csv: writes a logged run as rows that evidence --file reads"},
        {AnswerFile::Of::text, "machine", "--out",
         "FILE.json: writes the machine that --fit has fitted there"}};
    return question;
}

} // namespace

Question trace_question() {
    return trace_question_by(std::make_shared<LogReadings>());
}

Question trace_question_by(const std::shared_ptr<LogReadings>& logs) {
    Question question = trace_over(nullptr, logs);
    question.over = [logs](const Question& other) {
        return trace_over(std::make_shared<const Question>(other), logs);
    };
    question.examples = {
        "trace.json",
        "rank0.json.gz --step 2",
        "trace.json --of plan --model llama-3-8b --machine h100-nvs8 --chips 8 --batch 16",
        "trace.json --of plan --model llama-3-8b --machine h100-nvs8 --chips 8 --batch 16 --fit "
        "--out mine.json",
        "megatron.log --of plan --model llama-3-8b --machine h100-nvs8",
        "vllm.json --of serve --model llama-3-8b --machine h100 --tp 1",
        "all_reduce.log --of collective --machine h100-nvs8"};
    return question;
}

} // namespace meshslice
