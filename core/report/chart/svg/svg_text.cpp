#include "core/report/chart/svg/svg_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace meshslice {
namespace {

constexpr double mean_letter = 0.56; ///< the width of a letter, in its size

} // namespace

double svg_width(std::string_view text, double size) {
    return mean_letter * size * static_cast<double>(text.size());
}

std::vector<std::string> svg_lines(std::string_view text, double width, double size) {
    const auto most = static_cast<std::size_t>(std::max(4.0, width / (mean_letter * size)));
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        if (lines.empty() || lines.back().size() + 1 + word.size() > most) {
            lines.emplace_back(word);
        } else {
            lines.back() += fmt::format(" {}", word);
        }
        text.remove_prefix(std::min(text.size(), word.size() + 1));
    }
    return lines;
}

std::string hex(const Rgb& color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

} // namespace meshslice
