// Training runs that others measured, next to what we say of them.

#include "core/question/catalogue/evidence/evidence_training.h"

#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/evidence/memory_evidence.h"
#include "core/evidence/training/training_evidence.h"
#include "core/evidence/training/training_fit.h"
#include "core/report/chart/training_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using TextLines = std::vector<std::vector<std::string>>;

/// What was asked, and its answer; rows stand behind the predictions.
struct TrainingEvidence {
    std::vector<TrainingRow> rows;
    FittedTraining fitted;
    std::vector<PredictedTraining> predicted;
    std::vector<TrainingSummary> summaries;
    std::vector<PredictedTraining> charted; ///< the shipped rows without their parts, or rows of a file
    std::vector<TrainingSummary> left_out;  ///< of the shipped rows, each by constants without its part
    std::string part;                       ///< "configuration", "model", "hardware"
    bool fit = false;
};

Result<std::vector<TrainingRow>> asked_rows(const Asked& asked) {
    if (!asked.has("file")) {
        return measured_training();
    }
    const auto* file = std::get_if<JsonPart>(&asked.value("file"));
    if (file == nullptr) {
        return refuse(say("{} is a file, which only a command line can read.", asked.called("file")));
    }
    return read_training_rows(file->json, file->origin);
}

TrainingPart part_of(const std::string& word) {
    if (word == "model") {
        return [](const TrainingRow& row) { return row.model; };
    }
    if (word == "hardware") {
        return [](const TrainingRow& row) { return row.chip == nullptr ? std::string() : row.chip->name; };
    }
    return fold_name;
}

Result<std::shared_ptr<TrainingEvidence>> found_training(const Asked& asked, const RunControl& control) {
    auto evidence = std::make_shared<TrainingEvidence>();
    Result<std::vector<TrainingRow>> rows = asked_rows(asked);
    if (!rows) {
        return refuse(rows.error());
    }
    evidence->rows = *std::move(rows);
    evidence->fit = asked.flag("fit");
    evidence->fitted = fitted_training();
    const std::vector<TrainingRow>& shipped = measured_training();
    if (evidence->fit) {
        Result<FittedTraining> fitted = fit_training_constants(shipped, control);
        if (!fitted) {
            return refuse(fitted.error());
        }
        const Result<std::vector<double>> errors = errors_without(shipped, fold_name, control);
        if (!errors) {
            return refuse(errors.error());
        }
        evidence->fitted = *std::move(fitted);
        for (std::size_t k = 0; k < shipped.size(); ++k) {
            if (shipped[k].reason.empty() && shipped[k].quantity != TrainingQuantity::none) {
                evidence->fitted.left_out[shipped[k].id] = (*errors)[k];
            }
        }
    }
    const std::string out = asked.text("leave_out");
    evidence->part = out.empty() ? "configuration" : out;
    std::vector<double> errors;
    if (out == "model" || out == "hardware") {
        Result<std::vector<double>> without = errors_without(shipped, part_of(out), control);
        if (!without) {
            return refuse(without.error());
        }
        errors = *std::move(without);
    } else {
        for (const TrainingRow& row : shipped) {
            const auto known = evidence->fitted.left_out.find(row.id);
            errors.push_back(known == evidence->fitted.left_out.end() ? 0 : known->second);
        }
    }
    evidence->predicted = predicted_training(evidence->fitted, shipped, evidence->rows);
    evidence->summaries = training_summaries(evidence->predicted);
    std::vector<PredictedTraining> without_part =
        left_out_training(evidence->fitted, shipped, shipped, errors);
    evidence->charted = asked.has("file") ? evidence->predicted : without_part;
    std::erase_if(evidence->charted, [](const PredictedTraining& one) {
        return one.row().doubtful || !one.row().reason.empty() || !one.scored();
    });
    // Anchors are in no fit: their errors stand with the others, and none is left out here.
    std::erase_if(without_part, [](const PredictedTraining& one) { return one.row().anchor; });
    evidence->left_out = training_summaries(without_part);
    return evidence;
}

Tree tree_of(const TrainingSummary& one) {
    return {{"kind", one.model_kind},
            {"by", one.by.empty() ? Tree() : Tree(one.by)},
            {"name", one.name.empty() ? Tree() : Tree(one.name)},
            {"rows", one.rows},
            {"predicted", one.predicted},
            {"coverage", one.coverage()},
            {"mean_error", one.mean},
            {"median_error", one.median},
            {"ninetieth_percentile_error", one.ninetieth},
            {"worst_error", one.worst},
            {"floor_of_mean_error", one.floor},
            {"inside_band", one.inside_band}};
}

Tree tree_of(const std::vector<TrainingSummary>& all) {
    Tree list = Tree::array();
    for (const TrainingSummary& one : all) {
        list.push_back(tree_of(one));
    }
    return list;
}

Tree tree_of(const StepSeconds& step) {
    return {{"compute_in_s", step.compute},     {"experts_in_s", step.experts},
            {"exchanges_in_s", step.exchanges}, {"head_in_s", step.head},
            {"gathers_in_s", step.gathers},     {"bubble_in_s", step.bubble},
            {"transfers_in_s", step.transfers}, {"gradients_in_s", step.data},
            {"optimizer_in_s", step.optimizer}, {"stragglers_in_s", step.stragglers}};
}

Tree tree_of(const PredictedTraining& one) {
    const TrainingRow& row = one.row();
    Tree tree = {{"id", row.id},       {"hardware", row.hardware},
                 {"model", row.model}, {"framework", row.framework},
                 {"chips", row.chips}, {"quantity", name(row.quantity)}};
    if (!row.reason.empty()) {
        tree["reason"] = row.reason;
        return tree;
    }
    if (row.quantity == TrainingQuantity::none) {
        tree["reason"] = say("It has no step time, tokens, FLOP rate or utilization.");
        tree["step_time_in_s"] = one.step.total;
        return tree;
    }
    tree["predicted"] = one.predicted;
    tree["measured"] = row.measured;
    tree["low"] = one.low;
    tree["high"] = one.high;
    tree["error"] = one.error();
    tree["step_time_in_s"] = one.step.total;
    tree["parts"] = tree_of(one.step);
    tree["recomputed"] = name(one.training.again);
    tree["memory_in_bytes"] = one.training.memory;
    Tree nearest = Tree::array();
    for (const NearTraining& near : one.nearest) {
        nearest.push_back({{"id", near.row->id},
                           {"distance", near.distance},
                           {"measured", near.row->measured},
                           {"quantity", name(near.row->quantity)},
                           {"error_in_step_time", std::exp(near.log_error) - 1},
                           {"source", near.row->source}});
    }
    tree["nearest"] = std::move(nearest);
    return tree;
}

Tree values_of(const TrainingEvidence& evidence) {
    Tree rows = Tree::array();
    for (const PredictedTraining& one : evidence.predicted) {
        rows.push_back(tree_of(one));
    }
    Tree values = {{"summary", tree_of(evidence.summaries)},
                   {"left_out", {{"without", evidence.part}, {"summary", tree_of(evidence.left_out)}}},
                   {"rows", std::move(rows)}};
    if (evidence.fit) {
        values["constants"] = values_of(evidence.fitted);
    }
    return values;
}

std::string percent_of(double share) {
    return fmt::format("{:.1f}%", 100 * share);
}

std::vector<std::string> line_of(const TrainingSummary& one) {
    return {one.name.empty() ? "all" : one.name, one.model_kind,        std::to_string(one.rows),
            percent_of(one.coverage()),          percent_of(one.mean),  percent_of(one.median),
            percent_of(one.ninetieth),           percent_of(one.worst), percent_of(one.floor),
            percent_of(one.inside_band)};
}

/// Of everything, or by hardware, or by framework.
TextLines lines_of(const std::vector<TrainingSummary>& all, const std::string& first,
                   const std::vector<std::string>& by) {
    TextLines lines = {
        {first, "models", "rows", "covered", "mean", "median", "90th", "worst", "floor", "in band"}};
    for (const std::string& what : by) {
        for (const TrainingSummary& one : all) {
            if (one.by == what) {
                lines.push_back(line_of(one));
            }
        }
    }
    return lines;
}

std::string value_words(ChipConstant constant, double value) {
    return of_chip(constant) ? fmt::format("{:.3f}", value) : si_text(value, "s");
}

TextLines constant_lines(const FittedTraining& fitted) {
    TextLines lines = {{"of", "constant", "value", "standard error", "rows"}};
    for (std::size_t k = 0; k < stack_constants; ++k) {
        const FittedValue& one = fitted.stack[k];
        lines.push_back({"all chips", std::string(name(static_cast<StackConstant>(k))),
                         fmt::format("{:.4f}", one.value), fmt::format("{:.0f}%", 100 * one.error),
                         std::to_string(one.rows)});
    }
    for (const auto* chips : {&fitted.families, &fitted.chips}) {
        for (const auto& [title, chip] : *chips) {
            for (std::size_t k = 0; k < chip_constants; ++k) {
                const FittedValue& one = chip[k];
                const auto constant = static_cast<ChipConstant>(k);
                if (one.value > 0) {
                    lines.push_back({title, std::string(name(constant)), value_words(constant, one.value),
                                     fmt::format("{:.0f}%", 100 * one.error), std::to_string(one.rows)});
                }
            }
        }
    }
    return lines;
}

Table rows_table(const TrainingEvidence& evidence) {
    Table table{"Measured and predicted",
                {"id", "hardware", "model", "framework", "chips", "quantity", "measured", "predicted", "low",
                 "high", "reason"},
                {}};
    for (const PredictedTraining& one : evidence.predicted) {
        const TrainingRow& row = one.row();
        table.rows.push_back({row.id, row.hardware, row.model, row.framework, row.chips,
                              std::string(name(row.quantity)), row.measured, one.predicted, one.low, one.high,
                              row.reason});
    }
    return table;
}

std::string headline_of(const TrainingEvidence& evidence) {
    std::int64_t rows = 0, predicted = 0;
    double mean = 0;
    for (const TrainingSummary& one : evidence.summaries) {
        if (one.by.empty()) {
            rows += one.rows;
            predicted += one.predicted;
            mean += one.mean * static_cast<double>(one.predicted);
        }
    }
    return say("{} of {} measured training runs predicted, {} off on average.", predicted, rows,
               percent_of(mean / std::max(1.0, static_cast<double>(predicted))));
}

} // namespace

Result<Answer> training_evidence(const Asked& asked, const RunControl& control) {
    const Result<std::shared_ptr<TrainingEvidence>> found = found_training(asked, control);
    if (!found) {
        return refuse(found.error());
    }
    const std::shared_ptr<TrainingEvidence>& evidence = *found;
    const std::string file = asked.has("file") ? asked.said.words("--file") : std::string();
    Answer answer{values_of(*evidence), headline_of(*evidence),
                  file.empty() ? say("Measured training runs that come with the program") : file};
    answer.words = {
        {answer.headline + "\n"},
        {{}, lines_of(evidence->summaries, "hardware", {"", "hardware"}), 2, false},
        {"\n"},
        {{}, lines_of(evidence->summaries, "framework", {"framework"}), 2, false},
        {fmt::format("\nThe shipped rows, each by constants fitted without its {}:\n", evidence->part)},
        {{}, lines_of(evidence->left_out, "hardware", {"", "hardware"}), 2, false}};
    if (evidence->fit) {
        answer.words.push_back({"\nConstants, each with its standard error:\n"});
        answer.words.push_back({{}, constant_lines(evidence->fitted), 2, false});
    }
    answer.tables.push_back(NamedTable::of("rows", rows_table(*evidence)));
    Chart chart = training_chart(evidence->charted);
    if (!chart.panels.empty()) {
        chart.notes.push_back(file.empty()
                                  ? say("Each run by constants fitted without its {}.", said(evidence->part))
                                  : said("By constants fitted to the runs that come with the program."));
        answer.charts.push_back({"training", std::move(chart)});
    }
    answer.texts.push_back({"constants", [evidence](std::ostream& out) {
                                out << json_file(values_of(evidence->fitted));
                                return Result<void>();
                            }});
    return answer;
}

Result<Answer> memory_evidence(const Asked& asked, const RunControl& control) {
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    std::vector<MemoryRow> all = measured_memory();
    if (asked.has("file")) {
        const auto* file = std::get_if<JsonPart>(&asked.value("file"));
        if (file == nullptr) {
            return refuse(say("{} is a file, which only a command line can read.", asked.called("file")));
        }
        const bool runs = file->json.find("global_batch_seqs") < file->json.find('\n');
        Result<std::vector<MemoryRow>> read =
            runs ? read_training_rows(file->json, file->origin).map(memory_of_runs)
                 : read_memory_rows(file->json, file->origin);
        if (!read) {
            return refuse(read.error());
        }
        all = *std::move(read);
    }
    Tree rows = Tree::array();
    TextLines lines = {{"id", "hardware", "model", "bytes of", "measured", "predicted", "error"}};
    double mean = 0, worst = 0;
    std::int64_t predicted = 0;
    for (const MemoryRow& one : all) {
        Tree row = {{"id", one.id},
                    {"hardware", one.hardware},
                    {"model", one.model},
                    {"quantity", one.quantity + "_in_bytes"},
                    {"measured", one.measured}};
        const bool known = one.reason.empty();
        if (known) {
            row["predicted"] = one.predicted;
            row["error"] = one.error();
            mean += std::abs(one.error());
            worst = std::max(worst, std::abs(one.error()));
            ++predicted;
        } else {
            row["reason"] = one.reason;
        }
        rows.push_back(std::move(row));
        lines.push_back({one.id, one.hardware, one.model, one.quantity, si_text(one.measured, "B"),
                         known ? si_text(one.predicted, "B") : one.reason,
                         known ? deviation_text(one.error()) : std::string()});
    }
    mean /= std::max<double>(1, static_cast<double>(predicted));
    const std::string file = asked.has("file") ? asked.said.words("--file") : std::string();
    Answer answer{{{"summary",
                    {{"rows", static_cast<std::int64_t>(all.size())},
                     {"predicted", predicted},
                     {"mean_error", mean},
                     {"worst_error", worst}}},
                   {"rows", std::move(rows)}},
                  say("{} of {} measured memories predicted, {} off on average, the worst {}.", predicted,
                      all.size(), percent_of(mean), percent_of(worst)),
                  file.empty() ? say("Measured memories that come with the program") : file};
    answer.words = {{answer.headline + "\n"}, {{}, lines, 4, false}};
    return answer;
}

} // namespace meshslice
