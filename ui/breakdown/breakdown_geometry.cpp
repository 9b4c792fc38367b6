#include "ui/breakdown/breakdown_geometry.h"

#include "ui/look/lettering.h"

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr double margin = 12;
constexpr double value_labels = 150; ///< room right of the longest bar
constexpr double most_line = 40;     ///< height of one algorithm's bars; more would look like blocks
constexpr double above_panel = 8;
constexpr double whole_step_height = 1.6; ///< of its bars, compared with a product's

Time lengthOf(const BreakdownRow& row) {
    return std::max(row.time, row.usage.communication());
}

void addPart(std::vector<BreakdownPart>& parts, BreakdownPart::Kind kind, Time length) {
    const Time begin = parts.empty() ? Time(0) : parts.back().end;
    if (length > Time(0)) {
        parts.push_back({kind, begin, begin + length});
    }
}

} // namespace

std::vector<BreakdownPart> timeParts(const BreakdownRow& row) {
    std::vector<BreakdownPart> parts;
    addPart(parts, BreakdownPart::Kind::compute, row.usage.compute);
    addPart(parts, BreakdownPart::Kind::coreLaunch, row.time - row.usage.compute - row.usage.exposed);
    addPart(parts, BreakdownPart::Kind::exposed, row.usage.exposed);
    return parts;
}

std::vector<BreakdownPart> communicationParts(const BreakdownRow& row) {
    std::vector<BreakdownPart> parts;
    addPart(parts, BreakdownPart::Kind::launch, row.usage.launch);
    addPart(parts, BreakdownPart::Kind::sync, row.usage.sync);
    addPart(parts, BreakdownPart::Kind::transfer, row.usage.transfer);
    addPart(parts, BreakdownPart::Kind::copy, row.usage.copy);
    return parts;
}

BreakdownLayout layoutBreakdown(const std::vector<BreakdownRow>& rows, std::size_t steps,
                                const std::vector<QString>& algorithms, const QRectF& area) {
    BreakdownLayout layout;
    if (rows.empty() || steps == 0) {
        return layout;
    }
    const std::size_t each = rows.size() / steps;
    const QFont font = lettering(Lettering::small);
    for (std::size_t k = 0; k < each; ++k) {
        layout.names = std::max(layout.names, textWidth(font, QString::fromStdString(rows[k].title)) + 4);
    }
    for (const QString& algorithm : algorithms) {
        layout.algorithms = std::max(layout.algorithms, steps > 1 ? textWidth(font, algorithm) + 12 : 0.0);
    }
    layout.names = std::min(layout.names, area.width() * 0.3);

    // Which rows go to which panel; the whole step comes first.
    std::vector<std::vector<std::size_t>> members(2);
    for (std::size_t k = 0; k < each; ++k) {
        members[rows[k].total ? 0 : 1].push_back(k);
    }
    const auto panels = static_cast<double>(
        std::count_if(members.begin(), members.end(), [](const auto& one) { return !one.empty(); }));
    // In heights of a product's line: lines, a third of one between groups, and the whole step taller.
    const double groups =
        static_cast<double>(members[1].size()) + whole_step_height * static_cast<double>(members[0].size());
    const double needed = groups * (static_cast<double>(steps) + 1.0 / 3);
    const double room = area.height() - panels * (below_axis + above_panel);
    const double unit = std::clamp(room / needed, 6.0, most_line);

    double y = area.top();
    for (const std::vector<std::size_t>& in : members) {
        if (in.empty()) {
            continue;
        }
        BreakdownPanel panel;
        const double line = rows[in.front()].total ? std::min(most_line, unit * whole_step_height) : unit;
        const double left = area.left() + margin + layout.names + layout.algorithms + 8;
        const double height = static_cast<double>(in.size()) * (static_cast<double>(steps) + 1.0 / 3) * line;
        panel.plot = QRectF(left, y + above_panel, std::max(60.0, area.right() - margin - left), height);
        Time longest(1);
        for (std::size_t step = 0; step < steps; ++step) {
            for (const std::size_t k : in) {
                longest = std::max(longest, lengthOf(rows[step * each + k]));
            }
        }
        panel.x = {0, static_cast<double>(longest.value()), panel.plot.left(),
                   std::max(panel.plot.left() + 30, panel.plot.right() - value_labels), false};
        double top = panel.plot.top() + line / 6;
        for (const std::size_t k : in) {
            BreakdownGroup group;
            group.title = QString::fromStdString(rows[k].title);
            group.gemm = rows[k].total ? std::nullopt : std::optional(k);
            group.area = QRectF(area.left(), top, area.width(), static_cast<double>(steps) * line);
            for (std::size_t step = 0; step < steps; ++step) {
                const double at = top + static_cast<double>(step) * line;
                BreakdownLine bars;
                bars.step = step;
                bars.row = step * each + k;
                bars.time =
                    QRectF(left, std::round(at + line * 0.06), 0, std::max(2.0, std::round(line * 0.52)));
                bars.communication =
                    QRectF(left, bars.time.bottom() + 1, 0, std::max(2.0, std::round(line * 0.26)));
                bars.area = QRectF(area.left(), at, area.width(), line);
                group.lines.push_back(bars);
            }
            top += (static_cast<double>(steps) + 1.0 / 3) * line;
            panel.groups.push_back(std::move(group));
        }
        y = panel.plot.bottom() + below_axis;
        layout.panels.push_back(std::move(panel));
    }
    return layout;
}

} // namespace meshslice::ui
