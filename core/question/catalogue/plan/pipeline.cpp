// A step of a pipeline, pass by pass: how long stages wait for each other under each schedule (How to Scale
// Your Model, chapters 5 and 12).

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/pipeline/simulate_pipeline.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/pipeline_charts.h"
#include "core/report/plan/plan_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_shown_stages = 64, most_shown_micro_batches = 512, most_shown_chunks = 16;
/// s; of a pass or an exchange.
constexpr double longest_shown = 3600;

QuestionField count_field(FieldRow row, std::int64_t least, std::int64_t most, std::string first) {
    row.kind = FieldKind::whole;
    row.least = least;
    row.most = most;
    return {.row = std::move(row), .first = std::move(first)};
}

QuestionField time_field(FieldRow row, std::string first) {
    row.kind = FieldKind::quantity;
    row.unit = "s";
    row.form_unit = "ms";
    row.form_scale = 1e-3;
    row.highest = longest_shown;
    row.range = said("0 to 1 h");
    row.example = "1e-3 or \"1 ms\"";
    return {.row = std::move(row), .first = std::move(first)};
}

std::vector<QuestionField> pipeline_fields() {
    std::vector<QuestionField> fields;
    fields.push_back(
        count_field({.key = "stages",
                     .name = said("number of stages"),
                     .label = said("Pipeline stages"),
                     .help = said("Parts of the model, one after the other, each on chips of its own"),
                     .flag = "--stages",
                     .flag_help = "N: parts of the model, each on chips of its own (default 4)"},
                    1, most_shown_stages, "4"));
    fields.push_back(
        count_field({.key = "micro_batches",
                     .name = said("number of micro-batches"),
                     .label = said("Micro-batches"),
                     .help = said("Parts of the batch that go through the stages one after the other"),
                     .flag = "--micro-batches",
                     .flag_help = "N: parts of the batch, one after the other (default 8)"},
                    1, most_shown_micro_batches, "8"));
    QuestionField schedule{.row = {.key = "schedule",
                                   .name = said("schedule"),
                                   .label = said("Schedule"),
                                   .help = said("The order in which a stage runs its micro-batches"),
                                   .flag = "--schedule",
                                   .flag_help =
                                       "1f1b|gpipe|interleaved|zero-bubble: the order in which a stage "
                                       "runs its micro-batches (default 1f1b)",
                                   .kind = FieldKind::choice},
                           .first = "1f1b"};
    for (const SketchedOrder& one : sketched_orders) {
        schedule.row.choices.push_back({one.word, std::string(name(one.order))});
    }
    fields.push_back(std::move(schedule));
    fields.push_back(count_field(
        {.key = "chunks",
         .name = said("number of chunks"),
         .label = said("Chunks of a stage"),
         .help = said("Of the interleaved schedule: parts of a stage that do not follow each other"),
         .flag = "--chunks",
         .flag_help = "N: parts of a stage, of the interleaved schedule (default 2)"},
        2, most_shown_chunks, "2"));
    fields.push_back(time_field({.key = "forward",
                                 .name = said("time of a forward pass"),
                                 .label = said("Forward pass"),
                                 .help = said("Of one micro-batch through one stage"),
                                 .flag = "--forward",
                                 .flag_help = "TIME: of one micro-batch through one stage (default 1 ms)"},
                                "1 ms"));
    fields.push_back(
        time_field({.key = "backward",
                    .name = said("time of a backward pass"),
                    .label = said("Backward pass"),
                    .help = said("Of one micro-batch through one stage; half of it makes gradients of "
                                 "weights, which zero bubble makes later"),
                    .flag = "--backward",
                    .flag_help = "TIME: the same way back; half of it makes gradients of weights, which "
                                 "zero-bubble makes later (default 2 ms)"},
                   "2 ms"));
    fields.push_back(
        time_field({.key = "send",
                    .name = said("time of a transfer"),
                    .label = said("Transfer"),
                    .help = said("Of a micro-batch's activations, or their gradients, from stage to stage"),
                    .flag = "--send",
                    .flag_help = "TIME: of a micro-batch from stage to stage (default 0)"},
                   "0 s"));
    fields.push_back(
        time_field({.key = "sums",
                    .name = said("time of summing gradients"),
                    .label = said("Sum of gradients"),
                    .help = said("Over data-parallel copies, of all layers of a stage; hidden behind the "
                                 "last backward pass as far as it goes"),
                    .flag = "--sums",
                    .flag_help = "TIME: of a stage's gradients over data-parallel copies, layer by layer "
                                 "behind the last backward pass (default 0)"},
                   "0 s"));
    return fields;
}

SketchedPipeline sketched(const Asked& asked) {
    SketchedPipeline its;
    const std::string word = asked.text("schedule");
    its.order = std::ranges::find(sketched_orders, word, &SketchedOrder::word)->order;
    its.stages = static_cast<std::int32_t>(asked.number("stages"));
    its.micro_batches = static_cast<std::int32_t>(asked.number("micro_batches"));
    its.chunks = static_cast<std::int32_t>(asked.number("chunks"));
    its.forward_s = asked.number("forward");
    its.backward_s = asked.number("backward");
    its.send_s = asked.number("send");
    its.sums_s = asked.number("sums");
    return its;
}

/// What was asked, run, and the other schedules with the same passes.
struct FoundPipeline {
    SketchedPipeline asked;
    PipelineRun run;
    std::vector<OrderedPipeline> all;
    Chart by_micro_batches;
};

Result<FoundPipeline> find_pipeline(const Asked& asked, const RunControl& control) {
    const SketchedPipeline its = sketched(asked);
    if (!(its.forward_s + its.backward_s > 0)) {
        return refuse(say("{} and {} are both 0; expected a time of at least one of them, such as {}.",
                          asked.called("forward"), asked.called("backward"),
                          asked.setting("forward", "1ms")));
    }
    Result<PipelineRun> run = simulate_pipeline(its.work(), control);
    if (!run) {
        return refuse(run.error());
    }
    FoundPipeline found{its, *std::move(run), {}, {}};
    for (const SketchedOrder& one : sketched_orders) {
        SketchedPipeline other = its;
        other.order = one.order;
        Result<OrderedPipeline> ordered = ordered_pipeline(other, control);
        if (!ordered) {
            return refuse(ordered.error());
        }
        found.all.push_back(*std::move(ordered));
    }
    Result<Chart> chart = pipeline_batch_chart(its, control);
    if (!chart) {
        return refuse(chart.error());
    }
    found.by_micro_batches = *std::move(chart);
    return found;
}

const OrderedPipeline& shown(const FoundPipeline& found) {
    return *std::ranges::find(found.all, found.asked.order, &OrderedPipeline::order);
}

Tree values_of(const OrderedPipeline& one) {
    if (!one.refusal.empty()) {
        return {{"schedule", std::string(name(one.order))}, {"refused", one.refusal}};
    }
    return {{"schedule", std::string(name(one.order))},
            {"step_in_s", one.step_s},
            {"compute_share", one.computes},
            {"waits_for_stages_share", one.bubble},
            {"exposed_communication_share", one.exposed},
            {"kept_micro_batches", one.kept}};
}

Tree values_of(const FoundPipeline& found) {
    Tree all = Tree::array();
    for (const OrderedPipeline& one : found.all) {
        all.push_back(values_of(one));
    }
    return {{"stages", found.asked.stages},
            {"micro_batches", found.asked.micro_batches},
            {"step", values_of(shown(found))},
            {"without_waits_in_s", found.asked.busy_s()},
            {"closed_form_bubble_in_s", found.asked.closed_form_bubble_s()},
            {"schedules", std::move(all)}};
}

Table order_table(const FoundPipeline& found) {
    Table table{said("Schedules"),
                {"schedule", "step_s", "compute_share", "waits_for_stages_share", "exposed_share",
                 "kept_micro_batches"},
                {}};
    for (const OrderedPipeline& one : found.all) {
        if (one.refusal.empty()) {
            table.rows.push_back(
                {std::string(name(one.order)), one.step_s, one.computes, one.bubble, one.exposed, one.kept});
        }
    }
    return table;
}

std::vector<Paragraph> words_of(const FoundPipeline& found) {
    const SketchedPipeline& its = found.asked;
    std::vector<Paragraph> words = {{pipeline_finding(its, shown(found)) + "\n\n"}};
    Paragraph lines{
        {}, {{"schedule", "step", "computes", "waits for stages", "exposed", "kept at most"}}, 1, true};
    std::string refused;
    for (const OrderedPipeline& one : found.all) {
        if (!one.refusal.empty()) {
            refused += fmt::format("{}: {}\n", name(one.order), one.refusal);
            continue;
        }
        lines.lines.push_back(
            {std::string(name(one.order)), seconds_text(one.step_s), percent_text(one.computes),
             percent_text(one.bubble), percent_text(one.exposed),
             one.kept == 1 ? said("1 micro-batch") : say("{} micro-batches", number_text(one.kept))});
    }
    words.push_back(std::move(lines));
    words.push_back({"\n" + refused +
                     say("Without transfers {} waits for {} by its closed form, {}.", name(its.order),
                         seconds_text(its.closed_form_bubble_s()), closed_form_words(its.order)) +
                     "\n"});
    return words;
}

Answer answer_of(const FoundPipeline& found) {
    const SketchedPipeline& its = found.asked;
    Answer answer{values_of(found), pipeline_finding(its, shown(found)),
                  fmt::format("{0}{3}{1}{3}{2}",
                              its.stages == 1 ? said("1 stage") : say("{} stages", its.stages),
                              micro_batches_words(its.micro_batches), name(its.order), said(", "))};
    answer.words = words_of(found);
    answer.tables.push_back(NamedTable::of("schedules", order_table(found)));
    Chart passes = pipeline_chart(its, found.run, answer.headline);
    if (passes.panels.empty()) {
        answer.notes.push_back(
            said("There are more passes than a picture can show; fewer micro-batches or stages "
                 "can be drawn."));
    } else {
        answer.charts.push_back({"passes", std::move(passes), {}, said("Pass by pass")});
    }
    answer.charts.push_back({"micro_batches", found.by_micro_batches, {}, said("By micro-batches")});
    answer.notes.push_back(
        said("All stages are alike, a stage computes on while it sends, and the optimizer's step "
             "is not counted."));
    return answer;
}

} // namespace

Question pipeline_question() {
    Question question{
        "pipeline",
        said("Pipeline"),
        "pipeline",
        said("Shows a pipeline pass by pass, and how long its stages wait for each other under each "
             "schedule"),
        {},
        pipeline_fields(),
        [](const Asked& asked, const RunControl& control) {
            return find_pipeline(asked, control).map([](const FoundPipeline& one) { return values_of(one); });
        },
        [](const Asked& asked, const RunControl& control) {
            return find_pipeline(asked, control).map([](const FoundPipeline& one) { return answer_of(one); });
        }};
    question.files = {{AnswerFile::Of::chart, "passes", "--svg", "FILE.svg: draws the passes of every stage"},
                      {AnswerFile::Of::chart, "micro_batches", "--svg-micro-batches",
                       "FILE.svg: draws the share of computing against the number of micro-batches"}};
    question.examples = {"", "--stages 8 --micro-batches 32 --schedule zero-bubble",
                         "--stages 4 --micro-batches 8 --send 0.5ms --json"};
    return question;
}

} // namespace meshslice
