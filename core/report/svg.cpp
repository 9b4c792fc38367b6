#include "core/report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace meshslice {
namespace {

constexpr std::string_view replacement = "\ufffd";
/// As wide as the fonts that texts are laid out by, or narrower.
constexpr std::string_view fonts = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif";

/// How many bytes the UTF-8 character at the beginning has; 0 where there is none, or one that XML 1.0 cannot
/// hold: control characters, surrogates, U+FFFE and U+FFFF.
std::size_t character(std::string_view text) {
    const auto byte = [&](std::size_t k) -> std::uint32_t { return static_cast<unsigned char>(text[k]); };
    const std::uint32_t first = byte(0);
    if (first < 0x80U) {
        return first >= 0x20U || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
    }
    const std::size_t size = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
    if (first < 0xC2U || first > 0xF4U || text.size() < size) {
        return 0;
    }
    std::uint32_t code = first & (0x7FU >> size);
    for (std::size_t k = 1; k < size; ++k) {
        if ((byte(k) & 0xC0U) != 0x80U) {
            return 0;
        }
        code = (code << 6U) | (byte(k) & 0x3FU);
    }
    const bool shortest = size == 2 || (size == 3 && code >= 0x800U) || (size == 4 && code >= 0x10000U);
    const bool allowed = (code < 0xD800U || code > 0xDFFFU) && code != 0xFFFEU && code != 0xFFFFU;
    return shortest && allowed && code <= 0x10FFFFU ? size : 0;
}

/// Two decimals at most, none that say nothing, and no minus before a zero.
std::string number(double value) {
    std::string words = fmt::format("{:.2f}", value);
    words.erase(words.find_last_not_of('0') + 1);
    if (words.back() == '.') {
        words.pop_back();
    }
    return words == "-0" ? "0" : words;
}

std::string hex(Rgb color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

} // namespace

std::string xml_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character(text);
        switch (text.front()) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&apos;"; break;
        default: out += size == 0 ? replacement : text.substr(0, size);
        }
        text.remove_prefix(std::max<std::size_t>(1, size));
    }
    return out;
}

Svg::Svg(double width, double height, std::string_view title, std::string_view description, Rgb background) {
    out_ = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                       "viewBox=\"0 0 {0} {1}\" role=\"img\" font-family=\"{2}\">\n"
                       "<title>{3}</title>\n<desc>{4}</desc>\n",
                       number(width), number(height), fonts, xml_text(title), xml_text(description));
    rectangle({0, 0, width, height}, {background});
}

void Svg::shape(const std::string& element, const Paint& paint) {
    const std::string fill = paint.filled ? hex(paint.color) : "none";
    const std::string stroke = paint.filled ? std::string()
                                            : fmt::format(" stroke=\"{}\" stroke-width=\"{}\"",
                                                          hex(paint.color), number(paint.stroke));
    const std::string name = element.substr(1, element.find(' ') - 1);
    out_ += fmt::format("{} fill=\"{}\"{}", element, fill, stroke);
    out_ +=
        paint.title.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", xml_text(paint.title), name);
}

void Svg::rectangle(const Box& box, const Paint& paint) {
    shape(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.left), number(box.top),
                      number(box.width), number(box.height)),
          paint);
}

void Svg::circle(const Box& box, const Paint& paint) {
    const Point middle = box.center();
    shape(fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(middle.x), number(middle.y),
                      number(std::min(box.width, box.height) / 2)),
          paint);
}

void Svg::polygon(const std::vector<Point>& corners, const Paint& paint) {
    std::string points;
    for (const Point& corner : corners) {
        points += fmt::format("{}{},{}", points.empty() ? "" : " ", number(corner.x), number(corner.y));
    }
    shape(fmt::format("<polygon points=\"{}\"", points), paint);
}

void Svg::line(const Point& from, const Point& to, Rgb color, double width) {
    out_ +=
        fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                    number(from.x), number(from.y), number(to.x), number(to.y), hex(color), number(width));
}

void Svg::text(const Point& at, Anchor anchor, std::string_view words, const Letters& letters, Rgb color,
               bool turned) {
    // The base line lies below the middle; not every program knows SVG's own words for that.
    const double base = 0.36 * letters.pixels;
    const Point on_base = turned ? Point{at.x + base, at.y} : Point{at.x, at.y + base};
    const char* end = anchor == Anchor::start    ? ""
                      : anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                 : " text-anchor=\"end\"";
    const std::string turn =
        turned ? fmt::format(" transform=\"rotate(-90 {} {})\"", number(on_base.x), number(on_base.y))
               : std::string();
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{} fill=\"{}\">{}</text>\n",
                        number(on_base.x), number(on_base.y), number(letters.pixels),
                        letters.bold ? " font-weight=\"bold\"" : "", end, turn, hex(color), xml_text(words));
}

std::string Svg::document() const {
    return out_ + "</svg>\n";
}

} // namespace meshslice
