#include "core/base/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

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

/// Of a whole character.
char32_t code_of(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    char32_t code = character.size() == 1   ? first
                    : character.size() == 2 ? first & 0x1Fu
                    : character.size() == 3 ? first & 0x0Fu
                                            : first & 0x07u;
    for (const char byte : character.substr(1)) {
        code = (code << 6u) | (static_cast<unsigned char>(byte) & 0x3Fu);
    }
    return code;
}

/// No width (U+200B to U+200D, U+2060, U+FEFF, a hyphen that may be), marks of direction, and ends of lines
/// and paragraphs; Unicode calls nearly all of them Cf, Zl and Zp.
bool is_hidden(char32_t code) {
    return code == 0xAD || code == 0x61C || code == 0x180E || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

/// Calls it with every character and the bytes of it; 0 of bytes that are none.
template <class Take>
void each_character(std::string_view text, Take take) {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const std::string_view character = text.substr(0, length == 0 ? 1 : length);
        take(character, length);
        text.remove_prefix(character.size());
    }
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

std::string hidden_character(std::string_view text, Lines lines) {
    // Nearly every text of every file is plain.
    if (std::ranges::all_of(text, [](char byte) { return byte >= ' ' && byte <= '~'; })) {
        return {};
    }
    std::string found;
    each_character(text, [&](std::string_view character, std::size_t length) {
        const bool fine =
            lines == Lines::kept && (character == "\n" || character == "\r" || character == "\t");
        if (found.empty() && length > 0 && !fine) {
            const char32_t code = code_of(character);
            found = is_control(character) || is_hidden(code)
                        ? fmt::format("U+{:04X}", static_cast<std::uint32_t>(code))
                        : std::string();
        }
    });
    return found;
}

std::size_t valid_bytes(std::string_view text) {
    std::size_t valid = 0;
    while (valid < text.size()) {
        const std::size_t length = character_length(text.substr(valid));
        if (length == 0) {
            break;
        }
        valid += length;
    }
    return valid;
}

std::string for_xml(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    each_character(text, [&](std::string_view character, std::size_t length) {
        const auto first = static_cast<unsigned char>(character[0]);
        const bool control = first < 0x20 && character != "\n" && character != "\r" && character != "\t";
        const bool none = character == "\uFFFE" || character == "\uFFFF"; // which XML leaves out too
        shown += length == 0 || control || none ? std::string_view("\uFFFD") : character;
    });
    return shown;
}

} // namespace meshslice
