#include "core/base/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {

std::string count_text(std::int64_t count, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

namespace {

/// Columns a terminal needs: every code point of ours is one wide.
std::size_t width(const std::string& words) {
    return static_cast<std::size_t>(std::count_if(words.begin(), words.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
    }));
}

} // namespace

std::string plain_spaces(std::string words) {
    const std::string thin = "\u2009";
    for (std::size_t at = words.find(thin); at != std::string::npos; at = words.find(thin, at)) {
        words.replace(at, thin.size(), 1, ' ');
    }
    return words;
}

std::string text_table(const std::vector<std::vector<std::string>>& rows, std::size_t left_aligned,
                       bool words_last) {
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t k = 0; k < row.size(); ++k) {
            widths[k] = std::max(widths[k], width(plain_spaces(row[k])));
        }
    }
    const auto left = [&](std::size_t column) {
        return column < left_aligned || (words_last && column + 1 == widths.size());
    };
    std::string out;
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k) {
            const std::string cell = plain_spaces(row[k]);
            const std::string padding(widths[k] - width(cell), ' ');
            line += (k == 0 ? "" : "  ") + (left(k) ? cell + padding : padding + cell);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

} // namespace meshslice
