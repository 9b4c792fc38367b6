#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The name that was typed, also with other capitals, with `_` for `-`, or only as far as no other name
/// begins with it: "All_Reduce" and "all-r" are all-reduce. Empty where it is none of them, or may be
/// several.
[[nodiscard]] std::string resolved(std::string_view typed, const std::vector<std::string>& names);

/// The names that were most likely meant, up to three: those that begin with what was typed, else those that
/// differ from it in the fewest letters, of which few may differ. Hyphens do not count: "allreduce".
[[nodiscard]] std::vector<std::string> likely_names(std::string_view typed,
                                                    const std::vector<std::string>& names);

/// The end of a sentence that refuses a name: "did you mean all-reduce?", or else "there are all-gather and
/// all-reduce."
[[nodiscard]] std::string suggestion(std::string_view typed, const std::vector<std::string>& names);

} // namespace meshslice
