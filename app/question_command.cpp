#include "app/question_command.h"

#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/report/csv.h"
#include "core/scenario/fields.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

class QuestionCommand final : public Command {
  public:
    explicit QuestionCommand(Question question) : question_(std::move(question)) {}

    [[nodiscard]] std::string summary() const override { return question_.summary; }

    void declare(CLI::App& flags) override {
        if (!question_.uses.none()) {
            scenario_.declare(flags);
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
        ProgressLine progress(question_.title);
        const Result<Answer> found = question_.answer(*asked, {{}, progress.share()});
        if (!found) {
            return refuse(found.error());
        }
        if (csv_->count() > 0 && found->tables.empty()) {
            return refuse(fmt::format("--csv has no effect: {} has no table.", question_.id));
        }
        const int exit_code = found->holds() ? 0 : check_failed;
        if (prints_csv) {
            return Printed{
                csv_line({found->tables.front().columns.begin(), found->tables.front().columns.end()}),
                exit_code, [table = found->tables.front()](const Print& print) {
                    return table.rows([&](const auto& row) { return print(csv_line(row)); });
                }};
        }
        if (csv_->count() > 0) {
            const Result<void> written = keeps_what_is_read(files, {csv_file_}).and_then([&] {
                return whole_table(found->tables.front()).and_then([&](const Table& table) {
                    return write_file(csv_file_, [&](std::ostream& out) { out << csv(table); });
                });
            });
            if (!written) {
                return refuse(written.error());
            }
        }
        return Printed{json_ ? json_file(found->values) : words_of(*found), exit_code};
    }

  private:
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
        const auto typed = [&](const QuestionField& field, const std::string& flag) -> Result<void> {
            const auto words = typed_.find(flag);
            if (words == typed_.end() || words->second.empty()) {
                return {};
            }
            if (field.row.kind == FieldKind::part && looks_like_a_file(words->second)) {
                files.push_back(words->second);
                return take(field, flag, read_text_file(words->second).map([&](const std::string& text) {
                    return FieldValue(JsonPart{text, words->second});
                }));
            }
            return take(field, flag, parse(field.row, words->second, flag));
        };
        for (const QuestionField& field : question_.fields) {
            Result<void> taken = typed(field, field.row.flag);
            if (const auto set = set_.find(field.row.flag); taken && set != set_.end() && set->second) {
                taken = take(field, field.row.flag, FieldValue(true));
            }
            for (std::size_t k = 0; taken && k < field.aliases.size(); ++k) {
                const FieldAlias& alias = field.aliases[k];
                if (alias.word.empty()) {
                    taken = typed(field, alias.flag);
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
