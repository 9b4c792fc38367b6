#include "app/arguments/completion.h"

#include "core/scenario/fields.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>

namespace meshslice {
namespace {

using Words = std::set<std::string>;

void add_choices(const FieldRow& row, Words& words) {
    for (const FieldChoice& choice : row.choices) {
        words.insert(choice.word);
    }
    if (!row.word.empty() && !row.choices.empty()) {
        words.insert(row.word);
    }
}

bool is_called(const FieldRow& row, std::string_view flag) {
    const std::string aliases = "," + row.flag_aliases + ",";
    return row.flag == flag || aliases.find("," + std::string(flag) + ",") != std::string::npos;
}

/// What a flag takes; empty: any text.
Words taken_by(const Question& question, std::string_view flag) {
    Words words;
    for (const QuestionField& field : question.fields) {
        const auto alias = std::ranges::find(field.aliases, flag, &FieldAlias::flag);
        if (is_called(field.row, flag) || (alias != field.aliases.end() && alias->word.empty())) {
            add_choices(field.row, words);
        }
    }
    if (words.empty() && !question.uses.none()) {
        for (const Field<Scenario>& field : scenario_fields()) {
            if (is_called(field, flag)) {
                add_choices(field, words);
            }
        }
    }
    return words;
}

/// What stands on the command line without a flag: a model's name, a collective.
Words taken_by_places(const Question& question) {
    Words words;
    for (const QuestionField& field : question.fields) {
        if (!field.row.flag.starts_with("--")) {
            add_choices(field.row, words);
            if (field.completes) {
                const std::vector<std::string> more = field.completes();
                words.insert(more.begin(), more.end());
            }
        }
    }
    return words;
}

/// Those that begin as it was typed, each after `before`.
std::vector<std::string> beginning_with(const Words& words, std::string_view typed,
                                        const std::string& before = {}) {
    std::vector<std::string> all;
    for (const std::string& word : words) {
        if (word.starts_with(typed) && word.find(' ') == std::string::npos) { // a shell would split it
            all.push_back(before + word);
        }
    }
    return all;
}

} // namespace

std::vector<std::string> completions(const Questions& questions, std::vector<std::string> words,
                                     const FlagsOf& flags_of) {
    if (words.empty()) {
        words.emplace_back();
    }
    if (words.size() > 1 && words.back() == "=") {
        words.back().clear();
    } else if (words.size() > 2 && words[words.size() - 2] == "=") {
        words.erase(words.end() - 2);
    }
    const std::string typed = words.back();
    const bool of_help = words.size() == 2 && words.front() == "help";
    if (words.size() == 1 || of_help) {
        Words commands;
        std::ranges::transform(questions, std::inserter(commands, commands.end()), &Question::id);
        if (!of_help) {
            commands.insert({"help", "version"});
        }
        return beginning_with(commands, typed);
    }
    const Question* const command = question_of(questions, words.front());
    if (command == nullptr) {
        return {};
    }
    if (const std::size_t equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
        return beginning_with(taken_by(*command, typed.substr(0, equals)), typed.substr(equals + 1),
                              typed.substr(0, equals + 1));
    }
    if (typed.starts_with("-")) {
        const std::vector<std::string> flags = flags_of(*command);
        return beginning_with({flags.begin(), flags.end()}, typed);
    }
    const std::string& before = words[words.size() - 2];
    const Words taken = before.starts_with("--") ? taken_by(*command, before) : Words();
    return beginning_with(taken.empty() && words.size() == 2 ? taken_by_places(*command) : taken, typed);
}

} // namespace meshslice
