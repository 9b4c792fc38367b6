#include "app/arguments/parse_refusal.h"

#include "app/arguments/typed_words.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// "--mesh" of CLI11's "--mesh: 1 required  missing" and "--mesh is required".
std::string option_of(const CLI::ParseError& problem) {
    const std::string words = problem.what();
    return words.substr(0, std::min(words.find(':'), words.find(" is required")));
}

/// The longest flag whose words are among those of what was typed, or that it begins with: "--batch" of
/// "--global-batch-size" and of "--batchsize"; empty where there is none.
std::string flag_within(const std::string& typed, const std::vector<std::string>& flags) {
    constexpr std::size_t shortest = 4;               // letters
    const std::string framed = typed.substr(1) + "-"; // "-global-batch-size-"
    std::string found;
    for (const std::string& flag : flags) {
        const bool a_word = framed.find(flag.substr(1) + "-") != std::string::npos;
        const bool begins = flag.size() >= 2 + shortest && typed.starts_with(flag);
        if ((a_word || begins) && flag.size() > found.size()) {
            found = flag;
        }
    }
    return found;
}

/// What other programs call a flag; empty where none of these has it.
std::string flag_elsewhere(const std::string& typed, const std::vector<std::string>& flags) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> words = {
        {{"--gpus", "--chips"},
         {"--num-gpus", "--chips"},
         {"--ngpus", "--chips"},
         {"--devices", "--chips"},
         {"--world-size", "--chips"},
         {"--gpu", "--machine"},
         {"--device", "--machine"},
         {"--gbs", "--batch"},
         {"--mbs", "--micro-batch"},
         {"--seq", "--sequence"},
         {"--seq-length", "--sequence"}}};
    for (const auto& [word, flag] : words) {
        if (typed == word && std::ranges::find(flags, flag) != flags.end()) {
            return std::string(flag);
        }
    }
    return {};
}

/// "did you mean --chips?", or else where the flags are listed.
std::string instead_of_flag(const CLI::App& command, const std::string& typed, const std::string& help) {
    const std::string flag = typed.substr(0, typed.find('='));
    const std::vector<std::string> flags = offered_flags(command);
    if (const std::string meant = flag_elsewhere(flag, flags); !meant.empty()) {
        return fmt::format("did you mean {}?", meant);
    }
    if (!likely_names(flag, flags).empty()) {
        return suggestion(flag, flags);
    }
    const std::string part = flag_within(flag, flags);
    return part.empty() ? help + "." : fmt::format("did you mean {}?", part);
}

/// "did you mean --model llama-3-8b?" of a preset's name without its flag.
std::string instead_of_place(const CLI::App& command, const std::string& typed, const std::string& help) {
    const auto takes = [&](const char* flag, const auto& presets) {
        return command.get_option_no_throw(flag) != nullptr &&
               std::ranges::any_of(presets, [&](const auto& one) { return one.name == typed; });
    };
    for (const auto& [flag, is_one] : {std::pair{"--model", takes("--model", model_presets())},
                                       std::pair{"--machine", takes("--machine", machine_presets())}}) {
        if (is_one) {
            return fmt::format("did you mean {} {}?", flag, typed);
        }
    }
    return help + ".";
}

} // namespace

void refuse_empty_values(CLI::App& command) {
    for (CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() > 0) {
            option->check([](const std::string& value) {
                return value.empty() ? std::string("needs a value that is not empty") : std::string();
            });
        }
    }
}

Error parse_refusal(const CLI::App& app, const CLI::ParseError& problem) {
    const std::vector<std::string> extras = app.remaining(true);
    const std::string extra = extras.empty() ? std::string() : shortened(extras.front());
    const auto parsed = app.get_subcommands();
    const CLI::App& command = parsed.empty() ? app : *parsed.front();
    const std::string called = parsed.empty() ? app.get_name() : app.get_name() + " " + command.get_name();
    const std::string help = fmt::format("{} --help lists what there is", called);
    if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) {
        return {extra.starts_with('-') ? fmt::format("There is no flag \"{}\" here; {}", extra,
                                                     instead_of_flag(command, extra, help))
                                       : fmt::format("Unexpected argument \"{}\"; {}", extra,
                                                     instead_of_place(command, extra, help))};
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr) {
        const std::string_view words = problem.what();
        return {words.find("missing") != std::string_view::npos
                    ? fmt::format("{} needs a value; {}.", option_of(problem), help)
                    : fmt::format("{} is given twice.", option_of(problem))};
    }
    if (dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr) {
        return {fmt::format("{} is needed; {}.", option_of(problem), help)};
    }
    if (dynamic_cast<const CLI::ConversionError*>(&problem) != nullptr) { // a switch with "=words"
        const std::string words = problem.what();
        const std::size_t begin = std::min(words.find("--"), words.size());
        return {fmt::format("{} takes no value; {}.", words.substr(begin, words.find(" =", begin) - begin),
                            help)};
    }
    if (dynamic_cast<const CLI::ValidationError*>(&problem) != nullptr) {
        const std::string_view words = problem.what(); // our own, after the flag
        return {fmt::format("{}{}; {}.", option_of(problem),
                            words.substr(std::min(words.find(": ") + 1, words.size())), help)};
    }
    return {fmt::format("{}; {}.", problem.what(), help)};
}

} // namespace meshslice
