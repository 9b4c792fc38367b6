#pragma once

#include "core/base/result.h"

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace meshslice {

/// Lets every option of the command refuse an empty value: a script's unset variable is not a wish for the
/// default.
void refuse_empty_values(CLI::App& command);

/// What was wrong with the words of the command line, in ours; CLI11's own are for those who declare options.
[[nodiscard]] Error parse_refusal(const CLI::App& app, const CLI::ParseError& problem);

} // namespace meshslice
