// The command line: parses, runs the command, prints its answer or its refusal. Exit codes: 0 done, 1 a check
// failed, 2 the input was wrong or too large for this machine.

#include "app/arguments/completion.h"
#include "app/arguments/help.h"
#include "app/arguments/manual_page.h"
#include "app/arguments/parse_refusal.h"
#include "app/arguments/typed_words.h"
#include "app/arguments/version.h"
#include "app/catalogues.h"
#include "app/processes.h"
#include "app/question_command.h"
#include "app/scenario_options.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"
#include "core/base/text/printable.h"
#include "core/question/catalogue/questions.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace meshslice {

namespace {

constexpr int wrong_input = 2;
constexpr int our_mistake = 70; // EX_SOFTWARE
/// What several processes do together.
constexpr const char* shared_command = "sweep";
/// What has questions over others among those that it is about.
constexpr const char* document_command = "report";

int complain(const std::string& sentence, int exit_code = wrong_input) {
    say_aside(sentence);
    return exit_code;
}

/// What there is to ask, in the order of --help.
std::vector<NamedQuestion> all_commands() {
    std::vector<NamedQuestion> all = {{"presets", presets_question}};
    all.insert(all.end(), named_questions().begin(), named_questions().end());
    all.insert(all.end(), {{"lesson", lesson_question},
                           {"validate", validate_question},
                           {"schema", schema_question},
                           {"glossary", glossary_question}});
    return all;
}

/// The word after a flag, or after it and "="; none where it is not there.
std::optional<std::string> word_after(const std::string& flag, const std::vector<std::string>& arguments) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string& word = arguments[k];
        if (word == flag && k + 1 < arguments.size()) {
            return arguments[k + 1];
        }
        if (word.starts_with(flag + "=")) {
            return word.substr(flag.size() + 1);
        }
    }
    return std::nullopt;
}

std::optional<Question> question_called(const std::string& id) {
    const auto named = std::ranges::find(named_questions(), id, &NamedQuestion::id);
    return named == named_questions().end() ? std::nullopt : std::optional(named->make());
}

/// The file that --scenario names, also where the flag is not typed in full.
std::optional<std::string> scenario_file(const std::vector<std::string>& arguments) {
    const std::string flag = "--scenario";
    for (std::size_t letters = flag.size(); letters >= std::string_view("--sce").size(); --letters) {
        if (std::optional<std::string> file = word_after(flag.substr(0, letters), arguments)) {
            return file;
        }
    }
    return std::nullopt;
}

/// The question that a project file is about, other than a block or a GEMM, which is asked about anyway.
struct OfProject {
    std::string id, about; ///< "plan", "a training run"
};

Result<std::optional<OfProject>> of_project(const std::vector<std::string>& arguments) {
    const std::optional<std::string> file = scenario_file(arguments);
    if (!file) {
        return std::nullopt;
    }
    return project_of_file(*file).map([&](const Project& project) -> std::optional<OfProject> {
        switch (project.task) {
        case ProjectTask::training: return OfProject{"plan", "a training run"};
        case ProjectTask::serving: return OfProject{"serve", "serving a model"};
        case ProjectTask::step: break;
        }
        return std::nullopt;
    });
}

/// A question over another one has the flags of that one, so it is read before the others are. Where none is
/// named, a project file says which: `by_project` is then said to those whose other flags do not suit it.
Result<void> take_the_other(Question& question, const std::vector<std::string>& arguments,
                            std::string& by_project) {
    const std::optional<std::string> id = question.over ? word_after("--of", arguments) : std::nullopt;
    if (!id) {
        if (!question.over || question.uses.none()) {
            return {};
        }
        return of_project(arguments).map([&](const std::optional<OfProject>& project) {
            if (project) {
                question = question.over(*question_called(project->id));
                by_project = fmt::format(" The file is about {}, so this is {}; --of names another question.",
                                         project->about, project->id);
            }
        });
    }
    const std::size_t slash = id->find('/');
    std::optional<Question> other = question_called(id->substr(0, slash));
    const bool any = question.id == document_command;
    if (other && any && other->over && other->id != question.id && slash != std::string::npos) {
        const std::optional<Question> inner = question_called(id->substr(slash + 1));
        other = inner && !inner->over ? std::optional(other->over(*inner)) : std::nullopt;
    } else if (other && (slash != std::string::npos || (other->over && (!any || other->id == question.id)))) {
        other.reset();
    }
    if (!other) {
        std::vector<std::string> ids;
        for (const Question& one : all_questions()) {
            if (!one.over) {
                ids.push_back(one.id);
            } else if (any && one.id != question.id) {
                ids.insert(ids.end(), {one.id, one.id + "/plan"});
            }
        }
        return refuse(
            fmt::format("--of is \"{}\"; expected one of {}.", shortened(*id), fmt::join(ids, ", ")));
    }
    question = question.over(*other);
    return {};
}

/// The commands by their names, each with its flags, which are declared when it is called: to declare those
/// of all takes longer than most answers do.
struct Commands {
    CLI::App app{
        "What large models take on many chips, TPUs or GPUs: time, memory, what bounds them, and what "
        "would change that.",
        "meshslice"};
    Questions questions;

    /// Of one command alone, where it has a name.
    explicit Commands(std::string_view only = {}) {
        for (const NamedQuestion& one : all_commands()) {
            if (only.empty() || one.id == only) {
                questions.push_back(one.make());
            }
        }
        app.require_subcommand(1);
        app.set_help_flag("-h,--help", "Shows this");
        app.set_help_all_flag("--help-all", "Shows this, and the flags for single numbers of the machine");
        for (const Question& question : questions) {
            app.add_subcommand(question.id, question.summary);
        }
    }
};

/// Parses what follows the command's name, and runs it.
Result<Printed> run_command(Commands& commands, const std::string& name, std::vector<std::string> arguments,
                            const Processes& all) {
    CLI::App& flags = *commands.app.get_subcommand(name);
    Question question =
        all.several() && name == shared_command ? all.sweep() : *question_of(commands.questions, name);
    std::string by_project;
    if (const Result<void> taken = take_the_other(question, arguments, by_project); !taken) {
        return refuse(taken.error());
    }
    const std::vector<std::string> examples = question.examples;
    const std::unique_ptr<Command> command = question_command(question);
    command->declare(flags);
    refuse_empty_values(flags);
    arguments = meant_flags(flags, std::move(arguments));
    if (!all.first()) {
        arguments = without_outputs(std::move(arguments));
    }
    arguments.insert(arguments.begin(), name);
    std::ranges::reverse(arguments); // as the library takes them
    try {
        commands.app.parse(std::move(arguments));
    } catch (const CLI::CallForAllHelp&) {
        return Printed{command_help(flags, examples, true, help_width())};
    } catch (const CLI::CallForHelp&) {
        return Printed{command_help(flags, examples, false, help_width())};
    } catch (const CLI::ParseError& problem) {
        return refuse(parse_refusal(commands.app, problem).sentence + by_project);
    }
    return command->run();
}

/// Lines of what may stand in place of the last word, for the completion of shells.
Printed completed(std::vector<std::string> words) {
    Commands commands;
    if (!words.empty() && words.front() == "--") {
        words.erase(words.begin());
    }
    const FlagsOf flags_of = [&](const Question& question) {
        CLI::App& flags = *commands.app.get_subcommand(question.id);
        const std::unique_ptr<Command> command = question_command(question);
        command->declare(flags);
        return offered_flags(flags);
    };
    // Nothing at all where there is none, so that the shell completes names of files.
    std::string lines;
    for (const std::string& one : completions(commands.questions, std::move(words), flags_of)) {
        lines += one + "\n";
    }
    return {std::move(lines)};
}

/// The page that `man meshslice` shows: every command with its help.
Printed manual() {
    constexpr std::size_t width = 72; // what a page leaves of 80
    Commands commands;
    ManualPage page{"meshslice", version_text("meshslice"), "what large models take on many chips",
                    "meshslice COMMAND [flags]", commands.app.get_description() + " The commands are:"};
    std::vector<std::unique_ptr<Command>> declared; // as long as their flags are read
    for (const Question& question : commands.questions) {
        CLI::App& flags = *commands.app.get_subcommand(question.id);
        declared.push_back(question_command(question));
        declared.back()->declare(flags);
        page.entries.emplace_back(question.id, question.summary + ".");
        page.sections.emplace_back("meshslice " + question.id,
                                   command_help(flags, question.examples, true, width));
    }
    page.see_also = "meshslice-explorer";
    return {roff(page)};
}

/// What the arguments ask for: the help, the version, or a command's answer.
Result<Printed> answer(std::vector<std::string> arguments, const Processes& all) {
    const std::string first = arguments.empty() ? "help" : arguments.front();
    std::vector<std::string> names;
    std::ranges::transform(all_commands(), std::back_inserter(names),
                           [](const NamedQuestion& one) { return std::string(one.id); });
    names.insert(names.end(), {"help", "version"});
    std::string name = resolved(first, names);
    if (name == "version" || first == "-V" || first == "--version") {
        return Printed{version_text("meshslice") + "\n"};
    }
    if (first == "complete" && arguments.size() > 1) { // for shells and packages, not offered
        return arguments[1] == "--manual" ? manual() : completed({arguments.begin() + 1, arguments.end()});
    }
    const bool asks_for_help = name == "help" || first == "-h" || first == "--help" || first == "--help-all";
    if (asks_for_help && arguments.size() < 2) {
        return Printed{program_help(Commands().app, help_width())};
    }
    if (first.starts_with('-') && !asks_for_help) {
        return refuse(
            fmt::format("There is no flag \"{}\" before a command; meshslice help lists the commands.",
                        shortened(first)));
    }
    const std::string& asked = asks_for_help ? arguments[1] : first;
    name = asks_for_help ? resolved(asked, names) : name;
    if (std::ranges::none_of(all_commands(), [&](const NamedQuestion& one) { return one.id == name; })) {
        return refuse(
            fmt::format("There is no command \"{}\"; {}", shortened(asked), suggestion(asked, names)));
    }
    arguments.erase(arguments.begin(), arguments.begin() + (asks_for_help ? 2 : 1));
    if (asks_for_help) {
        arguments.insert(arguments.begin(), "--help");
    }
    if (!all.first() && name != shared_command) {
        return Printed(); // the first process answers alone
    }
    Commands commands(name);
    return run_command(commands, name, std::move(arguments), all);
}

bool print(const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

/// Where the program is started without a standard input, output or error, a file that it opens must not
/// become that one: what takes their place takes no bytes and has none.
void hold_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) == -1) { // The lowest one that is free is this one.
            (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

int run(std::vector<std::string> arguments, const Processes& all) {
    try {
        const Result<Printed> said = answer(std::move(arguments), all);
        if (!said) {
            return complain(said.error().sentence);
        }
        bool written = print(printable(said->text, Lines::kept));
        if (written && said->rest) {
            const Result<void> rest = said->rest([&](const std::string& text) {
                written = written && print(printable(text, Lines::kept));
                return written;
            });
            if (written && !rest) {
                return complain(rest.error().sentence);
            }
        }
        if (!written) {
            return complain("The standard output cannot be written to; its disk may be full.");
        }
        return said->holds && !said->holds() ? check_failed : said->exit_code;
    } catch (const std::bad_alloc&) {
        return complain("Not enough memory for this run; try fewer chips or fewer slices.");
    } catch (const std::exception& problem) {
        return complain(fmt::format("Internal error (please report it): {}.", problem.what()), our_mistake);
    }
}

/// The first of several processes speaks.
int run_in_processes(std::vector<std::string> arguments) {
    const Result<Processes> all = Processes::joined();
    if (!all) {
        return complain(all.error().sentence);
    }
    if (!all->first()) {
        print_nothing();
    }
    const int exit_code = run(std::move(arguments), *all);
    all->finish();
    return all->first() ? exit_code : 0;
}

} // namespace
} // namespace meshslice

int main(int argc, char** argv) {
    meshslice::hold_standard_streams();
    return meshslice::run_in_processes({argv + std::min(argc, 1), argv + argc});
}
