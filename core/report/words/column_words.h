#pragma once

#include <string>

namespace meshslice {

/// A column's name in words, without its unit: "time to first token" of "ttft_s", "memory: weights" of
/// "memory/weights_bytes".
[[nodiscard]] std::string words_of_column(const std::string& column);

} // namespace meshslice
