// Whether a file is one that the program reads, and everything that is wrong with it.

#include "app/catalogues.h"
#include "core/base/json/json_reader.h"
#include "core/base/text/listing.h"
#include "core/calibrate/measurements.h"
#include "core/lesson/lesson.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"
#include "core/papers/publication.h"
#include "core/question/catalogue/study/study_check.h"
#include "core/scenario/file/project.h"
#include "core/scenario/file/shared_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// A kind of file, the keys of which one says that a file is of it, and its reader.
struct FileKind {
    std::string_view name;
    std::vector<std::string_view> keys;
    Result<void> (*read)(const std::string& text, const std::string& path, std::vector<std::string>* all);
};

template <auto read>
Result<void> read_as(const std::string& text, const std::string& path, std::vector<std::string>* all) {
    return read(text, path, all).map([](const auto& /*value*/) {});
}

Result<void> check_publication(const std::string& text, const std::string& path,
                               std::vector<std::string>* /*all*/) {
    return read_publication(text, path).map([](const Publication& /*published*/) {});
}

Result<void> check_study(const std::string& text, const std::string& path, std::vector<std::string>* all) {
    return check_study_file(text, path, all);
}

/// In the order in which they are looked for: a scenario holds a model and a machine.
const std::vector<FileKind>& json_kinds() {
    static const std::vector<FileKind> all = {
        {"project", {"meshslice_project", "meshslice_scenario", "variants"}, read_as<&read_project>},
        {"study", {"meshslice_swept_study"}, &check_study},
        {"publication", {"meshslice_study"}, &check_publication},
        {"lesson", {"meshslice_lesson", "steps"}, read_as<&read_lesson>},
        {"machine", {"meshslice_hardware", "levels", "cores"}, read_as<&read_machine>},
        {"model",
         {"meshslice_model", "model_type", "architectures", "hidden_size", "text_config", "layers",
          "num_blocks"},
         read_as<&read_any_model>}};
    return all;
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const FileKind& one : json_kinds()) {
        names.emplace_back(one.name);
    }
    return names;
}

const FileKind* kind_of(const nlohmann::json& file) {
    for (const FileKind& one : json_kinds()) {
        if (std::ranges::any_of(one.keys, [&](std::string_view key) { return file.contains(key); })) {
            return &one;
        }
    }
    return nullptr;
}

struct Validated {
    std::string kind;
    std::vector<std::string> wrong;
};

/// A table of measurements, by its first line.
Validated validated_table(const std::string& text, const std::string& path) {
    const std::string header = text.substr(0, text.find('\n'));
    if (header.find("operation") != std::string::npos) {
        const auto read = read_collectives(text, path);
        return {"measured collectives",
                read ? std::vector<std::string>() : std::vector{read.error().sentence}};
    }
    const auto read = read_gemms(text, path);
    return {"measured GEMMs", read ? std::vector<std::string>() : std::vector{read.error().sentence}};
}

/// What a file lacks as one sentence, where it lacks several things, and without what is in another one that
/// it lacks: not "/cores/value" where there is no "/cores".
std::vector<std::string> with_one_list(const std::vector<std::string>& wrong, const std::string& path) {
    const std::string begin = path + " lacks \"", end = "\".";
    std::vector<std::string> places, others;
    std::string sentence;
    for (const std::string& one : wrong) {
        const bool lacks =
            one.starts_with(begin) && one.ends_with(end) && one.size() > begin.size() + end.size();
        if (!lacks) {
            others.push_back(one);
            continue;
        }
        const std::string place = one.substr(begin.size(), one.size() - begin.size() - end.size());
        const auto outer = [&](const std::string& known) {
            return ("\"" + place).starts_with(known.substr(0, known.size() - 1) + "/");
        };
        if (place.find('"') != std::string::npos) { // all of them once more
            sentence = one;
        } else if (std::ranges::none_of(places, outer)) {
            places.push_back("\"" + place + "\"");
        }
    }
    if (!places.empty()) {
        sentence = fmt::format("{} lacks {}.", path, listed(places));
    }
    if (!sentence.empty()) {
        others.insert(others.begin(), sentence);
    }
    return others;
}

Result<Validated> validated(const std::string& text, const std::string& path, const std::string& asked) {
    const bool table = path.ends_with(".csv") && asked.empty();
    if (table) {
        return validated_table(text, path);
    }
    if (is_shared_text(text)) {
        const Result<std::string> file = file_of_shared_text(text);
        return file ? validated(*file, path, asked) : Validated{"shared text", {file.error().sentence}};
    }
    const Result<nlohmann::json> parsed = parse_json(text, path);
    if (!parsed) {
        return Validated{asked.empty() ? "JSON" : asked, {parsed.error().sentence}};
    }
    const auto named = std::ranges::find(json_kinds(), std::string_view(asked), &FileKind::name);
    const FileKind* const kind = named != json_kinds().end() ? &*named : kind_of(*parsed);
    if (kind == nullptr) {
        return refuse(
            fmt::format("{} does not say what it is; --kind says it: {}.", path, listed(kind_names(), "or")));
    }
    Validated found{std::string(kind->name), {}};
    const Result<void> read = kind->read(text, path, &found.wrong);
    if (!read && std::ranges::find(found.wrong, read.error().sentence) == found.wrong.end()) {
        found.wrong.push_back(read.error().sentence); // what only all fields together show
    }
    found.wrong = with_one_list(found.wrong, path);
    return found;
}

struct ValidatedFile {
    std::string path;
    Validated found;
};

/// One line of a file that is as it should be; else what is wrong, a line each.
std::string words_of(const ValidatedFile& file) {
    const std::vector<std::string>& wrong = file.found.wrong;
    if (wrong.empty()) {
        return fmt::format("{} is valid: {}.\n", file.path, file.found.kind);
    }
    std::string words;
    for (const std::string& one : wrong) {
        words += one + "\n";
    }
    return words + fmt::format("{} has {} error{}.\n", file.path, wrong.size(), wrong.size() == 1 ? "" : "s");
}

Result<Answer> answer_validation(const Asked& asked, const RunControl& control) {
    std::vector<ValidatedFile> all;
    const auto files = std::get<std::vector<std::string>>(asked.value("file"));
    for (const std::string& path : files) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const Result<Validated> found =
            read_text_file(path == "-" ? "/dev/stdin" : path).and_then([&](const std::string& text) {
                return validated(text, path, asked.text("kind"));
            });
        if (!found && files.size() == 1) {
            return refuse(found.error());
        }
        // Among several it is one of the errors, next to those of the others.
        all.push_back({path, found ? *found : Validated{asked.text("kind"), {found.error().sentence}}});
    }
    const auto values = [](const ValidatedFile& one) {
        return Tree{{"file", one.path}, {"kind", one.found.kind}, {"errors", one.found.wrong}};
    };
    Answer answer{all.size() == 1 ? values(all.front()) : Tree{{"files", Tree::array()}}};
    Table table{"errors", {"file", "error"}, {}};
    std::string words;
    for (const ValidatedFile& file : all) {
        if (all.size() > 1) {
            answer.values["files"].push_back(values(file));
        }
        for (const std::string& one : file.found.wrong) {
            answer.checks.push_back({one, false});
            table.rows.push_back({file.path, one});
        }
        words += words_of(file);
    }
    answer.words = {{std::move(words)}};
    answer.tables.push_back(NamedTable::of("errors", std::move(table)));
    return answer;
}

} // namespace

Question validate_question() {
    Question question{
        "validate", "Validation", {}, "Checks files and lists everything that is wrong with them"};
    question.fields.push_back(
        {.row = {.key = "file",
                 .name = "file",
                 .flag = "file",
                 .flag_help =
                     "FILE ...: a machine, a model (also a config.json of Hugging "
                     "Face, or a model of Calculon), a scenario or project, a lesson, a study, what a "
                     "publication claims, or a CSV table of measurements; several are checked one after the "
                     "other",
                 .kind = FieldKind::text_list},
         .file = true,
         .needed = true});
    QuestionField kind{
        .row = {.key = "kind",
                .name = "kind",
                .flag = "--kind",
                .flag_help =
                    "project|study|publication|lesson|machine|model: what the file is (default: by its keys)",
                .kind = FieldKind::choice}};
    for (const std::string& name : kind_names()) {
        kind.row.choices.push_back({name, {}});
    }
    question.fields.push_back(std::move(kind));
    question.examples = {"mine.json", "config.json --kind model", "machines/a.json machines/b.json",
                         "ring.csv --json"};
    question.answer = answer_validation;
    return question;
}

} // namespace meshslice
