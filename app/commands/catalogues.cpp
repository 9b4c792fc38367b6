// What comes with the program: presets, the words that it uses, and the schemas of its files.

#include "app/catalogues.h"

#include "core/base/embedded_resources.h"
#include "core/base/json/json_writer.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/nearest.h"
#include "core/gemm/algorithms.h"
#include "core/lesson/lesson_schema.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "core/question/catalogue/study/file_studies.h"
#include "core/question/catalogue/study/study_check.h"
#include "core/report/words/glossary.h"
#include "core/scenario/file/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// A question about what there is, which may be narrowed down by one of the words.
Question catalogue_question(std::string id, std::string title, std::string summary, FieldRow word,
                            std::function<std::vector<std::string>()> words,
                            std::vector<std::string> examples,
                            std::function<Result<Answer>(const std::string& word)> answer) {
    const std::string key = word.key;
    Question question{std::move(id), std::move(title), {}, std::move(summary)};
    word.name = word.flag = key;
    word.help = word.flag_help;
    question.fields.push_back({.row = std::move(word), .completes = std::move(words)});
    question.examples = std::move(examples);
    question.answer = [key, answer = std::move(answer)](const Asked& asked, const RunControl& /*control*/) {
        return answer(asked.text(key));
    };
    return question;
}

/// What tells networks apart, from the inside out: "8 at 900 GB/s, NIC 50.0 GB/s" of a chip, one way.
std::string short_text(const Network& network) {
    std::string words;
    for (const Level& level : network.levels) {
        const bool innermost = &level == &network.levels.front();
        words += innermost ? "" : ", ";
        if (level.kind == LevelKind::rings) {
            std::vector<std::string> rates;
            for (const TorusLinks& axis : level.axes) {
                rates.push_back(text(axis.bandwidth.value));
            }
            const bool alike =
                std::ranges::all_of(rates, [&](const std::string& rate) { return rate == rates.front(); });
            words += fmt::format("{} {} at {}", rates.size(), rates.size() == 1 ? "axis" : "axes",
                                 alike ? rates.front() : fmt::format("{}", fmt::join(rates, ", ")));
        } else {
            const std::string rate = text(Bandwidth(level.line_rate()));
            words += level.units.value == 0 ? "NIC " + rate
                     : innermost            ? fmt::format("{} at {}", level.units.value, rate)
                                            : fmt::format("{} of these at {}", level.units.value, rate);
        }
    }
    return words;
}

/// One row a machine; those that the same kind of network joins stand together.
Paragraph machine_lines(std::string (*network)(const Network&)) {
    Paragraph all{{},
                  {{"machine", "title", "cores", "bf16", "vectors", "HBM", "HBM rate", "sync",
                    "launch AG/RdS", "network"}},
                  2,
                  true};
    for (bool (*const joined)(const Machine&) : {is_plain_torus, feeds_rings, has_domains}) {
        for (const Machine& one : presets_that(joined)) {
            all.lines.push_back({one.name, one.title, std::to_string(one.cores.value),
                                 text(one.peak_rate(DataType::bf16)),
                                 one.vector_rate.value > FlopRate(0) ? text(one.vector_rate.value) : "-",
                                 text(one.hbm.value), text(one.hbm_bandwidth.value), text(one.sync.value),
                                 fmt::format("{} / {}", text(one.launch_time(Collective::all_gather)),
                                             text(one.launch_time(Collective::reduce_scatter))),
                                 network(one.network)});
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

/// A file that comes with the program, to begin one of one's own with.
struct PresetFile {
    std::string name, json;
};

/// Machines, models, lessons, examples, which are scenarios and projects, and studies that are files.
std::vector<PresetFile> preset_files() {
    std::vector<PresetFile> all;
    for (const Machine& one : machine_presets()) {
        all.push_back({one.name, write_machine(one)});
    }
    for (const Transformer& one : model_presets()) {
        all.push_back({one.name, write_transformer(one)});
    }
    for (const EmbeddedFile& one : embedded_lessons()) {
        const std::string_view file = one.name.substr(0, one.name.find('.'));
        all.push_back({std::string(file.substr(file.find('-') + 1)), std::string(one.text)}); // 07-slicing
    }
    for (const EmbeddedFile& one : embedded_examples()) {
        all.push_back({std::string(one.name.substr(0, one.name.find('.'))), std::string(one.text)});
    }
    for (const EmbeddedFile& one : embedded_studies()) {
        const std::string_view file = one.name.substr(one.name.find('/') + 1); // scaling-book/decode-by-batch
        if (file != one.name) {
            all.push_back({std::string(file.substr(0, file.find('.'))), std::string(one.text)});
        }
    }
    return all;
}

Paragraph study_lines() {
    Paragraph all{{}, {{"study", "title", "publication"}}, 3, false};
    for (const Study& one : file_studies()) {
        all.lines.push_back({std::string(one.id), std::string(one.title), one.publication().name});
    }
    return all;
}

Paragraph example_lines() {
    Paragraph all{{}, {{"example", "file"}}, 2, false};
    for (const EmbeddedFile& one : embedded_examples()) {
        all.lines.push_back(
            {std::string(one.name.substr(0, one.name.find('.'))),
             one.text.find("\"meshslice_project\"") != std::string_view::npos ? "project" : "scenario"});
    }
    return all;
}

const std::vector<std::string>& preset_kinds() {
    static const std::vector<std::string> all = {"machines", "models", "algorithms", "examples", "studies"};
    return all;
}

/// One of them, as the file that it is.
Result<Answer> preset(const std::string& typed) {
    const std::vector<PresetFile> files = preset_files();
    std::vector<std::string> names = preset_kinds();
    std::ranges::transform(files, std::back_inserter(names), &PresetFile::name);
    const std::string name = resolved(typed, names);
    std::string json;
    for (const PresetFile& one : files) {
        json = json.empty() && one.name == name ? one.json : json;
    }
    if (const Result<Machine> machine = machine_preset(typed); json.empty() && machine) {
        json = write_machine(*machine); // with a domain of another size than those of the list
    }
    if (json.empty()) {
        return refuse(fmt::format(
            "There is no preset \"{}\"; {}", shortened(typed),
            likely_names(typed, names).empty()
                ? fmt::format("expected {}, or a name that they list.", listed(preset_kinds(), "or"))
                : suggestion(typed, names)));
    }
    Answer answer{tree_of_json(json)};
    answer.words = {{json}};
    return answer;
}

/// The kinds, and the names of machines and models.
std::vector<std::string> preset_words() {
    std::vector<std::string> words = preset_kinds();
    std::ranges::transform(machine_presets(), std::back_inserter(words), &Machine::name);
    std::ranges::transform(model_presets(), std::back_inserter(words), &Transformer::name);
    return words;
}

Result<Answer> presets(const std::string& typed) {
    // What machines were called before they had one list.
    const bool machines = typed == "hardware" || typed == "clusters" || typed == "gpus";
    const std::string known = resolved(typed, preset_kinds());
    const std::string& kind = machines ? preset_kinds().front() : known;
    if (kind.empty() && !typed.empty()) {
        return preset(typed);
    }
    Answer answer;
    const auto add = [&](const std::string& name, Paragraph paragraph, const Paragraph& whole) {
        if (!answer.words.empty()) {
            answer.words.push_back({"\n"});
        }
        if (!whole.lines.empty()) {
            answer.tables.push_back(table_of(name, whole));
        }
        answer.words.push_back(std::move(paragraph));
    };
    if (kind.empty() || kind == "machines") {
        // In a terminal what tells them apart; programs get all.
        add("machines", machine_lines(short_text), machine_lines(text));
    }
    if (kind.empty() || kind == "models") {
        add("models", model_lines(), model_lines());
    }
    if (kind.empty() || kind == "algorithms") {
        add("algorithms", {algorithms_text()}, {});
    }
    if (kind == "examples") {
        add("examples", example_lines(), example_lines());
    }
    if (kind == "studies") {
        add("studies", study_lines(), study_lines());
    }
    for (const NamedTable& table : answer.tables) {
        answer.values[table.name] = rows_of(whole_table(table).value_or(Table()));
    }
    return answer;
}

std::vector<std::string> glossary_words() {
    std::vector<std::string> known;
    for (const GlossaryEntry& entry : glossary()) {
        known.push_back(entry.word);
        known.insert(known.end(), entry.also.begin(), entry.also.end());
    }
    return known;
}

Result<Answer> explained(const std::string& word) {
    const std::vector<std::string> known = glossary_words();
    const GlossaryEntry* const typed = glossary_entry(word);
    const GlossaryEntry* const meant = typed != nullptr ? typed : glossary_entry(resolved(word, known));
    Answer answer;
    Table table{"glossary", {"word", "text", "source"}, {}};
    for (const GlossaryEntry& entry : glossary()) {
        if (word.empty() || &entry == meant) {
            answer.words.push_back({fmt::format("{}{}\n  {}\n  Source: {}\n", table.rows.empty() ? "" : "\n",
                                                entry.word, entry.text, entry.source)});
            table.rows.push_back({entry.word, entry.text, entry.source});
        }
    }
    if (table.rows.empty()) {
        const std::vector<std::string> likely = likely_names(word, known);
        return refuse(
            fmt::format("The glossary has no entry \"{}\"; {}", shortened(word),
                        likely.empty() ? "meshslice glossary lists all." : suggestion(word, known)));
    }
    answer.values = rows_of(table);
    answer.tables.push_back(NamedTable::of("glossary", std::move(table)));
    return answer;
}

std::vector<std::string> schema_kinds() {
    return {"project", "scenario", "machine", "model", "lesson", "study"};
}

Result<Answer> schema(const std::string& typed) {
    const std::vector<std::string> kinds = schema_kinds();
    const std::string files = typed.empty() ? kinds.front() : resolved(typed, kinds);
    if (files.empty()) {
        return refuse(
            fmt::format("There is no schema \"{}\"; {}", shortened(typed), suggestion(typed, kinds)));
    }
    const std::string json = files == "lesson"    ? lesson_schema()
                             : files == "study"   ? study_file_schema()
                             : files == "machine" ? machine_schema()
                             : files == "model"   ? transformer_schema()
                                                  : project_schema(); // of scenarios, too
    Tree schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema.update(tree_of_json(json));
    Answer answer{schema};
    answer.words = {{json_file(schema)}};
    return answer;
}

} // namespace

Question presets_question() {
    return catalogue_question(
        "presets", "Presets",
        "Lists the machines, models and algorithms that come with it, or prints the "
        "file of one",
        {.key = "kind",
         .flag_help =
             "machines|models|algorithms|examples|studies: what is listed (default: the first three); "
             "or the NAME of a machine, a model, a lesson, an example or a study, whose file is "
             "printed"},
        preset_words, {"machines", "models", "llama-3-8b --json"}, presets);
}

Question glossary_question() {
    return catalogue_question("glossary", "Glossary",
                              "Explains the words of the program, each in a sentence or two",
                              {.key = "word", .flag_help = "WORD: one word, such as exposed (default: all)"},
                              glossary_words, {"exposed", "all-reduce", "--json"}, explained);
}

Question schema_question() {
    return catalogue_question("schema", "Schemas", "Prints the JSON Schema of a kind of file",
                              {.key = "files",
                               .flag_help = "project|scenario|machine|model|lesson|study: which files "
                                            "(default project, which scenarios share)"},
                              schema_kinds, {"project", "machine", "model"}, schema);
}

} // namespace meshslice
