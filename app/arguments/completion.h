#pragma once

#include "core/question/question.h"

#include <functional>
#include <string>
#include <vector>

namespace meshslice {

/// The flags that a command offers.
using FlagsOf = std::function<std::vector<std::string>(const Question& command)>;

/// What may stand in place of the last of `words`, which is what has been typed of it, after "meshslice":
/// commands, flags of the command, and the words that a flag or a place takes, such as the names of presets;
/// only those that begin as it does. A shell may hand over "--model=ll" whole, or "=" as a word of its own.
[[nodiscard]] std::vector<std::string> completions(const Questions& questions, std::vector<std::string> words,
                                                   const FlagsOf& flags_of);

} // namespace meshslice
