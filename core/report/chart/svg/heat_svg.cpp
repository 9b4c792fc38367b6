#include "core/report/chart/svg/heat_svg.h"

#include "core/report/chart/svg/chart_svg.h"
#include "core/report/chart/svg/palette.h"
#include "core/report/chart/svg/svg_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace meshslice {
namespace {

constexpr double heat_width = 1000;
constexpr double heat_margin = 14;
constexpr double heat_small = 11;
constexpr double widest_cell = 110;
constexpr double heat_line = 15;

struct HeatPlace {
    double x = 0;
    double y = 0;
};

std::string heat_words(HeatPlace at, std::string_view words, std::string_view anchor, double size,
                       std::string_view fill, std::string_view more = {}) {
    return fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\"{}>{}</text>\n", at.x,
        at.y, anchor, size, fill, more, xml_text(words));
}

std::string heat_box(HeatPlace at, double width, double height, std::string_view fill,
                     std::string_view title = {}) {
    const std::string inside =
        title.empty() ? std::string() : fmt::format("<title>{}</title>", xml_text(title));
    return fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\">{}</rect>\n", at.x,
        at.y, width, height, fill, inside);
}

/// Diagonals across a box, cut to it; hatches of neighbours line up. Lines, because not every program that
/// shows SVG knows patterns.
std::string heat_hatch(HeatPlace at, double width, double height, std::string_view stroke) {
    constexpr double spacing = 8;
    const double right = at.x + width;
    const double bottom = at.y + height;
    std::string path;
    for (double sum = std::ceil((at.x + at.y) / spacing) * spacing; sum < right + bottom; sum += spacing) {
        const double from = std::max(at.x, sum - bottom);
        const double to = std::min(right, sum - at.y);
        path += fmt::format("M{:.2f},{:.2f} L{:.2f},{:.2f} ", from, sum - from, to, sum - to);
    }
    return fmt::format(
        "<path d=\"{}\" stroke=\"{}\" stroke-opacity=\"0.35\" stroke-width=\"1\" fill=\"none\" "
        "class=\"hatch\"/>\n",
        path, stroke);
}

/// One cell: its colour, its hatch or its cross, and its number where that fits.
std::string heat_cell(const HeatMap& map, std::size_t index, const HeatRange& range, HeatPlace at,
                      double width, double height) {
    const HeatCell& cell = map.cells[index];
    const std::string title = heat_text(map, index);
    const std::string quiet = hex(rgb(Role::quietText, Theme::light));
    if (!cell.value) {
        std::string out = heat_box(at, width, height, hex(rgb(Role::panel, Theme::light)), title);
        if (cell.done) {
            const double half = std::min({6.0, width / 3, height / 3});
            const double x = at.x + width / 2;
            const double y = at.y + height / 2;
            out += fmt::format("<path d=\"M{:.2f},{:.2f} L{:.2f},{:.2f} M{:.2f},{:.2f} L{:.2f},{:.2f}\" "
                               "stroke=\"{}\" stroke-width=\"1.5\" fill=\"none\"/>\n",
                               x - half, y - half, x + half, y + half, x - half, y + half, x + half, y - half,
                               quiet);
        }
        return out;
    }
    const HeatTint tint = heat_tint(map, range, *cell.value);
    const Rgb ground =
        cell.open ? rgb(Role::background, Theme::light) : tinted(tint.role, Theme::light, tint.strength);
    std::string out = heat_box(at, width, height, hex(ground), title);
    if (cell.open) {
        out += heat_hatch(at, width, height, quiet);
    }
    std::string number = heat_number(map, cell);
    if (svg_width(number, heat_small) + 4 > width) {
        number = heat_number(map, cell, false);
    }
    if (svg_width(number, heat_small) + 2 <= width && height >= 12) {
        out += heat_words({at.x + width / 2, at.y + height / 2 + 4}, number, "middle", heat_small,
                          cell.open                ? quiet
                          : reads_black_on(ground) ? "#000000"
                                                   : "#ffffff");
    }
    if (is_best(map, index)) {
        const double size = std::min({9.0, height * 0.6, width * 0.3});
        out += fmt::format("<polygon points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" fill=\"{}\"/>\n",
                           at.x + width - size - 1, at.y + 1, at.x + width - 1, at.y + 1, at.x + width - 1,
                           at.y + size + 1, hex(rgb(Role::text, Theme::light)));
    }
    return out;
}

/// The colours and what they stand for, right of the cells.
std::string heat_scale(const HeatMap& map, const HeatRange& range, HeatPlace at, double height) {
    constexpr int steps = 24;
    std::string out;
    for (int step = 0; step < steps; ++step) {
        const double share = (step + 0.5) / steps;
        const double value = range.high - share * (range.high - range.low);
        const HeatTint tint = heat_tint(map, range, value);
        out += heat_box({at.x, at.y + height * step / steps}, 14, height / steps + 0.5,
                        hex(tinted(tint.role, Theme::light, tint.strength)));
    }
    const std::string ink = hex(rgb(Role::text, Theme::light));
    const auto end = [&](double value) {
        return map.around_zero ? heat_number(map, {value}) : value_text(map.unit, value);
    };
    out += heat_words({at.x + 20, at.y + 10}, end(range.high), "start", heat_small, ink);
    if (range.high > range.low) {
        out += heat_words({at.x + 20, at.y + height}, end(range.low), "start", heat_small, ink);
    }
    return out;
}

} // namespace

std::string heat_svg(const HeatMap& map, std::string_view description) {
    const std::string ink = hex(rgb(Role::text, Theme::light));
    const std::string quiet = hex(rgb(Role::quietText, Theme::light));
    std::string out;
    double y = heat_margin;
    for (const std::string& line : svg_lines(map.title, heat_width - 2 * heat_margin, 15)) {
        y += 20;
        out += heat_words({heat_margin, y - 4}, line, "start", 15, ink, " font-weight=\"bold\"");
    }
    y += 12;
    double names = 40;
    for (const std::string& row : map.rows) {
        names = std::max(names, svg_width(row, heat_small) + 10);
    }
    const double left = heat_margin + 20 + names;
    const auto columns = static_cast<double>(map.columns.size());
    const auto rows = static_cast<double>(map.rows.size());
    const double width = std::min(widest_cell, (heat_width - left - 90) / columns);
    const double height = std::clamp(440 / rows, 5.0, 44.0);
    const HeatRange range = heat_range(map).value_or(HeatRange());
    for (std::size_t k = 0; k < map.cells.size(); ++k) {
        const auto column = static_cast<double>(k % map.columns.size());
        const auto row = static_cast<double>(k / map.columns.size());
        out += heat_cell(map, k, range, {left + column * width, y + row * height}, width - 1, height - 1);
    }
    const auto row_stride = static_cast<std::size_t>(std::ceil(14 / height));
    for (std::size_t k = 0; k < map.rows.size(); k += row_stride) {
        out += heat_words({left - 6, y + (static_cast<double>(k) + 0.5) * height + 4}, map.rows[k], "end",
                          heat_small, ink);
    }
    double widest = 0;
    for (const std::string& name : map.columns) {
        widest = std::max(widest, svg_width(name, heat_small) + 6);
    }
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / width)));
    const double bottom = y + rows * height;
    for (std::size_t k = 0; k < map.columns.size(); k += stride) {
        out += heat_words({left + (static_cast<double>(k) + 0.5) * width, bottom + 15}, map.columns[k],
                          "middle", heat_small, ink);
    }
    out += heat_words({left + columns * width / 2, bottom + 34}, map.x, "middle", 12, ink);
    const HeatPlace turned{heat_margin + 10, y + rows * height / 2};
    out += heat_words(turned, map.y, "middle", 12, ink,
                      fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", turned.x, turned.y));
    if (heat_range(map)) {
        out += heat_scale(map, range, {left + columns * width + 16, y}, std::min(160.0, rows * height));
    }
    y = bottom + 58;
    std::vector<std::string> notes = map.notes;
    notes.insert(notes.begin(), heat_key(map));
    for (const std::string& note : notes) {
        for (const std::string& line : svg_lines(note, heat_width - 2 * heat_margin, heat_small)) {
            out += heat_words({heat_margin, y}, line, "start", heat_small, quiet);
            y += heat_line;
        }
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "role=\"img\" font-family=\"Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif\">\n"
        "<title>{2}</title>\n<desc>{3}</desc>\n"
        "<rect x=\"0\" y=\"0\" width=\"{0}\" height=\"{1}\" fill=\"{4}\"/>\n{5}</svg>\n",
        heat_width, std::ceil(y + 4), xml_text(map.title), xml_text(description),
        hex(rgb(Role::background, Theme::light)), out);
}

} // namespace meshslice
