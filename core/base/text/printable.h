#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace meshslice {

enum class Lines { one, kept };

/// Text that a terminal shows and does not obey: control characters (C0, C1 and DEL) and bytes that are not
/// UTF-8 become "\x1b". Line ends, \n or \r\n, stay where `lines` is kept. What we print quotes names out of
/// files, and a file may come from anybody.
[[nodiscard]] std::string printable(std::string_view text, Lines lines = Lines::one);

/// The first character of a text in UTF-8 that does not show what it does, "U+202E": control characters,
/// those that have no width, turn the direction of a text, or end a line. Line ends and tabs are fine where
/// `lines` is kept. Empty where there is none.
[[nodiscard]] std::string hidden_character(std::string_view text, Lines lines = Lines::one);

/// How many bytes of the text are UTF-8, from its first on: all of them where it is.
[[nodiscard]] std::size_t valid_bytes(std::string_view text);

/// What XML can hold: its other characters and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string for_xml(std::string_view text);

} // namespace meshslice
