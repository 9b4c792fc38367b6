#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// "1 plan", "12 plans".
[[nodiscard]] std::string count_text(std::int64_t count, std::string_view one, std::string_view several);

/// Columns for people in a terminal: the first `left_aligned` ones to the left, numbers to the right, and the
/// last to the left again where it holds words; two spaces between; thin spaces become ordinary ones, which
/// every terminal draws one column wide.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows,
                                     std::size_t left_aligned, bool words_last = false);

/// The same text with ordinary spaces.
[[nodiscard]] std::string plain_spaces(std::string words);

} // namespace meshslice
