#pragma once

#include <string>
#include <string_view>

namespace meshslice {

enum class Lines { one, kept };

/// Text that a terminal shows and does not obey: control characters (C0, C1 and DEL) and bytes that are not
/// UTF-8 become "\x1b". Line ends, \n or \r\n, stay where
/// `lines` is kept. What we print quotes names out of files, and a
/// file may come from anybody.
[[nodiscard]] std::string printable(std::string_view text, Lines lines = Lines::one);

} // namespace meshslice
