#pragma once

#include <cstdint>

namespace meshslice {

// Adam in mixed precision (Rajbhandari et al., "ZeRO", SC 2020, section 3.1), of each parameter: a weight and
// a gradient of 2 bytes; a copy of the weight, a momentum and a variance of 4 bytes each.
inline constexpr std::int64_t weight_bytes = 2;
inline constexpr std::int64_t gradient_bytes = 2;
inline constexpr std::int64_t optimizer_bytes = 12;
/// The update reads the gradient, reads and writes these states, and writes the weight.
inline constexpr std::int64_t optimizer_traffic = 28;
inline constexpr std::int64_t optimizer_flop = 11;

} // namespace meshslice
