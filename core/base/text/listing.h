#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// "a", "a and b", "a, b and c", or with another word before the last; empty for nothing.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::string_view last = "and");

} // namespace meshslice
