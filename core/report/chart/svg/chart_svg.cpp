#include "core/report/chart/svg/chart_svg.h"

#include "core/base/text/printable.h"
#include "core/report/chart/chart_scale.h"
#include "core/report/chart/svg/mark_shape.h"
#include "core/report/chart/svg/palette.h"
#include "core/report/chart/svg/svg_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshslice {
namespace {

constexpr double margin = 14;
constexpr double left_room = 66;    ///< of an axis of values
constexpr double legend_room = 150; ///< right of a panel
constexpr double panel_height = 380;
constexpr double least_with_legend = 600; ///< of a picture whose legends stand right of its plots
constexpr double phone_width = 360;
constexpr double phone_plot = 150; ///< the least width of a plot on it
constexpr double room_below = 70;  ///< of a plot, for its axis
constexpr double axis_room = 94;   ///< of a panel's height: its title, and its axis of values
constexpr double most_words = 330; ///< at the end of a bar; longer ones stand in its tooltip alone
constexpr double small = 11;
constexpr std::string_view fonts = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif";

std::string hex(Role role) {
    return hex(rgb(role, Theme::light));
}

/// Exposed communication is a hatch in every chart; what has an edge has one.
std::string paint(Role role) {
    switch (texture(role)) {
    case Texture::hatched: return "fill=\"url(#hatch)\"";
    case Texture::edged:
        return fmt::format("fill=\"{}\" stroke=\"{}\"", hex(role), hex(edge(role, Theme::light)));
    default: return fmt::format("fill=\"{}\"", hex(role));
    }
}

struct Anchor {
    double x = 0;
    double y = 0;
};

/// The shapes written so far; lengths are pixels with two decimals.
class Writer {
  public:
    std::string out;

    void text(Anchor at, std::string_view words, std::string_view anchor, double size, Role role,
              std::string_view more = {}) {
        out +=
            fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\"{}>{}"
                        "</text>\n",
                        at.x, at.y, anchor, size, hex(role), more, xml_text(words));
    }
    void line(Anchor from, Anchor to, Role role, double width, std::string_view more = {}) {
        out += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
                           "stroke-width=\"{}\"{}/>\n",
                           from.x, from.y, to.x, to.y, hex(role), width, more);
    }
    void bar(Anchor from, Anchor to, Role role, std::string_view title) {
        out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}>"
                           "<title>{}</title></rect>\n",
                           std::min(from.x, to.x), std::min(from.y, to.y), std::abs(to.x - from.x),
                           std::abs(to.y - from.y), paint(role), xml_text(title));
    }
    /// In a bar so wide, where it has room.
    void label(Anchor at, std::string_view words, double room, Role ground) {
        if (!words.empty() && svg_width(words, small) + 4 <= room) {
            out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" font-size=\"{}\" "
                               "fill=\"{}\">{}</text>\n",
                               at.x, at.y, small,
                               reads_black_on(rgb(ground, Theme::light)) ? "#000000" : "#ffffff",
                               xml_text(words));
        }
    }
    /// `radius` is half of the mark's size.
    void mark(Anchor at, std::size_t shape, double radius, const ChartSeries& series, std::string_view title,
              bool open = false) {
        const std::string paint = series.hollow || open
                                      ? fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"",
                                                    open ? hex(Role::background) : "none", hex(series.role))
                                      : fmt::format("fill=\"{}\"", hex(series.role));
        const std::vector<MarkCorner> corners = mark_outline(shape);
        std::string element = fmt::format("circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"", at.x, at.y, radius);
        if (!corners.empty()) {
            std::string points;
            for (const MarkCorner& corner : corners) {
                points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", at.x + radius * corner.x,
                                      at.y + radius * corner.y);
            }
            element = fmt::format("polygon points=\"{}\"", points);
        }
        out += fmt::format("<{} {}><title>{}</title></{}>\n", element, paint, xml_text(title),
                           corners.empty() ? "circle" : "polygon");
    }
};

/// One panel and where its values are.
struct Panel {
    const ChartPanel& panel;
    double left, top, right, bottom; ///< of the plot
    PixelAxis x, y;
    CategoryPlaces places;
    double legend = 0;       ///< its left end
    double legend_words = 0; ///< the width of its words
    bool legend_below = false;

    [[nodiscard]] double category(double k) const {
        const bool across = !panel.horizontal();
        const double step = (across ? right - left : bottom - top) / std::max(1, places.steps);
        const double at = places.at[static_cast<std::size_t>(k)] + places.per_category / 2.0;
        return (across ? left : top) + at * step;
    }
    [[nodiscard]] double thickness(bool thin) const {
        const double step = (panel.horizontal() ? bottom - top : right - left) / std::max(1, places.steps);
        return std::min(56.0, (thin ? 0.3 : 0.6) * step * places.per_category);
    }
    [[nodiscard]] Anchor at(const ChartPoint& point) const {
        const bool named = !panel.categories().categories.empty();
        return {named && !panel.horizontal() ? category(point.x) : x.pixel(point.x),
                named && panel.horizontal() ? category(point.y) : y.pixel(point.y)};
    }
    [[nodiscard]] bool inside(const Anchor& place) const {
        return place.x >= left - 0.5 && place.x <= right + 0.5 && place.y >= top - 0.5 &&
               place.y <= bottom + 0.5;
    }
};

void write_axes(Writer& svg, const Panel& plot) {
    const ChartPanel& panel = plot.panel;
    for (const bool along_x : {true, false}) {
        const ChartAxis& axis = along_x ? panel.x : panel.y;
        const PixelAxis& scale = along_x ? plot.x : plot.y;
        const double most = axis.categories.empty() ? scale.high : 0;
        const auto name = [&](double below) {
            const std::string words = axis_name(axis, most);
            if (along_x) {
                svg.text({(plot.left + plot.right) / 2, plot.bottom + below}, words, "middle", 12,
                         Role::text);
            } else {
                const Anchor at{plot.left - left_room + 16, (plot.top + plot.bottom) / 2};
                svg.text(at, words, "middle", 12, Role::text,
                         fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", at.x, at.y));
            }
        };
        if (axis.categories.empty()) {
            const auto width = [&](std::string_view words) {
                return along_x ? svg_width(words, small) : static_cast<double>(small);
            };
            for (const Tick& tick :
                 axis.names.empty() ? axis_ticks(scale, along_x ? 60 : 40, axis_unit(axis.unit, most).first)
                                    : named_ticks(axis, scale, width)) {
                const double at = scale.pixel(tick.value);
                svg.line({along_x ? at : plot.left, along_x ? plot.top : at},
                         {along_x ? at : plot.right, along_x ? plot.bottom : at}, Role::grid, 1);
                svg.text({along_x ? at : plot.left - 6, along_x ? plot.bottom + 16 : at + 4}, tick.label,
                         along_x ? "middle" : "end", small, Role::quietText);
            }
            name(34);
            continue;
        }
        std::size_t most_lines = 1;
        const double room =
            (plot.right - plot.left) / std::max(1, plot.places.steps) * plot.places.per_category;
        const std::size_t stride =
            along_x ? category_stride(panel, room, [](auto words) { return svg_width(words, small); }) : 1;
        for (std::size_t k = 0; k < axis.categories.size(); k += stride) {
            const double at = plot.category(static_cast<double>(k));
            if (!along_x) {
                svg.text({plot.left - 6, at + 4}, axis.categories[k], "end", small, Role::quietText);
                if (!axis.groups.empty() && (k == 0 || axis.groups[k] != axis.groups[k - 1])) {
                    const double step = (plot.bottom - plot.top) / std::max(1, plot.places.steps);
                    svg.text({margin, plot.top + (plot.places.at[k] - 0.5) * step + 4}, axis.groups[k],
                             "start", small, Role::text, " font-weight=\"bold\"");
                }
                continue;
            }
            const std::vector<std::string> lines =
                svg_lines(axis.categories[k], room * static_cast<double>(stride), small);
            most_lines = std::max(most_lines, lines.size());
            for (std::size_t line = 0; line < lines.size(); ++line) {
                svg.text({at, plot.bottom + 16 + 13 * static_cast<double>(line)}, lines[line], "middle",
                         small, Role::quietText);
            }
        }
        if (along_x) {
            name(20 + 14 * static_cast<double>(most_lines));
        }
    }
}

/// What stands at the end of a bar: its sum and, where there is room, what is remarked about it.
std::string words_of_bar(const ChartPanel& panel, std::size_t category, double sum) {
    const std::string words = value_text(panel.values().unit, sum);
    const std::vector<std::string>& remarks = panel.categories().remarks;
    const std::string both = category < remarks.size() ? words + remarks[category] : words;
    return panel.horizontal() && svg_width(both, small) <= most_words ? both : words;
}

/// How wide the words of a legend may be: below a panel of so much width, or right of its plot.
double legend_words(bool below, double width) {
    return below ? width - 38 : legend_room - 34;
}

/// Where a panel stands, of so much width. Bars that grow to the right have room for their names on the left,
/// and for their words before the legend.
Panel placed(const ChartPanel& panel, double left, double top, double width, double height,
             std::optional<double> legend_below) {
    Panel plot{panel,
               left + left_room,
               top + 24,
               left + width - (legend_below ? 8 : legend_room),
               top + height - room_below - legend_below.value_or(0),
               {},
               {},
               category_places(panel.categories())};
    plot.legend = legend_below ? left : plot.right;
    plot.legend_below = legend_below.has_value();
    plot.legend_words = legend_words(plot.legend_below, width);
    if (panel.horizontal()) {
        double names = 0;
        double words = 0;
        for (std::size_t k = 0; k < panel.y.categories.size(); ++k) {
            names = std::max({names, svg_width(panel.y.categories[k], small),
                              k < panel.y.groups.size() ? 1.1 * svg_width(panel.y.groups[k], small) : 0.0});
            words =
                std::max(words, svg_width(words_of_bar(panel, k, stack_sum(panel, k).value_or(0)), small));
        }
        plot.left = left + names + 16;
        plot.right -= words + 8;
    }
    return plot;
}

/// Those that are named; of several of one name, which look alike, the first.
std::vector<const ChartSeries*> series_of_legend(const ChartPanel& panel) {
    std::vector<const ChartSeries*> named;
    for (const ChartSeries& one : panel.series) {
        const bool known =
            std::ranges::any_of(named, [&](const auto* other) { return other->name == one.name; });
        if (!one.hollow && !one.name.empty() && !known) {
            named.push_back(&one);
        }
    }
    return named;
}

double legend_height(const ChartPanel& panel, double room) {
    double height = 0;
    for (const ChartSeries* one : series_of_legend(panel)) {
        height += 4 + 14 * static_cast<double>(svg_lines(one->name, room, small).size());
    }
    return height;
}

/// As high as its bars need, each about as thick as a line of text, and as its legend.
double height_of(const ChartPanel& panel, std::optional<double> legend_below) {
    if (legend_below) {
        constexpr double phone_height = 300;
        return *legend_below +
               (panel.horizontal() ? axis_room + category_places(panel.y).steps * 27.0 : phone_height);
    }
    if (!panel.horizontal()) {
        return panel_height;
    }
    const CategoryPlaces places = category_places(panel.y);
    const double legend = legend_height(panel, legend_words(false, 0));
    return std::max(axis_room + places.steps * (places.per_category > 1 ? 9.0 : 27.0), legend + 40);
}

/// Between what a bar's sum may lie.
void write_whisker(Writer& svg, const Panel& plot, const std::pair<double, double>& span, double middle) {
    constexpr double half = 4;
    const bool down = plot.panel.horizontal();
    const PixelAxis& scale = down ? plot.x : plot.y;
    const double from = scale.pixel(span.first), to = scale.pixel(span.second);
    const auto line = [&](double along, double other_along, double low, double high) {
        svg.line(down ? Anchor{along, middle + low} : Anchor{middle + low, along},
                 down ? Anchor{other_along, middle + high} : Anchor{middle + high, other_along}, Role::text,
                 1.5);
    };
    line(from, to, 0, 0);
    line(from, from, -half, half);
    line(to, to, -half, half);
}

void write_stacks(Writer& svg, const Panel& plot) {
    const ChartPanel& panel = plot.panel;
    const bool down = panel.horizontal();
    for (std::size_t k = 0; k < panel.categories().categories.size(); ++k) {
        double sums[] = {0, 0};
        const double middle = plot.category(static_cast<double>(k));
        for (const ChartSeries& one : panel.series) {
            if (one.kind != SeriesKind::stack || !one.values[k]) {
                continue;
            }
            double& sum = sums[one.thin ? 1 : 0];
            const double half = plot.thickness(one.thin) / 2;
            const double shift = one.thin ? plot.thickness(false) / 2 + half + 1 : 0;
            const PixelAxis& scale = down ? plot.x : plot.y;
            const double from = scale.pixel(scale.clamped(sum));
            sum += *one.values[k];
            const double to = scale.pixel(scale.clamped(sum));
            const double value = *one.values[k];
            const auto place = static_cast<double>(k);
            const std::string title = mark_text(panel, one, {down ? value : place, down ? place : value});
            const auto piece = [&](Role role, double low, double high) {
                svg.bar(down ? Anchor{from, middle + shift + low} : Anchor{middle + shift + low, from},
                        down ? Anchor{to, middle + shift + high} : Anchor{middle + shift + high, to}, role,
                        title);
            };
            const bool low = texture(one.role) == Texture::half_height;
            piece(one.role, low ? 0 : -half, one.second ? 0 : half);
            if (one.second) {
                piece(*one.second, 0, half);
            }
            if (k < one.labels.size() && !low) {
                svg.label(down ? Anchor{(from + to) / 2, middle + shift + 4}
                               : Anchor{middle + shift, (from + to) / 2},
                          one.labels[k], down ? to - from : 2 * half, one.role);
            }
        }
        if (const auto sum = stack_sum(panel, k)) {
            const std::string words = words_of_bar(panel, k, *sum);
            const double end = stack_end(panel, k);
            const auto& spans = panel.categories().spans;
            if (k < spans.size() && spans[k]) {
                write_whisker(svg, plot, *spans[k], middle);
            }
            svg.text(down ? Anchor{plot.x.pixel(end) + 6, middle + 4} : Anchor{middle, plot.y.pixel(end) - 5},
                     words, down ? "start" : "middle", small, Role::text);
        }
    }
}

void write_marks(Writer& svg, const Panel& plot, const ChartSeries& series) {
    const std::vector<ChartPoint> points = points_of(plot.panel, series);
    const bool joined = series.kind == SeriesKind::line || series.kind == SeriesKind::rule;
    for (std::size_t k = 1; k < points.size() && joined; ++k) {
        const bool neighbours =
            !points[k].apart && (series.values.empty() || points[k].x - points[k - 1].x < 1.5);
        const Anchor from = plot.at(points[k - 1]);
        const Anchor to = plot.at(points[k]);
        if (neighbours && plot.inside(from) && plot.inside(to)) {
            svg.line(from, to, series.role, series.emphasized ? 2 : 1,
                     series.dashed ? " stroke-dasharray=\"4 3\"" : "");
        }
    }
    for (const ChartPoint& point : points) {
        Anchor at = plot.at(point);
        at.x += series.hollow && !series.values.empty() ? 12 : 0; // of a category, next to ours
        if (series.kind != SeriesKind::rule && plot.inside(plot.at(point))) {
            svg.mark(at, mark_shape(plot.panel, series), series.hollow ? 6 : 4.5, series,
                     mark_text(plot.panel, series, point), point.open);
        }
    }
}

/// Right of the plot, the series in the order of their last values, the highest first.
void write_legend(Writer& svg, const Panel& plot) {
    std::vector<const ChartSeries*> order = series_of_legend(plot.panel);
    if (plot.panel.stacked()) {
        std::ranges::reverse(order);
    } else {
        std::ranges::stable_sort(order, std::ranges::greater(), [&](const ChartSeries* one) {
            const std::vector<ChartPoint> points = points_of(plot.panel, *one);
            const bool named = one->kind == SeriesKind::line || !one->values.empty();
            return points.empty() || !named  ? -1.0
                   : plot.panel.horizontal() ? points.back().x
                                             : points.back().y;
        });
    }
    double y = plot.legend_below ? plot.bottom + room_below - 8 : plot.top + 12;
    for (const ChartSeries* one : order) {
        const Anchor sign{plot.legend + 18, y - 4};
        if (one->kind == SeriesKind::stack) {
            const double top = texture(one->role) == Texture::half_height ? 0 : 5;
            svg.bar({sign.x - 5, sign.y - top}, {sign.x + 5, sign.y + 5}, one->role, one->name);
            if (one->second) {
                svg.bar({sign.x, sign.y - 5}, {sign.x + 5, sign.y + 5}, *one->second, one->name);
            }
        } else if (one->kind == SeriesKind::rule) {
            svg.line({sign.x - 6, sign.y}, {sign.x + 6, sign.y}, one->role, 1);
        } else {
            svg.mark(sign, mark_shape(plot.panel, *one), 4.5, *one, one->name);
        }
        for (const std::string& line : svg_lines(one->name, plot.legend_words, small)) {
            svg.text({plot.legend + 30, y}, line, "start", small,
                     one->emphasized ? Role::text : Role::quietText,
                     one->emphasized ? " font-weight=\"bold\"" : "");
            y += 14;
        }
        y += 4;
    }
}

} // namespace

std::string xml_text(std::string_view text) {
    std::string out;
    for (const char letter : for_xml(text)) {
        switch (letter) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&apos;"; break;
        default: out += letter;
        }
    }
    return out;
}

double narrow_width(const Chart& chart) {
    double width = phone_width;
    for (const ChartPanel& panel : chart.panels) {
        if (panel.horizontal()) { // names on the left, words at the ends of bars
            const Panel plot = placed(panel, margin, 0, phone_width - 2 * margin, panel_height, 0);
            width = std::max(width, phone_width + phone_plot - (plot.right - plot.left));
        }
    }
    return width < least_with_legend ? width : width + legend_room;
}

std::string chart_svg(const Chart& chart, std::string_view description, double picture_width) {
    Writer svg;
    double y = margin;
    for (const std::string& line : svg_lines(chart.title, picture_width - 2 * margin, 16)) {
        y += 20;
        svg.text({margin, y - 4}, line, "start", 15, Role::text, " font-weight=\"bold\"");
    }
    const auto count = static_cast<double>(std::max<std::size_t>(1, chart.panels.size()));
    // More than two have a row each, and so have bars with their names.
    const bool side_by_side = chart.panels.size() <= 2 && picture_width >= 800 &&
                              std::ranges::none_of(chart.panels, &ChartPanel::horizontal);
    const double width = side_by_side ? (picture_width - 2 * margin) / count : picture_width - 2 * margin;
    y += 10;
    for (std::size_t k = 0; k < chart.panels.size(); ++k) {
        const ChartPanel& panel = chart.panels[k];
        const std::optional<double> legend =
            picture_width < least_with_legend ? std::optional(legend_height(panel, legend_words(true, width)))
                                              : std::nullopt;
        const double height = height_of(panel, legend);
        Panel plot = placed(panel, margin + (side_by_side ? static_cast<double>(k) * width : 0), y, width,
                            height, legend);
        plot.x = scaled(chart, panel, true, plot.left, plot.right);
        plot.y = scaled(chart, panel, false, plot.bottom, plot.top);
        svg.text({plot.left, y + 14}, panel.title, "start", 12, Role::text, " font-weight=\"bold\"");
        write_axes(svg, plot);
        write_stacks(svg, plot);
        for (const ChartSeries& one : panel.series) {
            if (one.kind != SeriesKind::stack) {
                write_marks(svg, plot, one);
            }
        }
        write_legend(svg, plot);
        y += side_by_side && k + 1 < chart.panels.size() ? 0 : height;
    }
    std::string source;
    for (const ChartPanel& panel : chart.panels) {
        for (const ChartSeries& one : panel.series) {
            source = one.hollow ? one.source : source;
        }
    }
    const std::string key =
        source.empty() ? std::string() : "Solid: ours. Hollow: published in " + source + ".";
    std::vector<std::string> notes = chart.notes;
    notes.insert(notes.begin(), key);
    for (const std::string& note : notes) {
        for (const std::string& line : svg_lines(note, picture_width - 2 * margin, small)) {
            svg.text({margin, y}, line, "start", small, Role::quietText);
            y += 15;
        }
    }
    constexpr std::string_view hatch =
        "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"{}\" "
        "stroke-width=\"2.4\"/></pattern></defs>\n";
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                       "viewBox=\"0 0 {0} {1}\" role=\"img\" font-family=\"{2}\">\n"
                       "<title>{3}</title>\n<desc>{4}</desc>\n{5}"
                       "<rect x=\"0\" y=\"0\" width=\"{0}\" height=\"{1}\" fill=\"{6}\"/>\n{7}</svg>\n",
                       picture_width, std::ceil(y + 4), fonts, xml_text(chart.title), xml_text(description),
                       fmt::format(hatch, hex(Role::exposed)), hex(Role::background), svg.out);
}

} // namespace meshslice
