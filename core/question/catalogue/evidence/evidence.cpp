// What was measured by others, next to what we say of it: how far our answers are to be trusted.

#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/evidence/collectives/collective_evidence.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/evidence/evidence_inference.h"
#include "core/question/catalogue/evidence/evidence_training.h"
#include "core/question/catalogue/questions.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using Lines = std::vector<std::vector<std::string>>;

/// What was asked, and its answer; rows stand behind the predictions.
struct Evidence {
    std::vector<CollectiveRow> rows;
    FittedCollectives fitted;
    std::vector<PredictedRow> predicted;
    ErrorSummaries summaries;
    ErrorSummaries left_out; ///< of the shipped rows, each by constants fitted without its group
    bool fit = false;
};

Result<std::vector<CollectiveRow>> rows_of(const Asked& asked) {
    if (!asked.has("file")) {
        return measured_collectives();
    }
    const auto* file = std::get_if<JsonPart>(&asked.value("file"));
    if (file == nullptr) {
        return refuse(say("{} is a file, which only a command line can read.", asked.called("file")));
    }
    return read_collective_rows(file->json, file->origin);
}

Result<std::shared_ptr<Evidence>> found(const Asked& asked, const RunControl& control) {
    auto evidence = std::make_shared<Evidence>();
    Result<std::vector<CollectiveRow>> rows = rows_of(asked);
    if (!rows) {
        return refuse(rows.error());
    }
    evidence->rows = *std::move(rows);
    evidence->fit = asked.flag("fit");
    const std::vector<CollectiveRow>& shipped = measured_collectives();
    if (evidence->fit) {
        Result<FittedCollectives> fitted = fit_collective_constants(shipped, control);
        if (!fitted) {
            return refuse(fitted.error());
        }
        const Result<std::vector<double>> errors = left_out_errors(shipped, control);
        if (!errors) {
            return refuse(errors.error());
        }
        evidence->fitted = *std::move(fitted);
        for (std::size_t k = 0; k < shipped.size(); ++k) {
            if (shipped[k].reason.empty()) {
                evidence->fitted.left_out[shipped[k].id] = (*errors)[k];
            }
        }
    } else {
        evidence->fitted = fitted_collectives();
    }
    evidence->predicted = predicted_rows(evidence->fitted, shipped, evidence->rows);
    evidence->summaries = summaries_of(evidence->predicted);
    evidence->left_out = summaries_of(left_out_rows(evidence->fitted, shipped));
    return evidence;
}

Tree tree_of(const ErrorSummary& one) {
    return {{"hardware", one.hardware.empty() ? Tree() : Tree(one.hardware)},
            {"operation", one.operation.empty() ? Tree() : Tree(one.operation)},
            {"rows", one.rows},
            {"predicted", one.predicted},
            {"coverage", one.coverage()},
            {"mean_error", one.mean},
            {"median_error", one.median},
            {"ninetieth_percentile_error", one.ninetieth},
            {"worst_error", one.worst},
            {"inside_band", one.inside_band}};
}

Tree tree_of(const PredictedRow& one) {
    const CollectiveRow& row = *one.row;
    Tree tree = {{"id", row.id},       {"hardware", row.hardware}, {"operation", row.operation},
                 {"chips", row.chips}, {"bytes", row.bytes},       {"quantity", "time_s"}};
    if (!row.reason.empty()) {
        tree["reason"] = row.reason;
        return tree;
    }
    tree["predicted"] = one.seconds;
    tree["measured"] = row.seconds;
    tree["low"] = one.low;
    tree["high"] = one.high;
    tree["error"] = one.error();
    return tree;
}

Tree values_of(const Evidence& evidence) {
    Tree summary = Tree::array();
    for (const ErrorSummary& one : evidence.summaries.by_hardware_and_operation) {
        summary.push_back(tree_of(one));
    }
    Tree rows = Tree::array();
    for (const PredictedRow& one : evidence.predicted) {
        rows.push_back(tree_of(one));
    }
    Tree values = {{"all", tree_of(evidence.summaries.all)},
                   {"from_16_mb", tree_of(evidence.summaries.large)},
                   {"left_out",
                    {{"folds", folds},
                     {"all", tree_of(evidence.left_out.all)},
                     {"from_16_mb", tree_of(evidence.left_out.large)}}},
                   {"summary", std::move(summary)},
                   {"rows", std::move(rows)}};
    if (evidence.fit) {
        values["constants"] = values_of(evidence.fitted);
    }
    return values;
}

std::string percent(double share) {
    return fmt::format("{:.1f}%", 100 * share);
}

std::vector<std::string> line_of(const ErrorSummary& one) {
    return {one.hardware,
            one.operation,
            std::to_string(one.rows),
            percent(one.coverage()),
            percent(one.mean),
            percent(one.median),
            percent(one.ninetieth),
            percent(one.worst),
            percent(one.inside_band)};
}

Lines summary_lines(const Evidence& evidence) {
    Lines lines = {
        {"hardware", "operation", "rows", "covered", "mean", "median", "90th", "worst", "in band"}};
    for (const ErrorSummary& one : evidence.summaries.by_hardware_and_operation) {
        lines.push_back(line_of(one));
    }
    for (auto [name, one] :
         {std::pair("all", evidence.summaries.all), std::pair("from 16 MB", evidence.summaries.large)}) {
        lines.push_back(line_of(one));
        lines.back()[0] = name;
    }
    return lines;
}

std::string folds_text(const Evidence& evidence) {
    const auto words = [](const ErrorSummary& one) {
        return fmt::format("mean {}, median {}, 90th percentile {}, in band {}", percent(one.mean),
                           percent(one.median), percent(one.ninetieth), percent(one.inside_band));
    };
    return fmt::format("The shipped rows, each by constants fitted without its group ({} folds):\n"
                       "  all {}\n  from 16 MB {}\n",
                       folds, words(evidence.left_out.all), words(evidence.left_out.large));
}

/// "1.9", and for how much of it a standard error stands.
std::string with_error(const std::string& value, double error) {
    return fmt::format("{} \u00b1{:.0f}%", value, 100 * error);
}

Lines constant_lines(const FittedCollectives& fitted) {
    Lines lines = {{"fabric", "operation", "run by", "latency", "rate", "third constant", "rows", "groups"}};
    for (const FittedCell& one : fitted.cells) {
        const std::string third = with_error(fmt::format("{:.2f}", one.third), one.errors[2]);
        lines.push_back({one.cell.fabric, one.cell.operation, one.cell.stack,
                         with_error(si_text(one.latency, "s"), one.errors[0]),
                         with_error(si_text(one.rate, "B/s"), one.errors[1]),
                         one.kind == CellKind::experts        ? std::string("not used")
                         : one.kind == CellKind::cores        ? third + " of cores"
                         : one.kind == CellKind::beyond_pairs ? third + " beyond pairs"
                                                              : third + " of size",
                         std::to_string(one.rows), std::to_string(one.groups)});
    }
    return lines;
}

Table rows_table(const Evidence& evidence) {
    Table table{"Measured and predicted",
                {"id", "hardware", "operation", "chips", "bytes", "measured_s", "predicted_s", "low_s",
                 "high_s", "reason"},
                {}};
    for (const PredictedRow& one : evidence.predicted) {
        const CollectiveRow& row = *one.row;
        table.rows.push_back({row.id, row.hardware, row.operation, row.chips, row.bytes, row.seconds,
                              one.seconds, one.low, one.high, row.reason});
    }
    return table;
}

Answer answer_of(const Asked& asked, const std::shared_ptr<Evidence>& evidence) {
    const ErrorSummaries& sums = evidence->summaries;
    const std::string file = asked.has("file") ? asked.said.words("--file") : std::string();
    Answer answer{
        values_of(*evidence),
        say("{} of {} measured collectives predicted: half of them within {}, from 16 MB {} on average.",
            sums.all.predicted, sums.all.rows, percent(sums.all.median), percent(sums.large.mean)),
        file.empty() ? say("Measured collectives that come with the program") : file};
    answer.words = {
        {answer.headline + "\n"}, {{}, summary_lines(*evidence), 2, false}, {folds_text(*evidence)}};
    if (evidence->fit) {
        answer.words.push_back({"Constants, each with its standard error:\n"});
        answer.words.push_back({{}, constant_lines(evidence->fitted), 3, false});
    }
    answer.tables.push_back(NamedTable::of("rows", rows_table(*evidence)));
    answer.texts.push_back({"constants", [evidence](std::ostream& out) {
                                out << json_file(values_of(evidence->fitted));
                                return Result<void>();
                            }});
    return answer;
}

} // namespace

Question evidence_question() {
    QuestionField what =
        choice_flag("--about", {}, {"collectives", "training", "memory", "inference", "serving"});
    what.row.key = "about";
    what.row.name = said("About");
    what.row.label = said("About");
    what.row.flag = "about";
    what.row.flag_help =
        "collectives: all-gathers, all-reduces, ..., and what experts send and get back; training: "
        "the steps of training runs; memory: what their chips held; inference: prefill and decode of "
        "static batches, and the memory of a chip; serving: deployments under load, and logs of requests";
    Question question{
        "evidence",
        said("Evidence"),
        "",
        said("Predicts what others measured, and says how far off it is, by hardware and operation"),
        {},
        {std::move(what),
         file_flag("--file",
                   "FILE.csv: rows of your own instead of those that come with the program, with the columns "
                   "hardware, op, n, bytes, time_us, and nodes, gpus_per_node, library, tokens_per_rank, "
                   "hidden, topk, sms where they matter"),
         choice_flag("--leave-out",
                     "Of training, inference and serving: whether the shipped rows are predicted by "
                     "constants without their "
                     "configuration, their model or their hardware",
                     {"configuration", "model", "hardware"}),
         switch_flag("--fit", "Fits the constants again to the rows that come with the program, and prints "
                              "each with its standard error")},
        {},
        [](const Asked& asked, const RunControl& control) -> Result<Answer> {
            if (asked.text("about") == "training") {
                return training_evidence(asked, control);
            }
            if (asked.text("about") == "memory") {
                return memory_evidence(asked, control);
            }
            if (asked.text("about") == "inference") {
                return inference_evidence(asked, control);
            }
            if (asked.text("about") == "serving") {
                return serving_evidence(asked, control);
            }
            return found(asked, control).map([&](const std::shared_ptr<Evidence>& evidence) {
                return answer_of(asked, evidence);
            });
        },
        {},
        {{AnswerFile::Of::table, "rows", "--rows",
          "FILE.csv: writes each row, measured and predicted, there"},
         {AnswerFile::Of::text, "constants", "--out", "FILE.json: writes the constants there"},
         {AnswerFile::Of::chart, "training", "--svg",
          "FILE.svg: of training, draws predicted against measured times of a step"}}};
    question.examples = {
        "collectives", "collectives --json", "collectives --rows rows.csv", "training", "memory", "inference",
        "serving"};
    return question;
}

} // namespace meshslice
