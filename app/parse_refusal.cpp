#include "app/parse_refusal.h"

#include "core/base/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
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

/// How many letters differ: are others, more or fewer.
std::size_t letters_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t other = corner + (a[i] == b[j] ? 0 : 1);
            corner = row[j + 1];
            row[j + 1] = std::min({other, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// "; --chips is like it", of the flag that was most likely meant; empty where none is like it.
std::string likely_flag(const CLI::App& command, const std::string& typed) {
    std::string likely;
    std::size_t least = 3; // letters
    for (const CLI::Option* option : command.get_options()) {
        const std::string flag = option->get_lnames().empty() ? "" : "--" + option->get_lnames().front();
        const std::size_t letters = letters_between(typed, flag);
        if (letters < least && !option->get_group().empty()) {
            least = letters;
            likely = flag;
        }
    }
    return likely.empty() ? likely : fmt::format("; {} is like it", likely);
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
