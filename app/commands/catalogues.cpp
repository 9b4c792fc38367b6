// What comes with the program: presets, the words that it uses, and the schemas of its files.

#include "app/catalogues.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/lesson/lesson_schema.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "core/report/words/glossary.h"
#include "core/scenario/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// A question about what there is, which may be narrowed down by a word.
Question catalogue_question(std::string id, std::string title, std::string summary, FieldRow word,
                            std::function<Result<Answer>(const std::string& word)> answer) {
    const std::string key = word.key;
    Question question{std::move(id), std::move(title), {}, std::move(summary)};
    word.name = word.flag = key;
    word.help = word.flag_help;
    question.fields.push_back({.row = std::move(word)});
    question.answer = [key, answer = std::move(answer)](const Asked& asked, const RunControl& /*control*/) {
        return answer(asked.text(key));
    };
    return question;
}

/// One row a machine; those that the same kind of network joins stand together.
Paragraph machine_lines() {
    Paragraph all{{},
                  {{"machine", "title", "cores", "bf16", "vectors", "HBM", "HBM rate", "sync",
                    "launch AG/RdS", "network"}},
                  2,
                  false};
    for (bool (*const joined)(const Machine&) : {is_plain_torus, feeds_rings, has_domains}) {
        for (const Machine& one : presets_that(joined)) {
            all.lines.push_back({one.name, one.title, std::to_string(one.cores.value),
                                 text(one.peak_rate(DataType::bf16)),
                                 one.vector_rate.value > FlopRate(0) ? text(one.vector_rate.value) : "-",
                                 text(one.hbm.value), text(one.hbm_bandwidth.value), text(one.sync.value),
                                 fmt::format("{} / {}", text(one.launch_time(Collective::all_gather)),
                                             text(one.launch_time(Collective::reduce_scatter))),
                                 text(one.network)});
        }
    }
    return all;
}

Paragraph model_lines() {
    Paragraph all{
        {}, {{"model", "title", "layers", "hidden", "heads", "KV heads", "feed-forward", "gated"}}, 2, false};
    for (const Transformer& model : model_presets()) {
        all.lines.push_back({model.name, model.title, std::to_string(model.layers),
                             std::to_string(model.hidden), std::to_string(model.heads),
                             std::to_string(model.kv_heads), std::to_string(model.feed_forward),
                             model.gated ? "yes" : "no"});
    }
    return all;
}

std::string algorithms_text() {
    std::string out;
    for (const Algorithm& algorithm : all_algorithms()) {
        std::vector<std::string_view> dataflows;
        for (const Dataflow dataflow : algorithm.dataflows) {
            dataflows.push_back(name(dataflow));
        }
        out +=
            fmt::format("{}\n    {}\n    needs:     {}\n    dataflows: {}\n    source:    {}\n", algorithm.id,
                        algorithm.summary, algorithm.needs, fmt::join(dataflows, ", "), algorithm.source);
    }
    return out;
}

/// The first line says what the columns are.
NamedTable table_of(const std::string& name, const Paragraph& lines) {
    Table table{name, lines.lines.front(), {}};
    for (std::size_t k = 1; k < lines.lines.size(); ++k) {
        table.rows.emplace_back(lines.lines[k].begin(), lines.lines[k].end());
    }
    return NamedTable::of(name, std::move(table));
}

Result<Answer> presets(const std::string& kind) {
    // The last three are what machines were called before they had one list.
    const bool machines = kind == "machines" || kind == "hardware" || kind == "clusters" || kind == "gpus";
    if (!kind.empty() && !machines && kind != "models" && kind != "algorithms") {
        return refuse(fmt::format(
            "There are no presets of \"{}\"; machines, models and algorithms have some.", shortened(kind)));
    }
    Answer answer;
    const auto add = [&](const std::string& name, Paragraph paragraph) {
        if (!answer.words.empty()) {
            answer.words.push_back({"\n"});
        }
        if (!paragraph.lines.empty()) {
            answer.tables.push_back(table_of(name, paragraph));
        }
        answer.words.push_back(std::move(paragraph));
    };
    if (kind.empty() || machines) {
        add("machines", machine_lines());
    }
    if (kind.empty() || kind == "models") {
        add("models", model_lines());
    }
    if (kind.empty() || kind == "algorithms") {
        add("algorithms", {algorithms_text()});
    }
    for (const NamedTable& table : answer.tables) {
        answer.values[table.name] = rows_of(whole_table(table).value_or(Table()));
    }
    return answer;
}

Result<Answer> explained(const std::string& word) {
    std::vector<std::string> known;
    Answer answer;
    Table table{"glossary", {"word", "text", "source"}, {}};
    for (const GlossaryEntry& entry : glossary()) {
        known.push_back(entry.word);
        if (word.empty() || &entry == glossary_entry(word)) {
            answer.words.push_back({fmt::format("{}{}\n  {}\n  Source: {}\n", table.rows.empty() ? "" : "\n",
                                                entry.word, entry.text, entry.source)});
            table.rows.push_back({entry.word, entry.text, entry.source});
        }
    }
    if (table.rows.empty()) {
        return refuse(fmt::format("The glossary has no entry \"{}\"; it has {}.", shortened(word),
                                  fmt::join(known, ", ")));
    }
    answer.values = rows_of(table);
    answer.tables.push_back(NamedTable::of("glossary", std::move(table)));
    return answer;
}

Result<Answer> schema(const std::string& files) {
    if (!files.empty() && files != "project" && files != "lesson") {
        return refuse(fmt::format("\"{}\" has no schema; project and lesson have.", shortened(files)));
    }
    const std::string json = files == "lesson" ? lesson_schema() : project_schema();
    Answer answer{tree_of_json(json)};
    answer.words = {{json}};
    return answer;
}

} // namespace

Question presets_question() {
    return catalogue_question(
        "presets", "Presets", "Lists the machines, models and algorithms that come with it",
        {.key = "kind", .flag_help = "machines, models or algorithms (default: all)"}, presets);
}

Question glossary_question() {
    return catalogue_question(
        "glossary", "Glossary", "Explains the words of the program, each in a sentence or two",
        {.key = "word", .flag_help = "WORD: one word, such as exposed (default: all)"}, explained);
}

Question schema_question() {
    return catalogue_question(
        "schema", "Schemas", "Prints the JSON Schema of scenario and project files, or of lessons",
        {.key = "files", .flag_help = "project|lesson: which files (default project, and scenarios)"},
        schema);
}

} // namespace meshslice
