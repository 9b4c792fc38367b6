#include "app/printable.h"

#include <fmt/format.h>

#include <cstddef>

namespace meshslice {
namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
    };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(k) & 0xC0u) != 0x80u) {
            return 0;
        }
    }
    const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool beyond = (first == 0xED && byte(1) >= 0xA0) || (first == 0xF4 && byte(1) >= 0x90);
    return overlong || beyond ? 0 : length;
}

/// Of a whole character: C0, DEL, or C1 (U+0080 to U+009F, in UTF-8 0xC2 and the same byte).
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    return first < 0x20 || first == 0x7F ||
           (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

} // namespace

std::string printable(std::string_view text, Lines lines) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const std::string_view character = text.substr(0, length == 0 ? 1 : length);
        const bool line_end =
            lines == Lines::kept && (character == "\n" || text.starts_with("\r\n")); // as CSV has them
        if (length > 0 && (line_end || !is_control(character))) {
            shown += character;
        } else {
            for (const char byte : character) {
                shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
            }
        }
        text.remove_prefix(character.size());
    }
    return shown;
}

} // namespace meshslice
