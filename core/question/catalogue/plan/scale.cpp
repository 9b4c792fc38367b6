// What changes from few chips to many for one training run.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/evidence/scale_log.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/plan/scale_report.h"
#include "core/report/summary/expected_words.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t fewest_scaled = 8, most_scaled = 16'384;

Result<ScaleLog> find_scale(const Asked& asked, const RunControl& control) {
    const Result<PlanQuestion> question = plan_question(*asked.scenario);
    if (!question) {
        return refuse(question.error());
    }
    const auto chips_of = [&](const char* key, std::int64_t usual) {
        return asked.has(key) ? static_cast<std::int64_t>(asked.number(key)) : usual;
    };
    const std::int64_t from = chips_of("from", fewest_scaled), to = chips_of("to", most_scaled);
    if (from > to) {
        return refuse(say("The numbers of chips go from {} to {}; expected {} to be at most {}.", from, to,
                          asked.called("from"), asked.called("to")));
    }
    return scale_log(*question, doubled_chips(from, to),
                     asked.text("keep") == "batch" ? ScaledBatch::whole : ScaledBatch::per_chip, control);
}

std::string share_text(double share) {
    return share == 0 ? std::string() : percent_text(share);
}

std::vector<Paragraph> words_of_scale(const ScaleLog& log) {
    std::vector<std::vector<std::string>> rows = {{"chips", "batch", "step", "MFU", "expected", "interval",
                                                   "expected MFU", "tensor", "data", "stages", "experts",
                                                   "bubble", "stragglers", "plan"}};
    std::vector<std::string> notes;
    for (const ScaleRow& row : log.rows) {
        std::vector<std::string> cells = {std::to_string(row.chips), std::to_string(row.batch)};
        if (!row.best) {
            cells.resize(rows.front().size() - 1);
            cells.emplace_back("none");
            notes.push_back(fmt::format("{} chips: {}", row.chips, row.objection));
        } else {
            const bool known = row.expected.known();
            cells.push_back(seconds_text(row.best->reading.time.total));
            cells.push_back(percent_text(row.best->reading.utilization));
            cells.push_back(known ? seconds_text(row.expected.seconds) : std::string());
            cells.push_back(known ? fmt::format("{} to {}", seconds_text(row.expected.low),
                                                seconds_text(row.expected.high))
                                  : std::string());
            cells.push_back(known ? percent_text(row.expected_utilization()) : std::string());
            for (const ScalePart& part : scale_parts()) {
                cells.push_back(share_text(part.share(row)));
            }
            cells.push_back(text(row.best->plan) + (row.best->reading.fits ? "" : " (does not fit)"));
        }
        rows.push_back(std::move(cells));
    }
    for (const ScaleRow& row : log.rows) {
        if (const std::string measured = measured_words(row); !measured.empty()) {
            notes.push_back(
                fmt::format("Measured near {} chips, MFU with attention half: {}.", row.chips, measured));
        }
    }
    std::string words = fmt::format(
        "{}.\n{} on {}; {}.\n\n{}", scale_finding(log), log.question.model.title, log.question.machine.title,
        log.batch == ScaledBatch::per_chip
            ? fmt::format("as many samples for each chip as {} on {} chips", log.question.batch,
                          log.question.chips)
            : fmt::format("a batch of {} on all numbers of chips", log.question.batch),
        text_table(rows, 2, true));
    words +=
        fmt::format("Of each number of chips the plan {}. tensor to bubble: exposed, as shares of the ideal "
                    "step; stragglers: of the expected one.\n",
                    ideal_order_words(log.question).empty() && log.question.split.rank == PlanOrder::expected
                        ? "that is expected to be the fastest"
                        : "with the shortest ideal time");
    for (const std::string& note : notes) {
        words += note + "\n";
    }
    return {{plain_spaces(words)}};
}

Answer answer_of_scale(const ScaleLog& log) {
    Answer answer{scale_values(log), scale_finding(log),
                  fmt::format("{} on {}", log.question.model.title, log.question.machine.title)};
    answer.words = words_of_scale(log);
    answer.tables.push_back(NamedTable::of("scale", scale_table(log)));
    answer.charts.push_back({"scale", scale_chart(log)});
    return answer;
}

QuestionField chips_field(const char* flag, const char* help) {
    QuestionField field = whole_flag(flag, help, most_planned_chips);
    field.row.least = 1;
    return field;
}

/// "--from 64 --to 256", where what is scaled was asked for as a range.
std::string why_no_range(const FieldRow& row, const SaidFields& said) {
    const std::string words = row.key == "planning.chips" ? said.words(row.flag) : std::string();
    const std::size_t colon = words.find(':');
    if (colon == std::string::npos) {
        return {};
    }
    const std::size_t end = words.find(':', colon + 1);
    return fmt::format(
        "{} is \"{}\"; expected one number of chips, whose batch says that of the others. --from {} "
        "--to {} doubles from the one to the other.",
        row.flag, shortened(words), words.substr(0, colon),
        words.substr(colon + 1, end == std::string::npos ? end : end - colon - 1));
}

} // namespace

Question scale_question() {
    Question question{
        "scale",
        said("Log of scale"),
        "",
        said("Says what changes from few chips to many: plan, MFU, communication, bubble, stragglers"),
        {.machine = true, .work = true, .plan = true},
        {chips_field("--from", "N: the fewest chips (default 8)"),
         chips_field("--to", "N: the most chips; doubled from the fewest on (default 16384)"),
         choice_flag(
             "--keep",
             "batch-per-chip|batch: what stays of the run on --chips with --batch: the samples of each "
             "chip, or those of all together (default batch-per-chip)",
             {"batch-per-chip", "batch"})},
        [](const Asked& asked, const RunControl& control) {
            return find_scale(asked, control).map(scale_values);
        },
        [](const Asked& asked, const RunControl& control) {
            return find_scale(asked, control).map(answer_of_scale);
        },
        {.only = of_a_plan, .refused = why_no_range}};
    question.files = {{AnswerFile::Of::chart, "scale", "--svg",
                       "FILE.svg: draws MFU and the shares of the step against the number of chips"}};
    question.examples = {
        "--model llama-3-8b --machine h100 --chips 8 --batch 16 --strategy 1d --to 64",
        "--model llama-3-8b --machine h100 --chips 64 --batch 128 --strategy 1d --keep batch "
        "--to 64",
        "--model llama-3-8b --machine h100 --chips 8 --batch 8 --strategy 1d --to 16 --json"};
    return question;
}

} // namespace meshslice
