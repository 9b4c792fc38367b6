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

#include <algorithm>
#include <cstddef>
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

/// Without columns that are empty in all rows.
std::vector<std::vector<std::string>> without_empty(std::vector<std::vector<std::string>> rows) {
    for (std::size_t column = rows.front().size(); column-- > 0;) {
        const bool empty =
            std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return row[column].empty(); });
        for (std::vector<std::string>& row : rows) {
            if (empty) {
                row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
            }
        }
    }
    return rows;
}

/// Which of both steps the shares are of.
std::string shares_note(const ScaleLog& log) {
    return shows_expected(log)
               ? "The shares after the expected MFU are of the expected step."
               : "The shares after the ideal MFU are of the ideal step, of what nothing hides.";
}

std::vector<Paragraph> words_of_scale(const ScaleLog& log) {
    const bool by_expected = shows_expected(log);
    const std::vector<std::string> of_expected = {"expected", "interval", "expected MFU"},
                                   of_ideal = {"ideal", "ideal MFU"};
    std::vector<std::vector<std::string>> rows = {{"chips", "batch"}};
    const auto head = [&](const std::vector<std::string>& names) {
        rows.front().insert(rows.front().end(), names.begin(), names.end());
    };
    head(by_expected ? of_expected : of_ideal);
    for (const ScalePart& part : scale_parts(by_expected)) {
        rows.front().emplace_back(part.heading);
    }
    head(by_expected ? of_ideal : of_expected);
    head({"plan"});
    std::vector<std::string> notes;
    for (const ScaleRow& row : log.rows) {
        std::vector<std::string> cells = {std::to_string(row.chips), std::to_string(row.batch)};
        if (!row.best) {
            cells.resize(rows.front().size() - 1);
            cells.emplace_back("none");
            notes.push_back(fmt::format("{} chips: {}", row.chips, row.objection));
        } else {
            const bool known = row.expected.known();
            const auto add = [&](const std::vector<std::string>& more) {
                cells.insert(cells.end(), more.begin(), more.end());
            };
            const std::vector<std::string> ideal = {seconds_text(row.best->reading.time.total),
                                                    percent_text(row.best->reading.utilization)};
            const std::vector<std::string> expected =
                known ? std::vector<std::string>{seconds_text(row.expected.seconds),
                                                 fmt::format("{} to {}", seconds_text(row.expected.low),
                                                             seconds_text(row.expected.high)),
                                                 percent_text(row.expected_utilization())}
                      : std::vector<std::string>(of_expected.size());
            add(by_expected ? expected : ideal);
            for (const ScalePart& part : scale_parts(by_expected)) {
                cells.push_back(share_text(part.share(row)));
            }
            add(by_expected ? ideal : expected);
            cells.push_back(text(row.best->plan) + (row.best->reading.fits ? "" : " (does not fit)"));
        }
        rows.push_back(std::move(cells));
    }
    if (std::ranges::any_of(log.rows, [](const ScaleRow& row) { return row.best && row.expected.cut(); })) {
        notes.emplace_back("Intervals that begin at the ideal time are cut there.");
    }
    for (const ScaleRow& row : log.rows) {
        if (const std::string closest = closest_words(row.expected); row.best && !closest.empty()) {
            notes.push_back(fmt::format("{} chips: {}", row.chips, closest));
        }
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
        text_table(without_empty(std::move(rows)), 2, true));
    words +=
        fmt::format("Of each number of chips the plan {}. {}\n",
                    ideal_order_words(log.question).empty() && log.question.split.rank == PlanOrder::expected
                        ? "that is expected to be the fastest"
                        : "with the shortest ideal time",
                    shares_note(log));
    for (const std::string& note : notes) {
        words += note + "\n";
    }
    return {{plain_spaces(words)}};
}

/// `taken`: what follows from a file of the model.
Answer answer_of_scale(const ScaleLog& log, const std::vector<std::string>& taken) {
    Answer answer{scale_values(log), scale_finding(log),
                  fmt::format("{} on {}", log.question.model.title, log.question.machine.title)};
    answer.words = words_of_scale(log);
    answer.notes = taken;
    for (const std::string& sentence : taken) {
        answer.words.push_back({sentence + "\n"});
    }
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
            return find_scale(asked, control).map([&](const ScaleLog& log) {
                return answer_of_scale(log, taken_sequence(asked));
            });
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
