#include "ui/charts/chart_layout.h"

#include "core/report/chart/svg/mark_shape.h"
#include "ui/charts/chart_words.h"
#include "ui/charts/panel/panel_layout.h"
#include "ui/look/figure_style.h"
#include "ui/look/least_heights.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace meshslice::ui {
namespace {

constexpr double margin = 12;
constexpr double title_line = 20;
constexpr double note_line = 15;
constexpr double legend_line = 20;
constexpr double good_panel_width = 420;  ///< of panels side by side, unless they would be too low otherwise
constexpr double least_panel_width = 300; ///< of panels side by side, however low they would be otherwise
constexpr double least_bare_panel_width = 220; ///< the same without the names of series in them
constexpr double least_panel_height = 220;
constexpr double least_row_height = 14;  ///< of a category's bars, with its name
constexpr double figure_row_height = 17; ///< the same in a figure of any height
constexpr double figure_flatness = 0.5;  ///< how high the plot of a figure is, in its width
constexpr double most_figure_plot = 300;
constexpr double name_overhang = 14;    ///< by which names may stand above a plot
constexpr double around_axis_name = 58; ///< of a panel's height, what its turned axis name has not
constexpr double list_line = 14;
constexpr double lowest_panel = 200; ///< below it a list of names would take more than it gives

/// At most so many lines, the last one ending in an ellipsis where there were more.
void shorten(QStringList& lines, double most) {
    const auto count = static_cast<qsizetype>(std::max(0.0, most));
    if (lines.size() > count) {
        lines.resize(count);
        if (!lines.isEmpty()) {
            lines.back() += QStringLiteral(" …");
        }
    }
}

/// "● ours   ○ published: MeshSlice, ISCA 2025", where there are published values.
QString publishedKey(const Chart& chart) {
    for (const ChartPanel& panel : chart.panels) {
        for (const ChartSeries& one : panel.series) {
            if (one.hollow && (!one.points.empty() || std::ranges::any_of(one.values, [](const auto& value) {
                    return value.has_value();
                }))) {
                return ChartTexts::tr("● ours      ○ published: %1").arg(words(one.source));
            }
        }
    }
    return {};
}

/// Names of series that the legend below the panels has; those of vertical categories stand in their panel.
void placeLegend(ChartLayout& layout, double top, double& bottom) {
    const QFont font = lettering(Lettering::small);
    double x = margin;
    double y = top;
    for (std::size_t p = 0; p < layout.chart.panels.size(); ++p) {
        const ChartPanel& panel = layout.chart.panels[p];
        for (std::size_t s = 0; s < panel.series.size() && !namesStandInPanel(layout, panel); ++s) {
            const ChartSeries& one = panel.series[s];
            const bool known =
                std::ranges::find(layout.legend, one.name, &LegendEntry::name) != layout.legend.end();
            if (known || one.name.empty() || !isNamed(panel, s) || one.kind == SeriesKind::rule) {
                continue;
            }
            const double width = textWidth(font, words(one.name));
            if (x > margin && x + 22 + width > layout.size.width() - margin) {
                x = margin;
                y += legend_line;
            }
            layout.legend.push_back(
                {one.name, p, s, QRectF(x, y + 5, 16, 10), QRectF(x, y, 22 + width, legend_line)});
            x += 22 + width + 16;
        }
    }
    bottom = x > margin ? y + legend_line : y;
}

/// The labels' words with their numbers, in columns below the panels.
struct LabelList {
    QStringList names;
    double column = 1;
    qsizetype rows = 3; ///< forward, backward data and backward weight of a layer; more where it is narrow

    LabelList(const std::vector<std::string>& labels, double width) {
        for (const std::string& label : labels) {
            names += QStringLiteral("%1  %2").arg(names.size() + 1).arg(words(label));
            column = std::max(column, textWidth(lettering(Lettering::small), names.back()) + 18);
        }
        const auto columns = std::max<qsizetype>(1, static_cast<qsizetype>(width / column));
        rows = std::max(rows, (names.size() + columns - 1) / columns);
    }
    [[nodiscard]] double height() const { return static_cast<double>(rows) * list_line + 8; }

    void place(ChartLayout& layout, double top) const {
        for (qsizetype k = 0; k < names.size(); ++k) {
            const QRectF area(margin + static_cast<double>(k / rows) * column,
                              top + static_cast<double>(k % rows) * list_line, column, list_line);
            layout.words.push_back({area, names[k]});
        }
    }
};

/// Whether panels of columns or points, each so wide, can stand side by side.
bool fitSideBySide(const Chart& chart, double each, bool names_below) {
    return each >= (names_below ? least_bare_panel_width : least_panel_width) &&
           std::ranges::all_of(chart.panels,
                               [&](const ChartPanel& panel) { return partsFit(panel, each, !names_below); });
}

/// How many panels of columns or points stand next to each other: all, or one, or, where one below the other
/// they would be too low, as few as give them their height.
std::size_t panelColumns(const Chart& chart, const QSizeF& room, bool names_below) {
    const std::size_t count = std::max<std::size_t>(1, chart.panels.size());
    const auto width = [&](std::size_t columns) { return room.width() / static_cast<double>(columns); };
    const auto low = [&](std::size_t columns) {
        const std::size_t lines = (count + columns - 1) / columns;
        return room.height() / static_cast<double>(lines) < least_panel_height;
    };
    if (width(count) >= good_panel_width && (fitSideBySide(chart, width(count), names_below) || low(1))) {
        return count;
    }
    std::size_t columns = 1;
    for (std::size_t more = 2; low(columns) && more <= count; ++more) {
        columns = fitSideBySide(chart, width(more), names_below) ? more : columns;
    }
    return columns;
}

/// Where each panel goes.
std::vector<QRectF> panelAreas(const Chart& chart, const QRectF& area, bool names_below) {
    std::vector<QRectF> areas;
    const bool rows = std::ranges::any_of(chart.panels, &ChartPanel::horizontal);
    if (rows) { // as high as their bars; those of a single group are thicker
        double needed = 0;
        double frames = 0;
        std::vector<double> heights;
        for (const ChartPanel& panel : chart.panels) {
            heights.push_back(rowsWeight(panel));
            needed += heights.back();
            frames += rowsFrame(panel, area.width());
        }
        const double unit = std::clamp((area.height() - frames) / needed, 2.0, most_row);
        double y = area.top();
        for (std::size_t k = 0; k < heights.size(); ++k) {
            areas.emplace_back(area.left(), y, area.width(),
                               heights[k] * unit + rowsFrame(chart.panels[k], area.width()));
            y += areas.back().height();
        }
        return areas;
    }
    const std::size_t columns = panelColumns(chart, area.size(), names_below);
    const std::size_t lines = (chart.panels.size() + columns - 1) / columns;
    const double width = area.width() / static_cast<double>(columns);
    const double height = area.height() / static_cast<double>(std::max<std::size_t>(1, lines));
    for (std::size_t k = 0; k < chart.panels.size(); ++k) {
        areas.emplace_back(area.left() + static_cast<double>(k % columns) * width,
                           area.top() + static_cast<double>(k / columns) * height, width, height);
    }
    return areas;
}

void placePanels(ChartLayout& layout, const QRectF& area, const std::vector<std::string>& numbered,
                 bool& all_labelled) {
    layout.panels.clear();
    std::erase_if(layout.legend, [&](const LegendEntry& one) {
        return namesStandInPanel(layout, layout.chart.panels[one.panel]);
    });
    const std::vector<QRectF> areas = panelAreas(layout.chart, area, layout.names_below);
    all_labelled = true;
    for (std::size_t k = 0; k < areas.size(); ++k) {
        all_labelled = layoutPanel(layout, k, areas[k], numbered) && all_labelled;
    }
}

/// The notes below a chart as one text.
QString noteText(const Chart& chart) {
    QString note;
    for (const std::string& one : hasNotes() ? chart.notes : std::vector<std::string>()) {
        note += (note.isEmpty() ? QString() : QStringLiteral(" ")) + words(one);
    }
    return note;
}

/// How high the name of a panel's turned axis is, with what its plot need not have.
double turnedNameHeight(const ChartPanel& panel) {
    const double most = value_range(panel, false).value_or(std::pair(0.0, 1.0)).second;
    return textWidth(lettering(Lettering::normal), words(axis_name(panel.y, most)));
}

/// What a panel of columns or points so wide needs for its marks, for the turned name of its axis, and for
/// the names of its series; at least `plot` is its plot's.
double panelHeight(const ChartPanel& panel, double width, bool names_below, double plot) {
    const bool named = !names_below && namesCanStandInPanel(panel);
    constexpr double below_values = 44; // gap, ticks and the name of the axis
    constexpr double longer_by = 16;    // than its plot a turned name may be
    const double around = panelTitleHeight(panel, width) +
                          (panel.x.categories.empty() ? below_values : belowColumns(panel, width, named));
    return std::max({least_panel_height, around + turnedNameHeight(panel) - longer_by, around + plot,
                     around + (named ? namesHeight(panel) : 0)});
}

/// Whether one legend can name the series of all panels: what has one name looks the same in each.
bool namesMeanTheSame(const Chart& chart) {
    std::map<std::string, std::pair<std::size_t, Role>> seen;
    for (const ChartPanel& panel : chart.panels) {
        for (const ChartSeries& one : panel.series) {
            const std::pair look(mark_shape(panel, one), one.role);
            if (!one.hollow && seen.try_emplace(one.name, look).first->second != look) {
                return false;
            }
        }
    }
    return true;
}

/// Whether the series are named below the panels, each of which is so wide and has so much height for its
/// plot.
bool namesGoBelow(const Chart& chart, double width, double plot) {
    return namesMeanTheSame(chart) && std::ranges::any_of(chart.panels, [&](const ChartPanel& panel) {
               return namesCanStandInPanel(panel) && panel.series.size() > 1 &&
                      (!namesLeaveRoom(panel, width) || namesHeight(panel) > plot + name_overhang);
           });
}

/// How a chart so wide stands where it can be as high as it needs to be.
struct FreeLayout {
    bool names_below = false;
    double height = 0; ///< of the panels
};

FreeLayout freely(const Chart& chart, double width, double row_height, double flatness) {
    const auto count = static_cast<double>(std::max<std::size_t>(1, chart.panels.size()));
    FreeLayout free;
    free.names_below = namesGoBelow(chart, width, width);
    bool side_by_side = fitSideBySide(chart, width / count, free.names_below);
    if (side_by_side && namesGoBelow(chart, width / count, width)) {
        free.names_below = true;
    }
    const double each = side_by_side ? width / count : width;
    const double plot = std::min(flatness * each, most_figure_plot);
    double sum = 0;
    double most = 0;
    // In a narrow figure long names of rows have two lines.
    constexpr double narrow = 480;
    constexpr double short_name = 0.3; // of the width
    constexpr double two_lines = 27;
    for (const ChartPanel& panel : chart.panels) {
        const bool long_names =
            flatness > 0 && width < narrow &&
            std::ranges::any_of(panel.y.categories, [&](const std::string& name) {
                return textWidth(lettering(Lettering::small), words(name)) > short_name * width;
            });
        const double row = long_names ? std::max(two_lines, row_height) : row_height;
        const double height = panel.horizontal() ? rowsFrame(panel, width) + rowsWeight(panel) * row
                                                 : panelHeight(panel, each, free.names_below, plot);
        sum += height;
        most = std::max(most, panel.horizontal() ? sum : height);
    }
    // Panels of one height: one has not more room than the others.
    free.height =
        side_by_side
            ? most
            : std::max(sum, chart.panels.empty() || chart.panels[0].horizontal() ? sum : most * count);
    return free;
}

/// All of a chart's height, its panels as `panels` says.
double heightWith(const Chart& chart, double width, const FreeLayout& panels) {
    const double inner = std::max(1.0, width - 2 * margin);
    const auto titles =
        wrapped(lettering(Lettering::title, true), pictureTitle(words(chart.title)), inner).size();
    const auto notes = wrapped(lettering(Lettering::small), noteText(chart), inner).size() +
                       (publishedKey(chart).isEmpty() ? 0 : 1);
    ChartLayout layout{chart, QSize(static_cast<int>(width), 0), {}, {}, {}, {}, panels.names_below};
    double legend = 0;
    placeLegend(layout, 0, legend);
    const std::vector<std::string> labels = pointLabels(chart);
    return (titles == 0 ? 0 : 14 + static_cast<double>(titles) * title_line) + panels.height +
           (labels.empty() ? 0 : LabelList(labels, inner).height()) + legend +
           static_cast<double>(notes) * note_line + 8;
}

} // namespace

double leastHeight(const Chart& chart, double width) {
    return heightWith(chart, width, freely(chart, std::max(1.0, width - 2 * margin), least_row_height, 0));
}

std::optional<double> fullHeight(const Chart& chart, double width) {
    if (chart.panels.empty() || !std::ranges::all_of(chart.panels, &ChartPanel::horizontal)) {
        return std::nullopt;
    }
    return std::ceil(heightWith(chart, width, freely(chart, std::max(1.0, width - 2 * margin), most_row, 0)));
}

double figureHeight(const Chart& chart, double width) {
    if (LeastHeights::asked()) {
        return std::ceil(leastHeight(chart, width));
    }
    return std::ceil(heightWith(
        chart, width, freely(chart, std::max(1.0, width - 2 * margin), figure_row_height, figure_flatness)));
}

ChartLayout layoutChart(const Chart& chart, const QSize& size, const std::set<std::string>& hidden) {
    ChartLayout layout{chart, size, hidden, {}, {}, {}, false};
    const double width = std::max(1.0, size.width() - 2 * margin);
    const double height = size.height();
    QStringList title = wrapped(lettering(Lettering::title, true), pictureTitle(words(chart.title)), width);
    const bool low = height < leastHeight(chart, size.width());
    if (low) {
        shorten(title, std::max(1.0, height / 4 / title_line));
    }
    double y = title.isEmpty() ? 0 : 8;
    for (const QString& line : title) {
        layout.words.push_back(
            {QRectF(margin, y, width, title_line), line, Qt::AlignLeft, Role::text, Lettering::title, true});
        y += title_line;
    }
    y += title.isEmpty() ? 0 : 6;
    QStringList notes = wrapped(lettering(Lettering::small), noteText(chart), width);
    if (low) {
        shorten(notes, height / 5 / note_line);
    }
    if (const QString key = publishedKey(chart); !key.isEmpty()) {
        notes.prepend(key);
    }
    double legend = 0;
    const auto spaceAbove = [&] { // what is below the panels
        layout.legend.clear();
        placeLegend(layout, 0, legend);
        return height - legend - static_cast<double>(notes.size()) * note_line - 8;
    };
    double below = spaceAbove();
    if (const QSizeF room(width, std::max(60.0, below - y)); !layout.names_below) {
        const std::size_t columns = panelColumns(chart, room, false);
        const std::size_t lines = (chart.panels.size() + columns - 1) / columns;
        const double plot =
            room.height() / static_cast<double>(std::max<std::size_t>(1, lines)) - around_axis_name;
        layout.names_below = namesGoBelow(chart, width / static_cast<double>(columns), plot);
        below = spaceAbove();
    }
    const QRectF area(margin, y, width, std::max(60.0, below - y));
    bool all_labelled = true;
    placePanels(layout, area, {}, all_labelled);
    const std::vector<std::string> labels = pointLabels(chart);
    const LabelList list(labels, width);
    if (!all_labelled && area.height() - list.height() >= lowest_panel) {
        placePanels(layout, area.adjusted(0, 0, 0, -list.height()), labels, all_labelled);
        list.place(layout, area.bottom() - list.height() + 4);
    }
    // Below the panels; rows of bars may need less than there is.
    const bool rows = !chart.panels.empty() && chart.panels.front().horizontal();
    const double under = rows ? std::min(below, layout.panels.back().area.bottom() + 4) : below;
    for (LegendEntry& entry : layout.legend) {
        if (!namesStandInPanel(layout, chart.panels[entry.panel])) {
            entry.sign.translate(0, under);
            entry.area.translate(0, under);
        }
    }
    double note_top = under + legend;
    for (const QString& line : notes) {
        layout.words.push_back(
            {QRectF(margin, note_top, width, note_line), line, Qt::AlignLeft, Role::quietText});
        note_top += note_line;
    }
    return layout;
}

} // namespace meshslice::ui
