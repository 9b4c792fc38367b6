#include "ui/charts/chart_words.h"
#include "ui/charts/panel/panel_layout.h"
#include "ui/charts/panel/panel_layouter.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr double name_gap = 14;
constexpr double right_margin = 12;
constexpr double category_line = 13;
constexpr double name_line = 14;
constexpr double widest_bar = 56;
constexpr double longest_upright = 180; ///< name of a category
constexpr double least_plot = 120;      ///< next to the names of its series

/// Names of series right of the plot, with their gap.
double namesWidth(const ChartPanel& panel) {
    double most = 0;
    for (const ChartSeries& one : panel.series) {
        most = std::max(most, textWidth(lettering(Lettering::small, true), words(one.name)) + 6);
    }
    return most;
}

/// What stands right of the plot: the names with their gap, or half of the last category's name.
double besidePlot(const ChartPanel& panel, bool names_in_panel) {
    return names_in_panel ? name_gap + namesWidth(panel) + right_margin : right_margin;
}

double columnWidth(const ChartPanel& panel, double width, bool names_in_panel) {
    const auto columns = static_cast<double>(std::max<std::size_t>(1, panel.x.categories.size()));
    return (width - left_room - besidePlot(panel, names_in_panel)) / columns;
}

/// The categories' names in lines, each as wide as the columns that one name stands for.
struct CategoryNames {
    std::size_t stride = 1;
    double room = 0;
    std::vector<QStringList> lines;
    qsizetype most = 1;
    double upright = 0; ///< the longest name, where a word has no room and names stand upright; else 0

    CategoryNames(const ChartPanel& panel, double column) {
        const QFont font = lettering(Lettering::small);
        stride = category_stride(panel, column - 3,
                                 [&](std::string_view name) { return textWidth(font, words(name)); });
        room = column * static_cast<double>(stride);
        for (std::size_t k = 0; k < panel.x.categories.size(); ++k) {
            lines.push_back(k % stride == 0 ? wrapped(font, words(panel.x.categories[k]), room - 3)
                                            : QStringList());
            most = std::max(most, lines.back().size());
            for (const QString& line : lines.back()) {
                upright = std::max(upright, textWidth(font, line) > room - 2 ? 1.0 : 0.0);
            }
        }
        if (upright > 0) {
            stride =
                static_cast<std::size_t>(std::max(1.0, std::ceil(category_line / std::max(1.0, column))));
        }
        for (std::size_t k = 0; upright > 0 && k < lines.size(); ++k) {
            lines[k] = k % stride == 0 ? QStringList(words(panel.x.categories[k])) : QStringList();
            upright = std::max(upright, lines[k].isEmpty() ? 0.0 : textWidth(font, lines[k].front()));
        }
        upright = std::min(upright, longest_upright);
    }
    [[nodiscard]] double height() const {
        return upright > 0 ? upright : category_line * static_cast<double>(most);
    }
};

/// Where names of one line each go that want to be at `wanted`: none on another, in the order they have.
std::vector<double> spread(const std::vector<double>& wanted, double low, double high) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::less(), [&](std::size_t k) { return wanted[k]; });
    std::vector<double> placed(wanted.size());
    double free = low;
    for (const std::size_t k : order) {
        placed[k] = std::max(wanted[k], free);
        free = placed[k] + name_line;
    }
    // Back up from below where the last ones ran out of the plot.
    double end = high;
    for (auto k = order.rbegin(); k != order.rend(); ++k) {
        placed[*k] = std::min(placed[*k], end);
        end = placed[*k] - name_line;
    }
    return placed;
}

} // namespace

void PanelLayouter::layoutColumns(const QRectF& area) {
    const bool in_panel = namesStandInPanel(layout, panel);
    const double names = namesWidth(panel);
    const double column = columnWidth(panel, area.width(), in_panel);
    const CategoryNames categories(panel, column);
    const double below = belowColumns(panel, area.width(), in_panel);
    const double above = panelTitleHeight(panel, area.width());
    out.plot = QRectF(area.left() + left_room, area.top() + above,
                      std::max(1.0, area.width() - left_room - besidePlot(panel, in_panel)),
                      std::max(1.0, area.height() - above - below));
    out.thick.width = std::min(0.6, widest_bar / std::max(1.0, stepSize()));
    spanAroundLabels();
    placeAxis(false);
    for (std::size_t k = 0; k < categories.lines.size(); ++k) {
        const double x = categoryPixel(static_cast<double>(k));
        double y = out.plot.bottom() + 4;
        if (categories.upright > 0 && !categories.lines[k].isEmpty()) {
            const double middle = out.plot.bottom() + 4 + categories.upright / 2;
            say(QRectF(x - categories.upright / 2, middle - category_line / 2, categories.upright,
                       category_line),
                categories.lines[k].front(), Qt::AlignRight | Qt::AlignVCenter, Role::quietText,
                Lettering::small, false, -90);
        }
        for (const QString& line : categories.upright > 0 ? QStringList() : categories.lines[k]) {
            say(QRectF(x - categories.room / 2 + 1, y, categories.room - 2, category_line), line,
                Qt::AlignCenter, Role::quietText);
            y += category_line;
        }
        const bool runs = std::ranges::any_of(panel.series, [&](const ChartSeries& one) {
            return k < one.values.size() && one.values[k].has_value();
        });
        if (!runs) {
            say(QRectF(x - 45, out.plot.bottom() - 60, 90, 14), ChartTexts::tr("does not run"),
                Qt::AlignLeft | Qt::AlignVCenter, Role::quietText, Lettering::small, false, -90);
        }
    }
    nameBelow(words(panel.x.label), area.bottom() - 19);
    placeBars();
    placeMarks();
    std::vector<std::pair<std::size_t, QString>> sums;
    std::vector<double> stack_tops;
    bool have_room = true; // all or none: one that is cut says nothing
    for (std::size_t k = 0; k < categories.lines.size(); ++k) {
        double sum = 0;
        for (const ChartSeries& one : panel.series) {
            sum += one.kind == SeriesKind::stack && layout.shows(one) ? one.values[k].value_or(0) : 0;
        }
        if (sum > 0) {
            sums.emplace_back(k, words(value_text(panel.y.unit, sum)));
            have_room = have_room && textWidth(lettering(Lettering::small), sums.back().second) <= column - 1;
            stack_tops.push_back(out.y.pixel(sum));
        }
    }
    for (std::size_t k = 0; have_room && k < sums.size(); ++k) {
        say(QRectF(categoryPixel(static_cast<double>(sums[k].first)) - column / 2, stack_tops[k] - 17, column,
                   15),
            sums[k].second, Qt::AlignCenter, Role::text);
    }
    if (in_panel) {
        placeNames(names);
    }
}

bool isNamed(const ChartPanel& panel, std::size_t series) {
    const auto first = std::ranges::find(panel.series, panel.series[series].name, &ChartSeries::name);
    const bool has_name = first != panel.series.begin() + static_cast<std::ptrdiff_t>(series);
    return !panel.series[series].hollow && !(panel.series[series].dashed && has_name);
}

double namesHeight(const ChartPanel& panel) {
    double height = 0;
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        height += isNamed(panel, s) ? name_line : 0;
    }
    return height;
}

double belowColumns(const ChartPanel& panel, double width, bool names_in_panel) {
    const CategoryNames names(panel, columnWidth(panel, width, names_in_panel));
    return 6 + names.height() + 20;
}

bool namesLeaveRoom(const ChartPanel& panel, double width) {
    constexpr double share = 0.45;
    const double plot = width - left_room - besidePlot(panel, true);
    return plot >= std::max(least_plot, share * width);
}

void PanelLayouter::placeNames(double width) {
    std::vector<std::size_t> named;
    std::vector<double> wanted;
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        if (!isNamed(panel, s)) {
            continue; // the solid one of the same name
        }
        const auto last = std::ranges::find(out.marks.rbegin(), out.marks.rend(), s, &ChartMark::series);
        const double y = last == out.marks.rend() ? out.plot.bottom() : last->area.center().y();
        named.push_back(s);
        wanted.push_back(y - name_line / 2);
    }
    const std::vector<double> tops =
        spread(wanted, out.plot.top() - name_line, out.plot.bottom() - name_line);
    for (std::size_t k = 0; k < named.size(); ++k) {
        const double x = out.plot.right() + name_gap;
        layout.legend.push_back({panel.series[named[k]].name, index, named[k],
                                 QRectF(x - 12, tops[k] + name_line / 2 - 4, 8, 8),
                                 QRectF(x - 13, tops[k], width + 13, name_line)});
    }
}

bool namesStandInPanel(const ChartLayout& layout, const ChartPanel& panel) {
    return !layout.names_below && namesCanStandInPanel(panel);
}

bool namesCanStandInPanel(const ChartPanel& panel) {
    const bool lines = !panel.series.empty() && std::ranges::all_of(panel.series, [](const ChartSeries& one) {
        return one.kind == SeriesKind::line;
    });
    return !panel.x.categories.empty() || lines;
}

void PanelLayouter::layoutLines(const QRectF& area) {
    const bool in_panel = namesStandInPanel(layout, panel);
    out.plot = area.adjusted(left_room, panelTitleHeight(panel, area.width()) + 4,
                             -besidePlot(panel, in_panel), -40);
    out.plot.setWidth(std::max(1.0, out.plot.width()));
    spanAroundLabels();
    placeAxis(true);
    placeAxis(false);
    placeMarks();
    if (in_panel) {
        placeNames(namesWidth(panel));
    }
}

bool partsFit(const ChartPanel& panel, double width, bool names_in_panel) {
    const bool named = names_in_panel && namesCanStandInPanel(panel);
    const double plot = width - left_room - besidePlot(panel, named);
    if (namesCanStandInPanel(panel) && plot < least_plot) {
        return false;
    }
    if (panel.x.categories.empty()) {
        return true;
    }
    const double column = columnWidth(panel, width, named);
    if (marksHideEachOther(panel, column)) {
        return false;
    }
    const double room = column - 3;
    for (const std::string& category : panel.x.categories) {
        for (const QString& word : words(category).split(QLatin1Char(' '))) {
            if (textWidth(lettering(Lettering::small), word) > room) {
                return false;
            }
        }
    }
    return true;
}

} // namespace meshslice::ui
