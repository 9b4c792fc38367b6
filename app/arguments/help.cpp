#include "app/arguments/help.h"

#include "core/scenario/fields.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t usual_width = 80;
constexpr std::size_t least_width = 40;
/// Longer lines are hard to read.
constexpr std::size_t most_width = 120;
constexpr std::size_t column = 26; ///< where the words about a flag begin

/// Headings in their order; a group that is not among them stands first, under "Flags".
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> headings = {
    {{work_group, "Work"},
     {machine_group, "Machine"},
     {method_group, "Algorithm"},
     {what_if_group, "What if"},
     {hardware_group, "Numbers of the machine"},
     {"Output", "Output"}}};

/// Letters of UTF-8, not bytes.
std::size_t letters(std::string_view words) {
    return static_cast<std::size_t>(std::ranges::count_if(
        words, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; }));
}

/// Breaks between words; all lines but the first begin after `indent` spaces, and the first is `begun` long.
std::string wrapped(std::string_view words, std::size_t begun, std::size_t indent, std::size_t width) {
    std::string out;
    std::size_t at = begun;
    bool first = true;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        const std::string_view word = words.substr(0, end);
        words.remove_prefix(std::min(end + 1, words.size()));
        if (!first && at + 1 + letters(word) > width) {
            out += "\n" + std::string(indent, ' ');
            at = indent;
        } else if (!first) {
            out += ' ';
            ++at;
        }
        out += word;
        at += letters(word);
        first = false;
    }
    return out + "\n";
}

/// "NAME|FILE.json" of "NAME|FILE.json: a preset, ..."; the rest stays in `words`. Empty where a flag's words
/// do not begin with what its value looks like.
std::string value_in(std::string& words) {
    const std::size_t colon = words.find(": ");
    constexpr std::size_t longest = 40;
    const bool begins =
        !words.empty() &&
        (std::isupper(static_cast<unsigned char>(words[0])) != 0 || words[0] == '"' || words[0] == '[' ||
         words.substr(0, words.find_first_of(": ")).find('|') != std::string::npos ||
         std::isdigit(static_cast<unsigned char>(words[0])) != 0);
    if (colon == std::string::npos || colon > longest || !begins ||
        words.substr(0, colon).find(". ") != std::string::npos) {
        return {};
    }
    std::string value = words.substr(0, colon);
    words.erase(0, colon + 2);
    return value;
}

/// A flag, or a place on the command line, with its value, and what it means.
std::string line_of(const CLI::Option& option, std::size_t width) {
    std::string words = option.get_description();
    const bool takes_a_value = option.get_items_expected_max() > 0;
    const std::string value = takes_a_value ? value_in(words) : std::string();
    std::string flag = "  ";
    for (const std::string& name : option.get_snames()) {
        flag += "-" + name + ", ";
    }
    flag += option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
    flag += value.empty() ? "" : " " + value;
    if (option.get_required()) {
        words += words.empty() ? "needed" : " (needed)";
    }
    if (letters(flag) + 2 > column) {
        flag += "\n" + std::string(column, ' ');
    } else {
        flag += std::string(column - letters(flag), ' ');
    }
    return flag + wrapped(words, column, column, width);
}

struct Group {
    std::string_view heading;
    std::vector<const CLI::Option*> options;
};

std::vector<Group> groups_of(const CLI::App& command) {
    std::vector<Group> groups = {{"Flags", {}}};
    for (const auto& [name, heading] : headings) {
        groups.push_back({heading, {}});
    }
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty() || option->get_positional()) {
            continue;
        }
        const auto at = std::ranges::find(headings, std::string_view(option->get_group()),
                                          &std::pair<std::string_view, std::string_view>::first);
        const auto place = at == headings.end() ? 0 : at - headings.begin() + 1;
        groups[static_cast<std::size_t>(place)].options.push_back(option);
    }
    return groups;
}

std::string heading_of(std::string_view words) {
    return fmt::format("\n{}\n", words);
}

} // namespace

std::size_t help_width() {
    winsize size{};
    const bool terminal = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return terminal ? std::clamp<std::size_t>(size.ws_col, least_width, most_width) : usual_width;
}

std::string command_help(const CLI::App& command, const std::vector<std::string>& examples, bool all,
                         std::size_t width) {
    const CLI::App* const program = command.get_parent();
    const std::string called =
        program == nullptr ? command.get_name() : program->get_name() + " " + command.get_name();
    std::string usage = called;
    std::string places;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            const std::string place = option->get_name(true);
            usage += option->get_required() ? " " + place : " [" + place + "]";
            places += line_of(*option, width);
        }
    }
    std::string out = wrapped(command.get_description() + ".", 0, 0, width) + heading_of("Usage") + "  " +
                      usage + " [flags]\n" + places;
    if (!examples.empty()) {
        out += heading_of("Examples");
        for (const std::string& example : examples) {
            out += fmt::format("  {}{}{}\n", called, example.empty() ? "" : " ", example);
        }
    }
    std::size_t aside = 0;
    for (const Group& group : groups_of(command)) {
        if (group.options.empty()) {
            continue;
        }
        if (group.heading == "Numbers of the machine" && !all) {
            aside += group.options.size();
            continue;
        }
        out += heading_of(group.heading);
        for (const CLI::Option* option : group.options) {
            out += line_of(*option, width);
        }
    }
    return aside == 0 ? out
                      : out + fmt::format("\n{} more flags set single numbers of the machine; --help-all "
                                          "lists them.\n",
                                          aside);
}

std::string program_help(const CLI::App& program, std::size_t width) {
    std::string out = wrapped(program.get_description(), 0, 0, width) + heading_of("Usage") +
                      "  meshslice COMMAND [flags]\n" + heading_of("Commands");
    constexpr std::size_t names = 15;
    for (const CLI::App* command : program.get_subcommands({})) {
        out += fmt::format("  {:<{}}", command->get_name(), names - 2) +
               wrapped(command->get_description(), names, names, width);
    }
    out += heading_of("Help") + "  meshslice help COMMAND   its flags, with examples\n"
                                "  meshslice glossary WORD  a word of the field, explained\n"
                                "  meshslice version        which version this is\n";
    return out;
}

} // namespace meshslice
