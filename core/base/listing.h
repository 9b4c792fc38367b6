#pragma once

#include <string>
#include <vector>

namespace meshslice {

/// "a", "a and b", "a, b and c"; empty for nothing.
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

} // namespace meshslice
