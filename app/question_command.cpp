#include "app/question_command.h"

#include "app/arguments/typed_words.h"
#include "app/outputs.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/base/text/printable.h"
#include "core/base/text/text_table.h"
#include "core/question/catalogue/common_fields.h"
#include "core/report/chart/svg/chart_svg.h"
#include "core/report/csv.h"
#include "core/report/trace/chrome_trace.h"
#include "core/run/open_path.h"
#include "core/scenario/fields.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <ios>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* csv_flag = "--csv";
constexpr const char* json_flag = "--json";
constexpr const char* open_flag = "--open";
constexpr const char* open_help =
    "PATH: --trace writes what is inside a bar instead, such as \"stage 1 forward 1/layer 1/norm "
    "1/all-gather\"";
constexpr const char* resume_flag = "--resume";
constexpr const char* resume_help = "Continues the sweep in the file of --out";
constexpr const char* fit_flag = "--require-fit";
constexpr const char* of_question = "Flags";
constexpr const char* of_output = "Output";

Result<void> csv_lines(const NamedTable& table, const Print& print) {
    return print(csv_line({table.columns.begin(), table.columns.end()}))
               ? table.rows([&](const auto& row) { return print(csv_line(row)); })
               : Result<void>();
}

Result<void> write_table(Outputs& outputs, const NamedTable& table, const std::string& path) {
    return outputs.write(path, table.about_bytes, [&](std::ostream& out) {
        return csv_lines(table, [&](const std::string& line) { return bool(out << line); });
    });
}

Result<void> write_chart(Outputs& outputs, const NamedChart& named, const std::string& path) {
    const std::string& about = named.about.empty() ? named.chart.title : named.about;
    return outputs.write(path, 0, [&](std::ostream& out) {
        out << chart_svg(named.chart, about);
        return Result<void>();
    });
}

Result<void> write_text(Outputs& outputs, const NamedText& text, const std::string& path) {
    return outputs.write(path, text.about_bytes, text.write);
}

Result<void> write_runs(Outputs& outputs, const std::vector<NamedRun>& named, const std::string& path,
                        const std::string& open) {
    if (named.empty()) {
        return refuse("--trace has no effect: nothing runs in this answer.");
    }
    std::vector<RunPtr> runs;
    std::int64_t about_bytes = 0;
    for (const NamedRun& one : named) {
        runs.push_back(one.run);
        about_bytes += one.about_bytes;
    }
    if (!open.empty()) {
        Result<RunPtr> inner = open_path(runs.front(), open);
        if (!inner) {
            return refuse(inner.error());
        }
        runs = {*std::move(inner)};
        about_bytes = 0;
    }
    return exportable(runs).and_then([&] {
        return outputs.write(path, about_bytes, [&](std::ostream& out) {
            write_chrome_trace(runs, out);
            return Result<void>();
        });
    });
}

/// All tables, charts and texts, over nothing that was read.
Result<void> write_folder(Outputs& outputs, const Answer& answer, const std::string& folder,
                          const std::vector<std::string>& read) {
    std::error_code ignored; // Where it is not made, writing says so.
    std::filesystem::create_directories(folder, ignored);
    Result<void> written;
    const auto write = [&](const std::string& name, const auto& one, const auto& write_one) {
        const std::string path = (std::filesystem::path(folder) / name).string();
        if (written) {
            written =
                keeps_what_is_read(read, {path}).and_then([&] { return write_one(outputs, one, path); });
        }
    };
    for (const NamedTable& one : answer.tables) {
        write(one.name + ".csv", one, write_table);
    }
    for (const NamedChart& one : answer.charts) {
        write(one.name + ".svg", one, write_chart);
    }
    for (const NamedText& one : answer.texts) {
        write(one.name, one, write_text);
    }
    return written;
}

/// By its name; without one the first.
template <class Part>
const Part& part_of(const std::vector<Part>& parts, const AnswerFile& file) {
    const auto found = std::ranges::find(parts, file.part, &Part::name);
    return found == parts.end() ? parts.front() : *found;
}

class QuestionCommand final : public Command {
  public:
    explicit QuestionCommand(Question question) : question_(std::move(question)) {}

    void declare(CLI::App& flags) override {
        if (!question_.uses.none()) {
            scenario_.declare(flags, question_.scenario.only, question_.scenario.without);
            for (const auto& [flag, help] : question_.scenario.helps) {
                flags.get_option(flag)->description(help);
            }
            ScenarioOptions::hide(flags, question_.scenario.hidden);
        } else if (question_.kept) {
            scenario_.declare_file(flags);
        }
        for (const AnswerFile& one : question_.files) { // a file's place comes before those of fields
            if (!one.flag.starts_with("--")) {
                declare(flags, one.flag, FieldKind::text, one.help);
            }
        }
        for (const QuestionField& field : question_.fields) {
            const FieldRow& row = field.row;
            if (!row.flag.empty()) {
                declare(flags, row.flag, row.kind, row.flag_help)
                    ->required(field.needed && !question_.kept)
                    ->group(row.group.empty() ? of_question : row.group);
            }
            for (const FieldAlias& alias : field.aliases) {
                declare(flags, alias.flag, alias.word.empty() ? row.kind : FieldKind::flag, alias.help)
                    ->group(alias.help.empty()  ? ""
                            : row.group.empty() ? of_question
                                                : row.group);
            }
        }
        for (const AnswerFile& one : question_.files) {
            if (one.flag.starts_with("--")) {
                declare(flags, one.flag, FieldKind::text, one.help)->group(of_output);
            }
            if (one.of == AnswerFile::Of::runs) {
                declare(flags, open_flag, FieldKind::text, open_help)->group(of_output);
            }
            if (one.of == AnswerFile::Of::kept) {
                declare(flags, resume_flag, FieldKind::flag, resume_help)->group(of_output);
            }
        }
        if (question_.says_fit) {
            declare(flags, fit_flag, FieldKind::flag, "Ends with 1 where something does not fit into memory")
                ->group(of_output);
        }
        declare(flags, csv_flag, FieldKind::text,
                "[FILE]: the table as CSV, printed and nothing else, or written to a file")
            ->expected(0, 1)
            ->group(of_output);
        declare(flags, json_flag, FieldKind::flag, "Prints JSON for programs")->group(of_output);
    }

    [[nodiscard]] Result<Printed> run() const override {
        std::vector<std::string> files;
        std::shared_ptr<const Scenario> scenario;
        Result<Asked> asked = read_asked(scenario_, scenario, files);
        if (!asked) {
            return refuse(asked.error());
        }
        std::erase(files, standard_stream); // which is not written over
        if (const Result<void> named = name_variants(asked->said); !named) {
            return refuse(named.error());
        }
        if (const Result<void> sound = outputs_agree(files); !sound) {
            return refuse(sound.error());
        }
        const auto progress = std::make_shared<ProgressLine>(question_.title);
        Outputs outputs(asked->said.tell, *progress);
        if (const Result<void> opened = open(outputs); !opened) {
            return refuse(opened.error());
        }
        const Result<Answer> found = question_.answer(*asked, {{}, progress->share()});
        if (!found) {
            return refuse(found.error());
        }
        if (given(csv_flag) && found->tables.empty()) {
            return refuse(fmt::format("--csv has no effect: {} has no table.", question_.id));
        }
        if (const Result<void> written = write_files(*found, files, outputs); !written) {
            return refuse(written.error());
        }
        Result<Printed> made = printed(*found, *asked, progress);
        if (made && given(fit_flag)) {
            made->holds = found->fits;
        }
        return made;
    }

  private:
    /// What was typed after a flag: a text, or several.
    struct Typed {
        CLI::Option* option = nullptr;
        std::string once;
        std::vector<std::string> several;
        bool on = false;

        [[nodiscard]] std::string words() const {
            return several.empty() ? once : fmt::format("{}", fmt::join(several, "; "));
        }
    };

    CLI::Option* declare(CLI::App& flags, const std::string& flag, FieldKind kind, const std::string& help) {
        Typed& into = typed_[flag];
        if (kind == FieldKind::flag) {
            into.option = flags.add_flag(flag, into.on, help);
        } else {
            into.option = kind == FieldKind::text_list ? flags.add_option(flag, into.several, help)
                                                       : flags.add_option(flag, into.once, help);
            into.option->type_name("");
        }
        return into.option;
    }

    [[nodiscard]] bool given(const std::string& flag) const {
        const auto typed = typed_.find(flag);
        return typed != typed_.end() && typed->second.option->count() > 0;
    }
    [[nodiscard]] std::string words_after(const std::string& flag) const {
        const auto typed = typed_.find(flag);
        return typed == typed_.end() ? std::string() : typed->second.words();
    }

    /// What is asked with these options; `scenario` is what it points to.
    [[nodiscard]] Result<Asked> read_asked(const ScenarioOptions& options,
                                           std::shared_ptr<const Scenario>& scenario,
                                           std::vector<std::string>& files) const {
        Result<OwnValues> own = own_values(files);
        own = std::move(own).and_then([&](OwnValues given) { return with_kept(options, std::move(given)); });
        if (!own) {
            return refuse(own.error());
        }
        Result<Asked> asked = asked_with(question_, *std::move(own), Speech::flags);
        if (!asked) {
            return refuse(asked.error());
        }
        take_what_was_said(asked->said);
        if (question_.uses.none()) {
            files.push_back(options.given("--scenario"));
            return asked;
        }
        Result<Scenario> read = read_scenario(*asked, options, files);
        if (!read) {
            return refuse(read.error());
        }
        scenario = std::make_shared<const Scenario>(*std::move(read));
        asked->scenario = scenario.get();
        return asked;
    }

    /// What a file keeps of the question, under what was given.
    [[nodiscard]] Result<OwnValues> with_kept(const ScenarioOptions& options, OwnValues own) const {
        if (!question_.kept || !question_.uses.none()) {
            return own;
        }
        const Result<std::optional<Variant>> variant = options.variant();
        if (!variant) {
            return refuse(variant.error());
        }
        if (*variant) {
            Result<OwnValues> kept = question_.kept((*variant)->scenario);
            if (!kept) {
                return refuse(fmt::format("{}: {}", options.origin(), kept.error().sentence));
            }
            own.merge(*std::move(kept));
            return own;
        }
        for (const QuestionField& field : question_.fields) {
            if (field.needed && !own.contains(field.row.key)) {
                return refuse(fmt::format("{} is needed, or --scenario FILE; meshslice {} --help lists what "
                                          "there is.",
                                          field.row.flag, question_.id));
            }
        }
        return own;
    }

    /// The variants of a project file by their names.
    [[nodiscard]] Result<void> name_variants(SaidFields& said) const {
        if (!said.file || (question_.uses.none() && !question_.kept)) {
            return {};
        }
        const Result<Project> project = project_of_file(said.origin);
        const Result<Variant> shown = project ? variant_of(*project, scenario_.given("--variant"))
                                              : Result<Variant>(refuse(project.error()));
        if (!shown) {
            return refuse(shown.error());
        }
        if (project->variants.size() == 1) {
            return {};
        }
        said.variant = shown->name;
        if (scenario_.given("--variant").empty() && project->pinned && *project->pinned != project->current) {
            said.pinned = project->variants[*project->pinned].name;
        }
        said.of_variant = [this](const std::string& name) -> Result<SaidVariant> {
            ScenarioOptions options = scenario_;
            options.forget("--variant");
            options.assume("--variant", name);
            SaidVariant made;
            std::vector<std::string> files;
            return read_asked(options, made.scenario, files).map([&](Asked asked) {
                made.own = std::move(asked.own);
                made.said = std::move(asked.said);
                made.said.variant = name;
                return made;
            });
        };
        return {};
    }

    void take_what_was_said(SaidFields& said) const {
        for (const auto& [flag, typed] : typed_) {
            if (given(flag) && flag != csv_flag && flag != json_flag && flag != fit_flag) {
                said.flags[flag] = typed.words();
            }
        }
        for (const QuestionField& field : question_.fields) {
            for (const FieldAlias& alias : field.aliases) {
                if (alias.word.empty() && given(alias.flag)) {
                    said.flags[field.row.flag] = words_after(alias.flag);
                }
            }
        }
        said.origin = scenario_.given("--scenario");
        said.file = !said.origin.empty();
        for (const Field<Scenario>& field : scenario_fields()) {
            if (!field.flag.empty() && !scenario_.given(field.flag).empty()) {
                said.flags[field.flag] = scenario_.given(field.flag);
            }
        }
        said.tell = say_aside;
    }

    /// The scenario that the flags and the file say, and the files that were read for it.
    [[nodiscard]] Result<Scenario> read_scenario(Asked& asked, ScenarioOptions options,
                                                 std::vector<std::string>& files) const {
        const ScenarioUse& use = question_.scenario;
        for (const Field<Scenario>& field : scenario_fields()) {
            if (asked.said.has(field.flag) && use.refused) {
                if (const std::string why = use.refused(field, asked.said); !why.empty()) {
                    return refuse(why);
                }
            }
        }
        for (const auto& [flag, words] : use.begins) {
            if (!asked.said.file) {
                options.assume(flag, words);
            }
        }
        const OtherAlgorithms others = use.others ? use.others(asked) : OtherAlgorithms();
        asked.said.read = [options, others](const SaidFields::Flags& instead) {
            ScenarioOptions other = options;
            for (const auto& [flag, words] : instead) {
                other.forget(flag);
                other.assume(flag, words);
            }
            return other.read(others);
        };
        for (const std::string& file : scenario_.files()) {
            files.push_back(file);
        }
        return use.read ? use.read(asked) : asked.said.read({});
    }

    /// What was given; and the files that were read for it, once all else is right.
    [[nodiscard]] Result<OwnValues> own_values(std::vector<std::string>& files) const {
        OwnValues own;
        for (const bool parts : {false, true}) {
            for (const QuestionField& field : question_.fields) {
                const bool part = field.row.kind == FieldKind::part;
                const Result<void> taken = part == parts ? take(field, own, files) : Result<void>();
                if (!taken) {
                    return refuse(taken.error());
                }
            }
        }
        return own;
    }

    /// Of one field, where it was given.
    [[nodiscard]] Result<void> take(const QuestionField& field, OwnValues& own,
                                    std::vector<std::string>& files) const {
        std::string by; // the flag that gave it
        const auto take_from = [&](const std::string& flag, const std::string& word) -> Result<void> {
            if (!given(flag)) {
                return {};
            }
            if (!by.empty()) {
                return refuse(fmt::format("{} and {} say the same in two ways; give one of them.", by, flag));
            }
            by = flag;
            return value_of(field, flag, word, files).map([&](FieldValue value) {
                own[field.row.key] = std::move(value);
            });
        };
        Result<void> taken = take_from(field.row.flag, {});
        for (const FieldAlias& alias : field.aliases) {
            taken = taken.and_then([&] { return take_from(alias.flag, alias.word); });
        }
        return taken;
    }

    /// Of a flag that was given; `word` is the value that it stands for.
    [[nodiscard]] Result<FieldValue> value_of(const QuestionField& field, const std::string& flag,
                                              const std::string& word,
                                              std::vector<std::string>& files) const {
        if (field.row.kind == FieldKind::flag) {
            return FieldValue(word.empty() || word == "on");
        }
        if (!word.empty()) {
            return FieldValue(word);
        }
        if (field.row.kind == FieldKind::text_list) {
            return FieldValue(typed_.at(flag).several);
        }
        const std::string words = words_after(flag);
        if (field.row.kind == FieldKind::part &&
            (field.file || words == standard_stream || looks_like_a_file(words))) {
            files.push_back(words);
            return input_text(words).map([&](const std::string& text) {
                return FieldValue(JsonPart{text, words});
            });
        }
        return parse(field.row, meant_choice(field.row, words), flag);
    }

    /// Whether the standard output is one of the files, and takes nothing else.
    [[nodiscard]] bool prints_a_file() const {
        return words_after(csv_flag) == standard_stream ||
               std::ranges::any_of(question_.files, [&](const AnswerFile& one) {
                   return one.of != AnswerFile::Of::folder && words_after(one.flag) == standard_stream;
               });
    }

    /// Refuses outputs of which one would be lost.
    [[nodiscard]] Result<void> outputs_agree(const std::vector<std::string>& read) const {
        if (given(csv_flag) && words_after(csv_flag).empty() && given(json_flag)) {
            return refuse("--csv and --json both print; choose one of them.");
        }
        if (given(open_flag) && !given("--trace")) {
            return refuse("--open says what --trace writes; give both.");
        }
        if (prints_a_file() && given(json_flag)) {
            return refuse("A file \"-\" and --json both print; choose one of them.");
        }
        std::vector<std::string> written = {words_after(csv_flag)};
        for (const AnswerFile& one : question_.files) {
            if (one.of != AnswerFile::Of::folder) {
                written.push_back(words_after(one.flag));
            }
        }
        return keeps_what_is_read(read, written);
    }

    /// Of every output, with the words after its flag.
    [[nodiscard]] Result<void> open(Outputs& outputs) const {
        const std::string csv = words_after(csv_flag);
        Result<void> opened = csv.empty() ? Result<void>() : outputs.open(csv);
        for (const AnswerFile& one : question_.files) {
            const std::string path = words_after(one.flag);
            if (!path.empty() && opened && one.of != AnswerFile::Of::kept) {
                opened = one.of == AnswerFile::Of::folder ? takes_files(path) : outputs.open(path);
            }
        }
        return opened;
    }

    [[nodiscard]] Result<void> write_files(const Answer& answer, const std::vector<std::string>& read,
                                           Outputs& outputs) const {
        const std::string csv = words_after(csv_flag);
        Result<void> written =
            csv.empty() ? Result<void>() : write_table(outputs, answer.tables.front(), csv);
        for (const AnswerFile& one : question_.files) {
            const std::string path = words_after(one.flag);
            if (one.of == AnswerFile::Of::chart && !path.empty() && answer.charts.empty()) {
                return refuse(fmt::format("{} has no effect: this answer has no picture.{}", one.flag,
                                          answer.notes.empty() ? "" : " " + answer.notes.front()));
            }
            if (!path.empty() && written && one.of != AnswerFile::Of::kept) {
                written = write(answer, one, path, read, outputs);
            }
        }
        return written.and_then([&] { return outputs.put(); });
    }

    [[nodiscard]] Result<void> write(const Answer& answer, const AnswerFile& file, const std::string& path,
                                     const std::vector<std::string>& read, Outputs& outputs) const {
        switch (file.of) {
        case AnswerFile::Of::table: return write_table(outputs, part_of(answer.tables, file), path);
        case AnswerFile::Of::chart: return write_chart(outputs, part_of(answer.charts, file), path);
        case AnswerFile::Of::text: return write_text(outputs, part_of(answer.texts, file), path);
        case AnswerFile::Of::runs: return write_runs(outputs, answer.runs, path, words_after(open_flag));
        case AnswerFile::Of::folder:
        case AnswerFile::Of::kept: break;
        }
        return write_folder(outputs, answer, path, read);
    }

    /// `progress` ends with what is pulled.
    [[nodiscard]] Result<Printed> printed(const Answer& answer, const Asked& asked,
                                          const std::shared_ptr<ProgressLine>& progress) const {
        const int exit_code = answer.holds() ? 0 : check_failed;
        progress->says(question_.title);
        if (prints_a_file() || given(json_flag) || given(csv_flag)) { // else it is among the words
            for (const Check& check : answer.checks) {
                if (!check.holds.value_or(true) && !check.because.empty()) {
                    say_aside(check.because);
                }
            }
        }
        if (prints_a_file()) {
            return Printed{{}, exit_code};
        }
        if (given(json_flag)) {
            const Result<Tree> values = answer.pulled_values ? answer.pulled_values()
                                        : answer.values.is_null() && question_.numbers
                                            ? numbers_of(asked, {{}, progress->share()})
                                            : Result<Tree>(answer.values);
            return values.map([&](const Tree& tree) { return Printed{json_file(tree), exit_code}; });
        }
        if (given(csv_flag) && words_after(csv_flag).empty()) {
            return Printed{{}, exit_code, [table = answer.tables.front(), progress](const Print& print) {
                               return csv_lines(table, print);
                           }};
        }
        Printed made{words_of(answer), exit_code};
        for (const Paragraph& one : answer.words) {
            if (one.pulled) {
                made.rest = [one, progress](const Print& print) { return one.pulled(print); };
            }
        }
        return made;
    }

    Question question_;
    ScenarioOptions scenario_;
    std::map<std::string, Typed, std::less<>> typed_; ///< by flag
};

} // namespace

void say_aside(const std::string& sentence) {
    const std::string line = fmt::format("meshslice: {}\n", printable(plain_spaces(sentence)));
    (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

std::unique_ptr<Command> question_command(Question question) {
    return std::make_unique<QuestionCommand>(std::move(question));
}

} // namespace meshslice
