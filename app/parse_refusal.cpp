#include "app/parse_refusal.h"

#include "core/base/likeness.h"
#include "core/base/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

/// "--mesh" of CLI11's "--mesh: 1 required  missing".
std::string option_of(const CLI::ParseError& problem) {
    const std::string words = problem.what();
    return words.substr(0, words.find(':'));
}

std::string commands_text(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) {
        names.push_back(command->get_name());
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// "; --chips is like it", of the flag that was most likely meant; empty where none is like it.
std::string likely_flag(const CLI::App& command, const std::string& typed) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_lnames().empty() && !option->get_group().empty()) {
            flags.push_back("--" + option->get_lnames().front());
        }
    }
    const std::string meant = likely(typed, flags);
    return meant.empty() ? meant : fmt::format("; {} is like it", meant);
}

} // namespace

void refuse_empty_values(CLI::App& command) {
    for (CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() > 0) {
            option->check([](const std::string& value) {
                return value.empty() ? std::string("is empty") : std::string();
            });
        }
    }
}

Error parse_refusal(const CLI::App& app, const CLI::ParseError& problem) {
    const std::vector<std::string> extras = app.remaining(true);
    const std::string extra = extras.empty() ? std::string() : shortened(extras.front());
    const auto parsed = app.get_subcommands();
    if (parsed.empty()) {
        return {extra.empty() ? fmt::format("Expected a command: {}; meshslice --help says what they do.",
                                            commands_text(app))
                : extra.starts_with('-')
                    ? fmt::format(
                          "There is no flag \"{}\" before a command; meshslice --help lists what there is.",
                          extra)
                    : fmt::format("There is no command \"{}\"; there are {}.", extra, commands_text(app))};
    }
    const std::string help =
        fmt::format("meshslice {} --help lists what there is", parsed.front()->get_name());
    if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) {
        return {extra.starts_with('-') ? fmt::format("There is no flag \"{}\" here{}; {}.", extra,
                                                     likely_flag(*parsed.front(), extra), help)
                                       : fmt::format("There is no place for \"{}\" here; {}.", extra, help)};
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr) {
        if (std::string_view(problem.what()).find("missing") != std::string_view::npos) {
            return {fmt::format("{} needs a value; {}.", option_of(problem), help)};
        }
        return {fmt::format("{} takes one value, once; {}.", option_of(problem), help)};
    }
    if (dynamic_cast<const CLI::ValidationError*>(&problem) != nullptr) {
        return {fmt::format("{} is empty; expected a value; {}.", option_of(problem), help)};
    }
    return {fmt::format("{}; {}.", problem.what(), help)};
}

} // namespace meshslice
