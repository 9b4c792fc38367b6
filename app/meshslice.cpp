// The command line: parses, runs the command, prints its answer or its refusal. Exit codes: 0 done, 1 a check
// failed, 2 the input was wrong or too large for this machine.

#include "app/catalogues.h"
#include "app/parse_refusal.h"
#include "app/question_command.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/question/catalogue/questions.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace meshslice {

namespace {

constexpr int wrong_input = 2;
constexpr int our_mistake = 70; // EX_SOFTWARE

int complain(const std::string& sentence, int exit_code = wrong_input) {
    say_aside(sentence);
    return exit_code;
}

/// What there is to ask, in the order of --help.
Questions all_commands() {
    Questions all = {presets_question()};
    for (const Questions& some :
         {all_questions(), {lesson_question(), schema_question(), glossary_question()}}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

/// The word after a flag, or after it and "="; none where it is not there.
std::optional<std::string> word_after(const std::string& flag, int argc, char** argv) {
    for (int k = 2; k < argc; ++k) {
        const std::string word = argv[k];
        if (word == flag && k + 1 < argc) {
            return argv[k + 1];
        }
        if (word.starts_with(flag + "=")) {
            return word.substr(flag.size() + 1);
        }
    }
    return std::nullopt;
}

/// A question over another one has the flags of that one, so it is read before the others are.
Result<void> take_the_other(Question& question, int argc, char** argv) {
    const bool asked = argc > 1 && question.id == argv[1] && question.over;
    const std::optional<std::string> id = asked ? word_after("--of", argc, argv) : std::nullopt;
    if (!id) {
        return {};
    }
    const Questions others = all_questions();
    const Question* const other = question_of(others, *id);
    if (other == nullptr || other->over) {
        std::vector<std::string> ids;
        for (const Question& one : others) {
            if (!one.over) {
                ids.push_back(one.id);
            }
        }
        return refuse(
            fmt::format("--of is \"{}\"; expected one of {}.", shortened(*id), fmt::join(ids, ", ")));
    }
    question = question.over(*other);
    return {};
}

/// Parses the arguments and runs the command that they name.
Result<Printed> answer(int argc, char** argv) {
    CLI::App app(
        "Distributed matrix multiplication on a torus of accelerators, core by core and link by link.",
        "meshslice");
    app.require_subcommand(1);
    app.set_version_flag("--version", MESHSLICE_VERSION);
    std::vector<std::pair<CLI::App*, std::unique_ptr<Command>>> commands;
    Questions questions = all_commands();
    for (Question& question : questions) {
        if (const Result<void> taken = take_the_other(question, argc, argv); !taken) {
            return refuse(taken.error());
        }
        CLI::App* flags = app.add_subcommand(question.id, question.summary);
        commands.emplace_back(flags, question_command(std::move(question)));
        // Only of the command that is called: to declare the flags of all takes longer than most answers do.
        flags->preparse_callback(
            [flags, declaring = commands.back().second.get()](std::size_t /*arguments*/) {
                declaring->declare(*flags);
                refuse_empty_values(*flags);
            });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            std::ostringstream help; // or the version
            app.exit(problem, help, help);
            return Printed{help.str()};
        }
        return refuse(parse_refusal(app, problem));
    }
    for (const auto& [flags, command] : commands) {
        if (flags->parsed()) {
            return command->run();
        }
    }
    return Printed{}; // never: a subcommand is required
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

int run(int argc, char** argv) {
    try {
        const Result<Printed> said = answer(argc, argv);
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
        return said->exit_code;
    } catch (const std::bad_alloc&) {
        return complain("Not enough memory for this run; try fewer chips or fewer slices.");
    } catch (const std::exception& problem) {
        return complain(fmt::format("Internal error (please report it): {}.", problem.what()), our_mistake);
    }
}

} // namespace
} // namespace meshslice

int main(int argc, char** argv) {
    meshslice::hold_standard_streams();
    return meshslice::run(argc, argv);
}
