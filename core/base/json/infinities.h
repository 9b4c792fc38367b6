#pragma once

#include <string>
#include <string_view>

namespace meshslice {

/// What Python and JavaScript write as JSON may hold Infinity and NaN, which JSON does not have: null takes
/// their place.
[[nodiscard]] std::string without_infinities(std::string_view text);

} // namespace meshslice
