#include "app/question_command.h"

#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/report/chart/chart_svg.h"
#include "core/report/csv.h"
#include "core/report/trace/chrome_trace.h"
#include "core/run/open_path.h"
#include "core/scenario/fields.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <ios>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* open_flag = "--open";
constexpr const char* open_help =
    "PATH: --trace writes what is inside a bar instead, such as \"stage 1 forward 1/layer 1/norm "
    "1/all-gather\"";

class QuestionCommand final : public Command {
  public:
    explicit QuestionCommand(Question question) : question_(std::move(question)) {}

    [[nodiscard]] std::string summary() const override { return question_.summary; }

    void declare(CLI::App& flags) override {
        if (!question_.uses.none()) {
            scenario_.declare(flags, question_.scenario.only);
            for (const auto& [flag, help] : question_.scenario.helps) {
                flags.get_option(flag)->description(help);
            }
            ScenarioOptions::hide(flags, question_.scenario.hidden);
        }
        for (const QuestionField& field : question_.fields) {
            const FieldRow& row = field.row;
            if (!row.flag.empty() && row.kind == FieldKind::flag) {
                flags.add_flag(row.flag, set_[row.flag], row.flag_help);
            } else if (!row.flag.empty()) {
                flags.add_option(row.flag, typed_[row.flag], row.flag_help)
                    ->type_name("")
                    ->required(field.needed);
            }
            for (const FieldAlias& alias : field.aliases) {
                CLI::Option* const option = alias.word.empty()
                                                ? flags.add_option(alias.flag, typed_[alias.flag], alias.help)
                                                : flags.add_flag(alias.flag, set_[alias.flag], alias.help);
                option->type_name("")->group(alias.help.empty() ? "" : "Options");
            }
        }
        for (const AnswerFile& one : question_.files) {
            flags.add_option(one.flag, typed_[one.flag], one.help)->type_name("");
            if (one.of == AnswerFile::Of::runs) {
                flags.add_option(open_flag, typed_[open_flag], open_help)->type_name("");
            }
        }
        csv_ = flags.add_option("--csv", csv_file_,
                                "[FILE]: the table as CSV, printed and nothing else, or written to a file");
        csv_->type_name("")->expected(0, 1);
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Printed> run() const override {
        std::vector<std::string> files;
        Result<OwnValues> own = own_values(files);
        if (!own) {
            return refuse(own.error());
        }
        Result<Asked> asked = asked_with(question_, *std::move(own), Speech::flags);
        if (!asked) {
            return refuse(asked.error());
        }
        for (const auto& [flag, words] : typed_) {
            if (!words.empty()) {
                asked->said.flags.insert(flag);
            }
        }
        for (const auto& [flag, on] : set_) {
            if (on) {
                asked->said.flags.insert(flag);
            }
        }
        Scenario scenario;
        if (!question_.uses.none()) {
            Result<Scenario> read = read_scenario(asked->said);
            if (!read) {
                return refuse(read.error());
            }
            scenario = *std::move(read);
            asked->scenario = &scenario;
            const std::vector<std::string> of_scenario = scenario_.files();
            files.insert(files.end(), of_scenario.begin(), of_scenario.end());
        }
        const bool prints_csv = csv_->count() > 0 && csv_file_.empty();
        if (prints_csv && json_) {
            return refuse("--csv and --json print the same values in two forms; give one of them.");
        }
        if (!typed(open_flag).empty() && typed("--trace").empty()) {
            return refuse("--open says what --trace writes; give both.");
        }
        if (const auto kept = keeps_what_is_read(files, written_files()); !kept) {
            return refuse(kept.error());
        }
        ProgressLine progress(question_.title);
        const Result<Answer> found = question_.answer(*asked, {{}, progress.share()});
        if (!found) {
            return refuse(found.error());
        }
        if (csv_->count() > 0 && found->tables.empty()) {
            return refuse(fmt::format("--csv has no effect: {} has no table.", question_.id));
        }
        if (const Result<void> written = write_files(*found); !written) {
            return refuse(written.error());
        }
        const int exit_code = found->holds() ? 0 : check_failed;
        if (prints_csv) {
            return Printed{{}, exit_code, [table = found->tables.front()](const Print& print) {
                               return csv_lines(table, print);
                           }};
        }
        return Printed{json_ ? json_file(found->values) : words_of(*found), exit_code};
    }

  private:
    [[nodiscard]] std::string typed(const std::string& flag) const {
        const auto words = typed_.find(flag);
        return words == typed_.end() ? std::string() : words->second;
    }

    [[nodiscard]] std::vector<std::string> written_files() const {
        std::vector<std::string> files = {csv_file_};
        for (const AnswerFile& one : question_.files) {
            files.push_back(typed(one.flag));
        }
        return files;
    }

    [[nodiscard]] Result<void> write_files(const Answer& answer) const {
        for (const AnswerFile& one : question_.files) {
            const std::string path = typed(one.flag);
            const Result<void> written = path.empty() ? Result<void>() : write(answer, one, path);
            if (!written) {
                return written;
            }
        }
        return csv_file_.empty() ? Result<void>() : write_table(answer.tables.front(), csv_file_);
    }

    [[nodiscard]] Result<void> write(const Answer& answer, const AnswerFile& file,
                                     const std::string& path) const {
        switch (file.of) {
        case AnswerFile::Of::table: return write_table(part_of(answer.tables, file), path);
        case AnswerFile::Of::chart: {
            const Chart& chart = part_of(answer.charts, file).chart;
            return write_file(path, [&](std::ostream& out) { out << chart_svg(chart, chart.title); });
        }
        case AnswerFile::Of::runs: break;
        }
        std::vector<RunPtr> runs;
        for (const NamedRun& one : answer.runs) {
            runs.push_back(one.run);
        }
        if (const std::string open = typed(open_flag); !open.empty()) {
            Result<RunPtr> inner = open_path(runs.front(), open);
            if (!inner) {
                return refuse(inner.error());
            }
            runs = {*std::move(inner)};
        }
        return exportable(runs).and_then(
            [&] { return write_file(path, [&](std::ostream& out) { write_chrome_trace(runs, out); }); });
    }

    /// By its name; without one the first.
    template <class Part>
    static const Part& part_of(const std::vector<Part>& parts, const AnswerFile& file) {
        const auto found = std::ranges::find(parts, file.part, &Part::name);
        return found == parts.end() ? parts.front() : *found;
    }

    static Result<void> csv_lines(const NamedTable& table, const Print& print) {
        print(csv_line({table.columns.begin(), table.columns.end()}));
        return table.rows([&](const auto& row) { return print(csv_line(row)); });
    }

    static Result<void> write_table(const NamedTable& table, const std::string& path) {
        Result<void> pulled;
        const Result<void> written = write_file(path, [&](std::ostream& out) {
            pulled = csv_lines(table, [&](const std::string& line) { return bool(out << line); });
            if (!pulled) {
                out.setstate(std::ios::failbit); // Nothing is put in the place of what was there.
            }
        });
        return pulled ? written : pulled;
    }

    /// The scenario that the flags and the file say, and what they said of it.
    [[nodiscard]] Result<Scenario> read_scenario(SaidFields& said) const {
        ScenarioOptions given = scenario_;
        said.origin = given.given("--scenario");
        said.file = !said.origin.empty();
        for (const Field<Scenario>& field : scenario_fields()) {
            if (!field.flag.empty() && !given.given(field.flag).empty()) {
                said.flags.insert(field.flag);
            }
        }
        for (const Field<Scenario>& field : scenario_fields()) {
            if (said.has(field.flag) && question_.scenario.refused) {
                if (const std::string why = question_.scenario.refused(field, said); !why.empty()) {
                    return refuse(why);
                }
            }
        }
        for (const auto& [flag, words] : question_.scenario.begins) {
            if (!said.file) {
                given.assume(flag, words);
            }
        }
        return given.read();
    }

    /// What was given; and the files that were read for it.
    [[nodiscard]] Result<OwnValues> own_values(std::vector<std::string>& files) const {
        OwnValues own;
        std::map<std::string, std::string> by; ///< the flag that gave a field
        const auto take = [&](const QuestionField& field, const std::string& flag,
                              const Result<FieldValue>& value) -> Result<void> {
            if (!value) {
                return refuse(value.error());
            }
            if (!by.emplace(field.row.key, flag).second) {
                return refuse(fmt::format("{} and {} say the same in two ways; give one of them.",
                                          by.at(field.row.key), flag));
            }
            own[field.row.key] = *value;
            return {};
        };
        const auto take_typed = [&](const QuestionField& field, const std::string& flag) -> Result<void> {
            const std::string words = typed(flag);
            if (words.empty()) {
                return {};
            }
            if (field.row.kind == FieldKind::part && (field.file || looks_like_a_file(words))) {
                files.push_back(words);
                return take(field, flag, read_text_file(words).map([&](const std::string& text) {
                    return FieldValue(JsonPart{text, words});
                }));
            }
            return take(field, flag, parse(field.row, words, flag));
        };
        for (const QuestionField& field : question_.fields) {
            Result<void> taken = take_typed(field, field.row.flag);
            if (const auto set = set_.find(field.row.flag); taken && set != set_.end() && set->second) {
                taken = take(field, field.row.flag, FieldValue(true));
            }
            for (std::size_t k = 0; taken && k < field.aliases.size(); ++k) {
                const FieldAlias& alias = field.aliases[k];
                if (alias.word.empty()) {
                    taken = take_typed(field, alias.flag);
                } else if (set_.at(alias.flag)) {
                    taken = take(field, alias.flag,
                                 field.row.kind == FieldKind::flag ? FieldValue(alias.word == "on")
                                                                   : FieldValue(alias.word));
                }
            }
            if (!taken) {
                return refuse(taken.error());
            }
        }
        return own;
    }

    Question question_;
    ScenarioOptions scenario_;
    std::map<std::string, std::string> typed_; ///< by flag
    std::map<std::string, bool> set_;
    CLI::Option* csv_ = nullptr;
    std::string csv_file_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> question_command(Question question) {
    return std::make_unique<QuestionCommand>(std::move(question));
}

} // namespace meshslice
