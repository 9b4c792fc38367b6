#pragma once

#include "core/cost/transfer.h"

#include <cstdint>
#include <string_view>

namespace meshslice {

/// A picture of a slice has at most so many chips.
inline constexpr std::int64_t most_chips_drawn = 512;

/// Reads "0, 3". The error begins with `who`, the flag or the field, and says what was expected.
[[nodiscard]] Result<GridPlace> parse_grid_place(std::string_view words, const NamedMesh& slice,
                                                 std::string_view who);

} // namespace meshslice
