#pragma once

#include "core/question/question.h"

namespace meshslice {

/// What comes with the program, as questions that only the command line asks.
[[nodiscard]] Question presets_question();
[[nodiscard]] Question glossary_question();
[[nodiscard]] Question schema_question();
/// The lessons that there are, or every step of one: its text, its answers, and what is wrong with it.
[[nodiscard]] Question lesson_question();
/// Everything that is wrong with a file.
[[nodiscard]] Question validate_question();

} // namespace meshslice
