#pragma once

#include "core/base/fields/field_table.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace meshslice {

/// The choice of a row that was typed in another way (see resolved()); the words themselves where they are
/// one of its words or none was meant. Other rows than choices and parts keep their words.
[[nodiscard]] std::string meant_choice(const FieldRow& row, const std::string& words);

/// The flags that a command's help shows; one that it leaves out has to be typed in full.
[[nodiscard]] std::vector<std::string> offered_flags(const CLI::App& command);

/// The arguments with flags as the command declares them: "--batch_size=8" as "--batch-size=8", "--mod" as
/// "--model" where no other flag begins so.
[[nodiscard]] std::vector<std::string> meant_flags(const CLI::App& command,
                                                   std::vector<std::string> arguments);

} // namespace meshslice
