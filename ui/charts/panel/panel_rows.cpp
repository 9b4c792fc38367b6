#include "ui/charts/panel/panel_layout.h"
#include "ui/charts/panel/panel_layouter.h"
#include "ui/look/words.h"

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr double axis_room = 40;      ///< below the plot: ticks, their labels and the name
constexpr double value_labels = 150;  ///< room right of the longest bar
constexpr double least_named_row = 9; ///< a lower one has no words
constexpr double half_letter = 7;     ///< of the height of small words, with some air
constexpr double group_line = 13;     ///< of a group's name in two lines
constexpr double narrow_figure = 300; ///< with names of algorithms and of GEMMs' passes next to the bars
constexpr double name_of_two = 12;    ///< height of a line of a row's name
constexpr double group_gap = 6;       ///< between a group's name and those of its rows
constexpr double roomy_figure = 480;  ///< twice what the longest names of plans take

double rowsTitle(const ChartPanel& panel, double width) {
    return panel.title.empty()
               ? 8
               : panel_title + static_cast<double>(panelTitle(panel, width).size() - 1) * panel_title_line;
}

} // namespace

void PanelLayouter::layoutRows(const QRectF& area) {
    const ChartAxis& axis = panel.y;
    const QFont font = lettering(Lettering::small);
    double names = 0;
    double groups = 0;
    for (const ChartPanel& other : layout.chart.panels) {
        for (const std::string& category : other.y.categories) {
            names = std::max(names, category.empty() ? 0 : textWidth(font, words(category)) + 12);
        }
        for (const std::string& group : other.y.groups) {
            groups = std::max(groups, textWidth(lettering(Lettering::small, true), words(group)) + group_gap);
        }
    }
    double room = std::min(value_labels, area.width() * 0.3);
    const double height = std::max(4.0, area.height() - rowsFrame(panel, area.width()));
    const double per = out.places.per_category;
    if (height / static_cast<double>(out.places.steps) * per < least_named_row) {
        names = axis.groups.empty() ? names : 0; // nothing is said of single rows
        room = 8;
    }
    groups = std::min(groups, area.width() * (names > 0 ? 0.34 : 0.5));
    // Names that have no room are cut or take two lines, so that the bars get their part of the width: two
    // fifths; in a narrow figure less, as without its name no bar says anything; and half of it where the
    // names would be cut nevertheless.
    const bool narrow = area.width() < roomy_figure && area.width() >= narrow_figure;
    const double bars = narrow ? 0.33 : area.width() < roomy_figure ? 0.5 : 0.4;
    if (const double most = area.width() * (1 - bars) - 8; groups + names + room > most) {
        room = std::min(room, most * (narrow ? 0.22 : 0.3));
        names = std::min(names, (most - room) * (groups <= 0 ? 1 : narrow ? 0.43 : 0.4));
        groups = std::min(groups, most - room - names);
    }
    const double left = area.left() + groups + names + 8;
    out.plot = QRectF(left, area.top() + rowsTitle(panel, area.width()),
                      std::max(40.0, area.right() - room - left), height);
    const bool two = std::ranges::any_of(panel.series, [](const ChartSeries& one) { return one.thin; });
    out.thick = two ? PanelLayout::Bar{0.54 * per, -0.18 * per} : PanelLayout::Bar{0.7 * per, 0};
    out.thin = {0.26 * per, 0.25 * per};
    spanAxes();
    if (!panel.x.label.empty()) {
        placeAxis(true);
    }
    placeBars();
    placeMarks();
    placeWhiskers();
    const double row = stepSize() * per;
    remarked = row >= least_named_row && remarksFit(area.right(), row);
    double last_named = area.top() - area.height();
    for (std::size_t k = 0; k < axis.categories.size(); ++k) {
        const double middle = categoryPixel(static_cast<double>(k));
        const QRectF whole(area.left(), middle - row / 2, area.width(), row);
        out.rows.push_back({whole, axis.items.empty() ? -1 : axis.items[k],
                            axis.details.empty() ? QString() : words(axis.details[k])});
        if (row >= least_named_row) {
            const Lettering size = row >= 13 ? Lettering::small : Lettering::tiny;
            const QString name = words(axis.categories[k]);
            const bool wide = textWidth(lettering(size), name) > names;
            const QStringList lines =
                wide && row >= 2 * name_of_two ? inLines(lettering(size), name, names, 2) : QStringList(name);
            double top = middle - name_of_two * static_cast<double>(lines.size()) / 2;
            for (const QString& line : lines) {
                say(lines.size() == 1 ? QRectF(left - names - 8, whole.top(), names, row)
                                      : QRectF(left - names - 8, top, names, name_of_two),
                    line, Qt::AlignRight | Qt::AlignVCenter,
                    axis.groups.empty() ? Role::text : Role::quietText, size);
                top += name_of_two;
            }
        }
        const bool first = !axis.groups.empty() && (k == 0 || axis.groups[k] != axis.groups[k - 1]);
        if (first) {
            const auto members = std::count(axis.groups.begin(), axis.groups.end(), axis.groups[k]);
            const QFont bold = lettering(Lettering::small, true);
            const bool whole_chart = static_cast<std::size_t>(members) == axis.groups.size();
            QStringList lines = {words(axis.groups[k])};
            const double tall = row * static_cast<double>(members);
            if (textWidth(bold, lines.front()) > groups - group_gap && tall >= 2 * group_line) {
                lines = inLines(bold, lines.front(), groups - group_gap, 2);
            }
            const double each = lines.size() == 1 ? tall : group_line;
            const double center = whole.top() + tall / 2;
            const bool free = center - last_named >= (lines.size() == 1 ? least_named_row : 2 * group_line);
            last_named = free ? center : last_named;
            double top = whole.top() + (tall - each * static_cast<double>(lines.size())) / 2;
            for (const QString& line : free ? lines : QStringList()) { // none over the one above
                say(QRectF(area.left(), top, groups - group_gap, each), line,
                    Qt::AlignRight | Qt::AlignVCenter, Role::text,
                    tall >= 13 ? Lettering::small : Lettering::tiny, whole_chart);
                top += each;
            }
        }
        placeSums(k, whole);
    }
}

QString PanelLayouter::thinName() const {
    const ChartSeries* shown = nullptr;
    int count = 0;
    for (const ChartSeries& one : panel.series) {
        if (one.thin && layout.shows(one)) {
            shown = &one;
            ++count;
        }
    }
    return words(count == 1 && !layout.hidden.empty() ? shown->name : panel.thin_name);
}

PanelLayouter::RowSums PanelLayouter::rowSums(std::size_t k) const {
    RowSums sums;
    for (const ChartSeries& one : panel.series) {
        if (one.kind == SeriesKind::stack && layout.shows(one)) {
            (one.thin ? sums.thin : sums.thick) += one.values[k].value_or(0);
        }
    }
    const auto& spans = panel.y.spans;
    sums.end = k < spans.size() && spans[k] && sums.thick > 0 && layout.hidden.empty()
                   ? std::max(sums.thick, spans[k]->second)
                   : sums.thick;
    // Half of the letters' height must fit between the middle of the thick bar and the edge of the thin
    // one.
    const double free = (out.thin.shift - out.thin.width / 2 - out.thick.shift) * stepSize();
    sums.roomy = sums.thin <= 0 || free >= half_letter;
    return sums;
}

double PanelLayouter::wordsFrom(const RowSums& sums, double sum) const {
    // Next to its own bar; where the bars are too thin for that, next to the longer of the two.
    return out.x.pixel(!sums.roomy ? std::max(sums.end, sums.thin) : sum == sums.thick ? sums.end : sum) + 6;
}

Lettering PanelLayouter::sumLettering(double row) {
    return row >= 17 ? Lettering::small : Lettering::tiny;
}

bool PanelLayouter::remarksFit(double right, double row) const {
    for (std::size_t k = 0; k < panel.y.remarks.size(); ++k) {
        const RowSums sums = rowSums(k);
        const QString all = words(value_text(panel.x.unit, sums.thick) + panel.y.remarks[k]);
        if (sums.thick > 0 && !panel.y.remarks[k].empty() &&
            textWidth(lettering(sumLettering(row)), all) > right - wordsFrom(sums, sums.thick)) {
            return false;
        }
    }
    return layout.hidden.empty();
}

void PanelLayouter::placeSums(std::size_t k, const QRectF& row) {
    const RowSums sums = rowSums(k);
    if (row.height() < least_named_row || sums.thick + sums.thin <= 0) {
        return; // no room for a text between the bars
    }
    const auto next_to = [&](double sum, double shift, const QString& text, Role role) {
        const double from = wordsFrom(sums, sum);
        double middle = row.center().y() + (sums.roomy ? shift * stepSize() : 0);
        if (sums.roomy && shift > 0 && sums.thick > sums.thin) { // The thick bar goes on above the words.
            const double edge = (out.thick.shift + out.thick.width / 2) * stepSize();
            middle = std::max(middle, row.center().y() + edge + half_letter);
        }
        say(QRectF(from, middle - 8, std::max(0.0, row.right() - from), 16), text,
            Qt::AlignLeft | Qt::AlignVCenter, role, sumLettering(row.height()));
    };
    if (sums.thick > 0) {
        const std::string remark =
            remarked && k < panel.y.remarks.size() ? panel.y.remarks[k] : std::string();
        next_to(sums.thick, out.thick.shift, words(value_text(panel.x.unit, sums.thick) + remark),
                Role::text);
    }
    if (sums.thin > 0 && (row.height() >= 28 || sums.thick <= 0)) {
        next_to(sums.thin, out.thin.shift,
                QStringLiteral("%1 %2").arg(thinName(), words(value_text(panel.x.unit, sums.thin))),
                Role::quietText);
    }
}

QStringList panelTitle(const ChartPanel& panel, double width) {
    return wrapped(lettering(Lettering::normal, true), words(panel.title), width);
}

double rowsFrame(const ChartPanel& panel, double width) {
    return rowsTitle(panel, width) + (panel.x.label.empty() ? 4 : axis_room);
}

double rowsWeight(const ChartPanel& panel) {
    const CategoryPlaces places = category_places(panel.y);
    const bool single = !panel.y.groups.empty() && panel.y.groups.front() == panel.y.groups.back();
    return static_cast<double>(places.steps) / places.per_category * (single ? 1.6 : 1);
}

} // namespace meshslice::ui
