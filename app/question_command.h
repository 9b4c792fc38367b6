#pragma once

#include "core/base/result.h"
#include "core/question/question.h"

#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace meshslice {

/// The exit code of a check that failed, such as a wrong GEMM in `verify`.
inline constexpr int check_failed = 1;

/// Says a sentence on the standard error; where nobody can hear it, it is not said.
void say_aside(const std::string& sentence);

/// Prints a piece of the answer at once, whole; false where that cannot be done.
using Print = std::function<bool(const std::string& text)>;

/// What a command has to say: the text for the standard output, and the exit code.
struct Printed {
    std::string text;
    int exit_code = 0;
    /// What comes bit by bit, after the text: a long list, row by row. None: nothing. It may outlive the
    /// command, and ends where printing fails.
    std::function<Result<void>(const Print& print)> rest = {};
    /// Asked after that; where it is false, the exit code is that of a check that failed. None: true.
    std::function<bool()> holds = {};
};

/// The command of a question: its flags are its fields, those of the scenario that it uses and the files that
/// are made of its answer; it prints the answer's words, values (--json) or first table (--csv). It prints
/// nothing by itself: what runs it prints the answer or the refusal.
class Command {
  public:
    Command() = default;
    virtual ~Command() = default;
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    /// Declares its flags on its own subcommand. The command must outlive the parsing.
    virtual void declare(CLI::App& flags) = 0;
    /// Does what the parsed flags ask for.
    [[nodiscard]] virtual Result<Printed> run() const = 0;
};
[[nodiscard]] std::unique_ptr<Command> question_command(Question question);

} // namespace meshslice
