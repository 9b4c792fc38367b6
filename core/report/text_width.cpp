#include "core/report/text_width.h"

#include <array>
#include <cstdint>

namespace meshslice {
namespace {

/// Advance widths of DejaVu Sans 2.37, from its table hmtx, in 1/1000 of the size: " " to "~".
constexpr std::array<std::uint16_t, 95> regular = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
/// Of DejaVu Sans Bold.
constexpr std::array<std::uint16_t, 95> bold = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};
/// Of a character that is none of these: as wide as the signs of arithmetic.
constexpr std::uint16_t other = 838;

/// The line with one more word, or the word alone.
std::string joined(const std::string& line, std::string_view between, std::string_view word) {
    return line.empty() ? std::string(word) : line + std::string(between) + std::string(word);
}

std::vector<std::string_view> split(std::string_view text, std::string_view between) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = text.find(between);
        if (end != 0) {
            parts.push_back(text.substr(0, end));
        }
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + between.size());
    }
    return parts;
}

} // namespace

double dejavu_width(std::string_view text, const Letters& letters) {
    const auto& widths = letters.bold ? bold : regular;
    double sum = 0;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte >= 0x80U && byte < 0xC0U) {
            continue; // The first byte of a character of several counts for all.
        }
        sum += byte >= ' ' && byte <= '~' ? widths[byte - static_cast<unsigned>(' ')] : other;
    }
    return sum / 1000 * letters.pixels;
}

std::string fitted(const std::string& text, double width, const Letters& letters, const TextWidth& measure) {
    if (measure(text, letters) <= width) {
        return text;
    }
    std::string cut = text;
    while (!cut.empty()) {
        // Whole characters: their following bytes are 10xxxxxx.
        while (cut.size() > 1 && (static_cast<unsigned char>(cut.back()) & 0xC0U) == 0x80U) {
            cut.pop_back();
        }
        cut.pop_back();
        if (!cut.empty() && measure(cut + "\u2026", letters) <= width) {
            return cut + "\u2026";
        }
    }
    return {};
}

std::vector<std::string> wrapped(std::string_view text, double width, const Letters& letters,
                                 const TextWidth& measure) {
    std::vector<std::string> lines;
    std::string line;
    for (const std::string_view word : split(text, " ")) {
        std::string longer = joined(line, " ", word);
        if (!line.empty() && measure(longer, letters) > width) {
            lines.push_back(std::move(line));
            longer = word;
        }
        line = std::move(longer);
    }
    if (!line.empty()) {
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<std::string> wrapped_by_parts(std::string_view text, double width, const Letters& letters,
                                          const TextWidth& measure) {
    std::vector<std::string> lines;
    const std::vector<std::string_view> parts = split(text, "; ");
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::string part = std::string(parts[k]) + (k + 1 < parts.size() ? ";" : "");
        if (!lines.empty() && measure(lines.back() + " " + part, letters) <= width) {
            lines.back() += " " + part;
            continue;
        }
        for (std::string& line : wrapped(part, width, letters, measure)) {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

} // namespace meshslice
