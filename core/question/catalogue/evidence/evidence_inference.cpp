#include "core/question/catalogue/evidence/evidence_inference.h"

#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/evidence/folds.h"
#include "core/evidence/inference/inference_evidence.h"
#include "core/evidence/inference/inference_fit.h"
#include "core/evidence/inference/serving_rows.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using InferenceLines = std::vector<std::vector<std::string>>;

/// What static batches and serving have of their own.
struct InferenceSet {
    InferenceFitKind kind = InferenceFitKind::static_batches;
    Result<std::vector<InferenceRow>> (*read)(std::string_view csv,
                                              const std::string& origin) = read_inference_rows;
    const std::vector<InferenceRow>& (*shipped)() = measured_inference;
    const FittedInference& (*fitted)() = fitted_inference;
};

struct InferenceEvidence {
    bool serving = false;
    std::vector<InferenceRow> rows;
    FittedInference fitted;
    std::vector<PredictedInference> predicted;
    std::vector<InferenceSummary> summaries;
    std::string part;                       ///< what the shipped rows are left out by
    std::vector<InferenceSummary> left_out; ///< of them, each by constants fitted without its part
    bool fit = false;
};

Result<std::vector<InferenceRow>> inference_rows_of(const Asked& asked, const InferenceSet& set) {
    if (!asked.has("file")) {
        return set.shipped();
    }
    const auto* file = std::get_if<JsonPart>(&asked.value("file"));
    if (file == nullptr) {
        return refuse(say("{} is a file, which only a command line can read.", asked.called("file")));
    }
    return set.read(file->json, file->origin);
}

LeftOutPart part_named(const std::string& name) {
    return name == "model"      ? LeftOutPart([](const InferenceRow& row) { return row.model; })
           : name == "hardware" ? LeftOutPart([](const InferenceRow& row) { return row.hardware; })
                                : LeftOutPart(fold_part);
}

Result<std::shared_ptr<InferenceEvidence>> inference_found(const Asked& asked, const InferenceSet& set,
                                                           const RunControl& control) {
    auto evidence = std::make_shared<InferenceEvidence>();
    Result<std::vector<InferenceRow>> rows = inference_rows_of(asked, set);
    if (!rows) {
        return refuse(rows.error());
    }
    evidence->rows = *std::move(rows);
    evidence->serving = set.kind == InferenceFitKind::serving;
    evidence->fit = asked.flag("fit");
    evidence->part = asked.text("leave_out");
    if (evidence->part.empty()) {
        evidence->part = "configuration";
    }
    // A fit that simulates begins at that of all rows, so that it is short.
    const auto begins = [&](const FittedInference& all) { return evidence->serving ? &all : nullptr; };
    const std::vector<InferenceRow>& shipped = set.shipped();
    evidence->fitted = set.fitted();
    if (evidence->fit) {
        Result<FittedInference> fitted = fit_inference_constants(shipped, control, set.kind);
        if (!fitted) {
            return refuse(fitted.error());
        }
        auto errors = left_out_errors(shipped, fold_part, control, set.kind, begins(*fitted));
        if (!errors) {
            return refuse(errors.error());
        }
        evidence->fitted = *std::move(fitted);
        evidence->fitted.left_out = *std::move(errors);
    }
    auto errors = evidence->fitted.left_out;
    if (evidence->part != "configuration") {
        auto other =
            left_out_errors(shipped, part_named(evidence->part), control, set.kind, begins(evidence->fitted));
        if (!other) {
            return refuse(other.error());
        }
        errors = *std::move(other);
    }
    evidence->predicted = predicted_inference(evidence->fitted, shipped, evidence->rows);
    evidence->summaries = inference_summaries(evidence->predicted);
    evidence->left_out = inference_summaries(left_out_inference(evidence->fitted, shipped, errors));
    return evidence;
}

Tree inference_tree(const InferenceSummary& one) {
    return {{"quantity", name(one.quantity)},
            {"by", one.by.empty() ? Tree() : Tree(one.by)},
            {"name", one.by.empty() ? Tree() : Tree(one.name)},
            {"rows", one.rows},
            {"predicted", one.predicted},
            {"coverage", one.coverage()},
            {"mean_error", one.mean},
            {"median_error", one.median},
            {"ninetieth_percentile_error", one.ninetieth},
            {"worst_error", one.worst},
            {"inside_band", one.inside_band}};
}

Tree inference_tree(const std::vector<InferenceSummary>& all) {
    Tree list = Tree::array();
    for (const InferenceSummary& one : all) {
        list.push_back(inference_tree(one));
    }
    return list;
}

Tree inference_tree(const PredictedInference& one) {
    const InferenceRow& row = *one.row;
    Tree tree = {{"id", row.id},         {"hardware", row.hardware},       {"model", row.model},
                 {"engine", row.engine}, {"quantity", name(one.quantity)}, {"unit", unit(one.quantity)}};
    if (!row.reason.empty()) {
        tree["reason"] = row.reason;
        return tree;
    }
    if (!(one.predicted > 0)) {
        tree["reason"] = say("Such a run does not have it.");
        return tree;
    }
    tree["predicted"] = one.predicted;
    if (one.measured > 0) {
        tree["measured"] = one.measured;
        tree["error"] = one.error();
    }
    tree["low"] = one.low;
    tree["high"] = one.high;
    tree["nearest"] = Tree::array();
    for (const InferenceRow* near : one.nearest) {
        tree["nearest"].push_back(near->id);
    }
    return tree;
}

Tree inference_values(const InferenceEvidence& evidence) {
    Tree rows = Tree::array();
    for (const PredictedInference& one : evidence.predicted) {
        rows.push_back(inference_tree(one));
    }
    Tree values = {{"summary", inference_tree(evidence.summaries)},
                   {"left_out", {{"by", evidence.part}, {"summary", inference_tree(evidence.left_out)}}},
                   {"rows", std::move(rows)}};
    if (evidence.part == "configuration") {
        values["left_out"]["folds"] = folds;
    }
    if (evidence.fit) {
        values["constants"] = values_of(evidence.fitted);
    }
    return values;
}

std::string inference_percent(double share) {
    return fmt::format("{:.1f}%", 100 * share);
}

InferenceLines inference_lines(const std::vector<InferenceSummary>& all) {
    InferenceLines lines = {
        {"quantity", "of", "rows", "covered", "mean", "median", "90th", "worst", "in band"}};
    for (const InferenceSummary& one : all) {
        lines.push_back({std::string(name(one.quantity)), one.by.empty() ? std::string("all") : one.name,
                         std::to_string(one.rows), inference_percent(one.coverage()),
                         inference_percent(one.mean), inference_percent(one.median),
                         inference_percent(one.ninetieth), inference_percent(one.worst),
                         inference_percent(one.inside_band)});
    }
    return lines;
}

std::vector<InferenceSummary> without_parts(const std::vector<InferenceSummary>& all) {
    std::vector<InferenceSummary> whole;
    for (const InferenceSummary& one : all) {
        if (one.by.empty()) {
            whole.push_back(one);
        }
    }
    return whole;
}

InferenceLines inference_constant_lines(const FittedInference& fitted) {
    InferenceLines lines = {{"of", "constant", "value", "error", "rows"}};
    const auto add = [&](const std::string& of, const std::vector<InferenceFitted>& list, std::size_t first) {
        const auto rows = fitted.rows.find(of);
        for (std::size_t k = 0; k < list.size(); ++k) {
            lines.push_back({of, std::string(sheet(static_cast<InferenceConstant>(first + k)).name),
                             fmt::format("{:.4g}", list[k].value), inference_percent(list[k].error),
                             rows == fitted.rows.end() ? std::string() : std::to_string(rows->second)});
        }
    };
    for (const auto& [chip, list] : fitted.chips) {
        add(chip, list, 0);
    }
    for (const auto& [engine, list] : fitted.engines) {
        add(engine, list, inference_chip_constants);
    }
    add("all", fitted.shared, inference_chip_constants + inference_engine_constants);
    return lines;
}

Table inference_table(const InferenceEvidence& evidence) {
    Table table{"Measured and predicted",
                {"id", "hardware", "model", "engine", "quantity", "unit", "measured", "predicted", "low",
                 "high", "reason"},
                {}};
    for (const PredictedInference& one : evidence.predicted) {
        const InferenceRow& row = *one.row;
        table.rows.push_back({row.id, row.hardware, row.model, row.engine, std::string(name(one.quantity)),
                              std::string(unit(one.quantity)), one.measured, one.predicted, one.low, one.high,
                              row.reason});
    }
    return table;
}

std::string inference_headline(const InferenceEvidence& evidence) {
    const InferenceSummary *first = nullptr, *next = nullptr;
    for (const InferenceSummary& one : evidence.summaries) {
        if (one.by.empty()) {
            first = one.quantity == InferenceQuantity::ttft ? &one : first;
            next = one.quantity == InferenceQuantity::tpot ? &one : next;
        }
    }
    if (first == nullptr || next == nullptr) {
        return say("{} measured quantities, next to what we say of them.", evidence.predicted.size());
    }
    if (evidence.serving) {
        return say(
            "Half of {} measured points of serving: time per token within {}, time to first token within {}.",
            next->predicted, inference_percent(next->median), inference_percent(first->median));
    }
    return say("Time to first token within {} on average, time per token within {}, of {} measured batches.",
               inference_percent(first->mean), inference_percent(next->mean), next->predicted);
}

Answer inference_answer(const Asked& asked, const std::shared_ptr<InferenceEvidence>& evidence) {
    const std::string file = asked.has("file") ? asked.said.words("--file") : std::string();
    Answer answer{inference_values(*evidence), inference_headline(*evidence),
                  !file.empty()       ? file
                  : evidence->serving ? say("Measured serving that comes with the program")
                                      : say("Measured inference that comes with the program")};
    answer.words = {
        {answer.headline + "\n"},
        {{}, inference_lines(evidence->summaries), 2, false},
        {fmt::format("The shipped rows, each by constants fitted without its {}:\n", evidence->part)},
        {{}, inference_lines(without_parts(evidence->left_out)), 2, false}};
    if (evidence->fit) {
        answer.words.push_back({"Constants, each with its standard error:\n"});
        answer.words.push_back({{}, inference_constant_lines(evidence->fitted), 2, false});
    }
    answer.tables.push_back(NamedTable::of("rows", inference_table(*evidence)));
    answer.texts.push_back({"constants", [evidence](std::ostream& out) {
                                out << json_file(values_of(evidence->fitted));
                                return Result<void>();
                            }});
    return answer;
}

Result<Answer> inference_answer(const Asked& asked, const InferenceSet& set, const RunControl& control) {
    return inference_found(asked, set, control).map([&](const std::shared_ptr<InferenceEvidence>& evidence) {
        return inference_answer(asked, evidence);
    });
}

} // namespace

Result<Answer> inference_evidence(const Asked& asked, const RunControl& control) {
    return inference_answer(asked, InferenceSet(), control);
}

Result<Answer> serving_evidence(const Asked& asked, const RunControl& control) {
    return inference_answer(
        asked, {InferenceFitKind::serving, read_serving_rows, measured_serving, fitted_serving}, control);
}

} // namespace meshslice
