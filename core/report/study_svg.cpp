#include "core/report/study_svg.h"

#include "core/report/palette.h"
#include "core/report/study_chart.h"
#include "core/report/study_look.h"
#include "core/report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

constexpr double picture_width = 1000;

Rgb ink(Role role) {
    return rgb(role, Theme::light);
}

void write_mark(Svg& svg, std::size_t series, const Box& area, const Paint& paint) {
    const std::vector<Point> corners = mark_outline(series, area);
    if (corners.empty()) {
        svg.circle(area, paint);
    } else {
        svg.polygon(corners, paint);
    }
}

/// Both halves of a bar where it adds two roles up, else all of it.
void write_bar(Svg& svg, const Panel& panel, std::size_t series, const Box& area, const std::string& title) {
    svg.rectangle(area, {ink(series_role(panel, series)), true, 0, title});
    if (const auto second = second_role(panel, series)) {
        const double half = std::ceil(area.width / 2);
        svg.rectangle({area.left + half, area.top, area.width - half, area.height},
                      {ink(*second), true, 0, title});
    }
}

void write_value_axis(Svg& svg, const StudyPlot& plot) {
    for (const Tick& tick : axis_ticks(plot.y, 40, plot.unit)) {
        const double y = std::round(plot.y.pixel(tick.value)) + 0.5;
        svg.line({plot.plot.left - 3, y}, {plot.plot.right(), y}, ink(Role::grid), 1);
        svg.text({plot.plot.left - 6, y}, Anchor::end, tick.label, small_letters, ink(Role::quietText));
    }
    svg.text({plot.area.left + 8, plot.plot.center().y}, Anchor::middle, plot.y_name, axis_letters,
             ink(Role::text), true);
}

void write_categories(Svg& svg, const Panel& panel, const StudyPlot& plot) {
    for (std::size_t k = 0; k < plot.categories.size(); ++k) {
        double y = plot.plot.bottom() + 4 + category_line / 2;
        for (const std::string& line : plot.categories[k]) {
            svg.text({plot.columns[k], y}, Anchor::middle, line, small_letters, ink(Role::quietText));
            y += category_line;
        }
    }
    for (const std::size_t k : plot.empty) {
        svg.text({plot.columns[k], plot.plot.bottom() - 8}, Anchor::start, "does not run", small_letters,
                 ink(Role::quietText), true);
    }
    if (plot.names_categories) {
        svg.text({plot.plot.center().x, plot.area.bottom() - 10}, Anchor::middle, panel.category_name,
                 axis_letters, ink(Role::text));
    }
}

void write_marks(Svg& svg, const Panel& panel, const StudyPlot& plot) {
    for (const StudyMark& mark : plot.marks) {
        const std::string title =
            fmt::format("{}, {}: {}{}", panel.series[mark.series].name, panel.categories[mark.category],
                        value_text(panel.unit, mark.value), mark.published ? ", the paper's" : "");
        if (panel.stacked) {
            write_bar(svg, panel, mark.series, mark.area, title);
            // So that the parts of a stack are told apart without colours, too.
            svg.line({mark.area.left, mark.area.top + 0.5}, {mark.area.right(), mark.area.top + 0.5},
                     ink(Role::background), 1);
        } else if (mark.published) {
            write_mark(svg, mark.series, mark.area, {ink(Role::text), false, 1.5, title});
        } else {
            write_mark(svg, mark.series, mark.area, {ink(series_role(panel, mark.series)), true, 0, title});
        }
    }
}

/// The sum of each stack, above it.
void write_sums(Svg& svg, const Panel& panel, const StudyPlot& plot) {
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        if (std::ranges::find(plot.empty, k) == plot.empty.end()) {
            const double sum = stack_sum(panel, k);
            svg.text({plot.columns[k], plot.y.pixel(sum) - 9}, Anchor::middle, value_text(panel.unit, sum),
                     small_letters, ink(Role::text));
        }
    }
}

void write_names(Svg& svg, const Panel& panel, const StudyPlot& plot) {
    for (std::size_t s = 0; s < plot.names.size(); ++s) {
        const Box& name = plot.names[s];
        const Box sign{name.left - 11, name.center().y - 3.5, 7, 7};
        if (panel.stacked) {
            write_bar(svg, panel, s, sign, {});
        } else {
            write_mark(svg, s, sign, {ink(series_role(panel, s))});
        }
        const bool loud = is_emphasised(panel, s);
        svg.text({name.left, name.center().y}, Anchor::start, panel.series[s].name,
                 loud ? loud_letters : small_letters, ink(loud ? Role::text : Role::quietText));
    }
}

void write_panel(Svg& svg, const Panel& panel, const StudyPlot& plot) {
    svg.text({plot.plot.left, plot.area.top + 9}, Anchor::start, panel.title, panel_letters, ink(Role::text));
    write_value_axis(svg, plot);
    write_categories(svg, panel, plot);
    for (const StudyLine& line : study_lines(panel, plot)) {
        const bool loud = is_emphasised(panel, line.series);
        svg.line(line.from, line.to, tinted(series_role(panel, line.series), Theme::light, loud ? 1.0 : 0.5),
                 loud ? 2 : 1);
    }
    write_marks(svg, panel, plot);
    if (panel.stacked) {
        write_sums(svg, panel, plot);
    }
    write_names(svg, panel, plot);
}

} // namespace

std::string study_svg(const Study& study, const StudyResult& result) {
    const double height = study_height(result, picture_width, dejavu_width);
    const StudyChart chart = layout_study(result, picture_width, height, dejavu_width);
    Svg svg(
        chart.width, chart.height, result.finding,
        fmt::format("{}: {} (MeshSlice, ISCA 2025, section {})", study.title, study.question, study.section),
        ink(Role::background));
    double y = chart.title_top + title_line / 2;
    for (const std::string& line : chart.title) {
        svg.text({chart.margin, y}, Anchor::start, line, title_letters, ink(Role::text));
        y += title_line;
    }
    for (std::size_t k = 0; k < chart.plots.size(); ++k) {
        write_panel(svg, chart.panels[k], chart.plots[k]);
    }
    for (const StudyKey& key : chart.keys) {
        svg.circle(key.mark, {ink(key.published ? Role::text : Role::quietText), !key.published, 1.5, {}});
        svg.text({key.place.left, key.place.center().y}, Anchor::start, key.words, small_letters,
                 ink(Role::quietText));
    }
    y = chart.note_top + note_line / 2;
    for (const std::string& line : chart.note) {
        svg.text({chart.margin, y}, Anchor::start, line, small_letters, ink(Role::quietText));
        y += note_line;
    }
    return svg.document();
}

} // namespace meshslice
