#pragma once

#include "app/command.h"
#include "core/question/question.h"

#include <memory>

namespace meshslice {

/// The command of a question: its flags are its fields, and it prints the answer's words, values (--json) or
/// first table (--csv).
[[nodiscard]] std::unique_ptr<Command> question_command(Question question);

} // namespace meshslice
