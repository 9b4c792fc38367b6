#include "app/arguments/typed_words.h"

#include "core/base/text/nearest.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace meshslice {

std::vector<std::string> offered_flags(const CLI::App& command) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (!option->get_group().empty()) {
                flags.push_back("--" + name);
            }
        }
    }
    return flags;
}

std::string meant_choice(const FieldRow& row, const std::string& words) {
    const bool chosen = row.kind == FieldKind::choice || row.kind == FieldKind::part;
    if (!chosen || words == row.word || std::ranges::find(row.accepted, words) != row.accepted.end()) {
        return words;
    }
    std::vector<std::string> names;
    std::ranges::transform(row.choices, std::back_inserter(names), &FieldChoice::word);
    if (!row.word.empty()) {
        names.push_back(row.word);
    }
    const std::string meant = resolved(words, names);
    return meant.empty() ? words : meant;
}

std::vector<std::string> meant_flags(const CLI::App& command, std::vector<std::string> arguments) {
    const std::vector<std::string> flags = offered_flags(command);
    for (std::string& argument : arguments) {
        if (argument == "--") {
            break; // What follows is not a flag.
        }
        const std::string flag = argument.substr(0, argument.find('='));
        if (!flag.starts_with("--") || command.get_option_no_throw(flag) != nullptr) {
            continue;
        }
        if (const std::string meant = resolved(flag, flags); !meant.empty()) {
            argument.replace(0, flag.size(), meant);
        }
    }
    return arguments;
}

} // namespace meshslice
