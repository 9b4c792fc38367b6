#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The word that was most likely meant by a mistyped one: at most two letters differ, and fewer than half of
/// them, or only their case does. Empty where none is like it.
[[nodiscard]] std::string likely(std::string_view typed, const std::vector<std::string>& known);

} // namespace meshslice
