#include "ui/planner/cluster/cluster_picture.h"

#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/plan/torus_placement.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int cluster_margin = 12;
constexpr int cluster_title = 36; ///< at least
constexpr int most_title_lines = 4;
constexpr int most_traffic_lines = 5;
constexpr int traffic_line = 15; ///< of text
constexpr int traffic_indent = 24;
constexpr int box_title = 20;
constexpr int box_padding = 6;
constexpr int box_gap = 14;
/// The largest with which all is seen is taken, so that a few chips fill a window as hundreds do.
constexpr std::array<int, 9> cell_sizes = {120, 96, 76, 60, 44, 36, 30, 26, 22};
constexpr int usual_cell = 44; ///< a larger one breaks no row of chips

struct ClusterPictureWords {
    Q_DECLARE_TR_FUNCTIONS(ClusterPictureWords)
};

/// The colours of the ranking's bars.
Role groupRole(PlanGroup group) {
    switch (group) {
    case PlanGroup::tensor: return Role::transferHorizontal;
    case PlanGroup::data: return Role::transferThird;
    case PlanGroup::pipeline: return Role::transferVertical;
    }
    return Role::quietText;
}

QString bytesWords(double bytes) {
    return words(bytes_text(bytes));
}

QString letterOf(ChipRelation relation, const PlanChip& chip) {
    switch (relation) {
    case ChipRelation::tensor: return QStringLiteral("T");
    case ChipRelation::data: return QStringLiteral("D");
    case ChipRelation::next:
    case ChipRelation::pipeline: return QString::number(chip.pipeline + 1);
    default: return {};
    }
}

void paintCell(QPainter& painter, const QRect& area, ChipRelation relation, const PlanChip& chip,
               Theme theme) {
    const QRect inner = area.adjusted(2, 2, -2, -2);
    std::optional<Role> role;
    switch (relation) {
    case ChipRelation::tensor: role = Role::transferHorizontal; break;
    case ChipRelation::data: role = Role::transferThird; break;
    case ChipRelation::next:
    case ChipRelation::pipeline: role = Role::transferVertical; break;
    default: break;
    }
    const double strength = relation == ChipRelation::pipeline ? 0.35 : 1;
    if (role) {
        painter.fillRect(inner, tint(*role, theme, strength));
        painter.setPen(reads_black_on(tinted(*role, theme, strength)) ? Qt::black : Qt::white);
        painter.setFont(lettering(Lettering::tiny, true));
        painter.drawText(inner, Qt::AlignCenter, letterOf(relation, chip));
    } else if (relation == ChipRelation::itself) {
        painter.fillRect(inner, color(Role::compute, theme));
        painter.setPen(QPen(color(Role::text, theme), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(1, 1, -1, -1));
    } else {
        painter.fillRect(inner, color(Role::grid, theme));
    }
}

/// Of a chip, within a fast domain or across the network around it.
QString rateOf(const PlanPlaces& places, bool outside) {
    const Level* const level =
        outside ? outer_network(places.hardware.network) : switched_domain(places.hardware.network);
    return level != nullptr ? words(text(Bandwidth(level->line_rate()))) : QString();
}

QString trafficLine(const PlanPlaces& places, PlanGroup group) {
    const GroupTraffic& of = places.of_group(group);
    const QString name = groupName(group);
    if (of.chips == 1) {
        return group == PlanGroup::pipeline
                   ? ClusterPictureWords::tr("%1: one stage, nothing to send.").arg(name)
                   : ClusterPictureWords::tr("%1: one chip, nothing to send.").arg(name);
    }
    const QString exposed = ClusterPictureWords::tr("%1 of the step is spent waiting for it.")
                                .arg(words(seconds_text(of.exposed)));
    const QString members = group == PlanGroup::pipeline ? ClusterPictureWords::tr("%1 stages").arg(of.chips)
                                                         : ClusterPictureWords::tr("%1 chips").arg(of.chips);
    if (places.torus && of.leaves > 0) {
        return ClusterPictureWords::tr(
                   "%1: %2, %3 on each torus; of the %4 that a chip sends a step, %5 cross "
                   "the network between the tori, at %6 per chip. %7")
            .arg(name, members)
            .arg(of.together)
            .arg(bytesWords(of.sent), bytesWords(of.leaves), rateOf(places, true), exposed);
    }
    if (places.torus) {
        return of.sent > 0 ? ClusterPictureWords::tr("%1: %2; a chip sends %3 a step. %4")
                                 .arg(name, members, bytesWords(of.sent), exposed)
                           : ClusterPictureWords::tr("%1: %2. %3").arg(name, members, exposed);
    }
    if (of.together == of.chips) {
        return ClusterPictureWords::tr("%1: %2, all in one fast domain; a chip sends %3 a step, at %4. %5")
            .arg(name, members, bytesWords(of.sent), rateOf(places, false), exposed);
    }
    if (of.together == 1) {
        return ClusterPictureWords::tr(
                   "%1: %2, each in another fast domain; all of the %3 that a chip sends a step "
                   "cross the slow network, at %4 per chip. %5")
            .arg(name, members, bytesWords(of.sent), rateOf(places, true), exposed);
    }
    return ClusterPictureWords::tr(
               "%1: %2, %3 in each fast domain; of the %4 that a chip sends a step, %5 cross the "
               "slow network, at %6 per chip. %7")
        .arg(name, members)
        .arg(of.together)
        .arg(bytesWords(of.sent), bytesWords(of.leaves), rateOf(places, true), exposed);
}

/// The same with chips of one size.
ClusterLayout layoutCells(int width, int cell, const PlanPlaces& places, const PlanChip& selected) {
    ClusterLayout layout;
    const int inner = std::max(100, width - 2 * cluster_margin);
    int y = 4;
    if (!hasNoTitle()) {
        const auto lines =
            static_cast<int>(inLines(lettering(Lettering::normal, true), pictureTitle(clusterFinding(places)),
                                     inner, most_title_lines)
                                 .size());
        layout.title = {cluster_margin, y, inner, std::max(cluster_title, lines * traffic_line + 6)};
        y += layout.title.height();
    }
    const QFont normal = lettering(Lettering::normal);
    for (const QString& line : trafficLines(places)) {
        const auto lines =
            static_cast<int>(inLines(normal, line, inner - traffic_indent, most_traffic_lines).size());
        layout.lines.emplace_back(cluster_margin, y, inner, std::max(22, lines * traffic_line + 7));
        y = layout.lines.back().bottom() + 1;
    }
    y += 6;
    layout.boxes = domainBoxes(places, selected);
    int x = cluster_margin;
    int row_height = 0;
    const QFont font = lettering(Lettering::small);
    for (const DomainBox& box : layout.boxes) {
        ClusterLayout::Box frame;
        const auto cells = static_cast<int>(box.chips.size()) + static_cast<int>(box.others);
        const int columns = std::max(1, std::min(box.columns, (inner - 2 * box_padding) / cell));
        const int rows = (cells + columns - 1) / columns;
        const int above = box.title.isEmpty() ? 0 : box_title;
        const int wide = std::max(columns * cell + 2 * box_padding,
                                  std::min(inner, static_cast<int>(textWidth(font, box.title)) + 12));
        const int high = above + rows * cell + 2 * box_padding;
        const bool full = x > cluster_margin && x + wide > cluster_margin + inner;
        if (full || (!box.heading.isEmpty() && row_height > 0)) {
            x = cluster_margin;
            y += row_height + (full && box.heading.isEmpty() ? box_gap / 2 : box_gap);
            row_height = 0;
        }
        if (!box.heading.isEmpty()) {
            frame.heading = {x, y, inner, box_title};
            y += box_title;
        }
        frame.title = {x, y, wide, above};
        frame.frame = {x, y + above, columns * cell + 2 * box_padding, high - above};
        for (int k = 0; k < cells; ++k) {
            const QRect area(x + box_padding + k % columns * cell,
                             y + above + box_padding + k / columns * cell, cell, cell);
            if (static_cast<std::size_t>(k) < box.chips.size()) {
                layout.chips.push_back({box.chips[static_cast<std::size_t>(k)], area});
            } else {
                frame.others.push_back(area);
            }
        }
        layout.frames.push_back(std::move(frame));
        x += wide + (above > 0 ? box_gap : box_gap / 2);
        row_height = std::max(row_height, high);
    }
    layout.height = y + row_height + cluster_margin + 20;
    return layout;
}

} // namespace

QStringList trafficLines(const PlanPlaces& places) {
    QStringList lines;
    for (const PlanGroup group : plan_groups) {
        lines << trafficLine(places, group);
    }
    return lines;
}

QString clusterFinding(const PlanPlaces& places) {
    if (places.torus) {
        return ClusterPictureWords::tr("Groups along the axes of the torus: %1")
            .arg(words(placement_text(places.of.plan)));
    }
    double sent = 0, leaves = 0;
    PlanGroup most = PlanGroup::tensor;
    for (const PlanGroup group : plan_groups) {
        const GroupTraffic& of = places.of_group(group);
        sent += of.sent;
        leaves += of.leaves;
        most = of.leaves > places.of_group(most).leaves ? group : most;
    }
    if (leaves == 0) {
        return ClusterPictureWords::tr(
            "Nothing crosses the slow network: all groups stand in one fast domain.");
    }
    return ClusterPictureWords::tr(
               "%1 of the %2 that a chip sends in a step cross the slow network (%3), most of it %4.")
        .arg(bytesWords(leaves), bytesWords(sent), words(percent_text(leaves / sent)),
             most == PlanGroup::tensor ? ClusterPictureWords::tr("tensor parallel")
             : most == PlanGroup::data ? ClusterPictureWords::tr("data parallel")
                                       : ClusterPictureWords::tr("between stages of the pipeline"));
}

QStringList chipLines(const PlanPlaces& places, const PlanChip& selected, const PlanChip& chip) {
    const Plan& plan = places.of.plan;
    QStringList lines;
    switch (relation(plan, selected, chip)) {
    case ChipRelation::itself: lines << ClusterPictureWords::tr("the selected chip"); break;
    case ChipRelation::tensor:
        lines << (hold_same_weights(plan, selected, chip)
                      ? ClusterPictureWords::tr(
                            "same tensor-parallel and same data-parallel group: holds the "
                            "same weights")
                      : ClusterPictureWords::tr("same tensor-parallel group"));
        break;
    case ChipRelation::data:
        lines << ClusterPictureWords::tr("same data-parallel group: holds the same weights");
        break;
    case ChipRelation::next: lines << ClusterPictureWords::tr("neighbouring stage of the pipeline"); break;
    case ChipRelation::pipeline:
        lines << ClusterPictureWords::tr("another stage of the same pipeline");
        break;
    case ChipRelation::none:
        lines << ClusterPictureWords::tr("shares no group with the selected chip");
        break;
    }
    lines << ClusterPictureWords::tr("tensor parallel: %1 of %2")
                 .arg(chip.tensor1 + plan.tensor1 * chip.tensor2 + 1)
                 .arg(plan.tensor1 * plan.tensor2)
          << ClusterPictureWords::tr("data parallel: %1 of %2").arg(chip.data + 1).arg(plan.data)
          << ClusterPictureWords::tr("stage %1 of %2").arg(chip.pipeline + 1).arg(plan.pipeline);
    return lines;
}

std::optional<PlanChip> ClusterLayout::chipAt(const QPoint& point) const {
    const auto found =
        std::ranges::find_if(chips, [&](const ChipPlace& one) { return one.area.contains(point); });
    return found == chips.end() ? std::nullopt : std::optional(found->chip);
}

ClusterLayout layoutCluster(const QSize& size, const PlanPlaces& places, const PlanChip& selected) {
    ClusterLayout layout;
    int columns = 1;
    for (const DomainBox& box : domainBoxes(places, selected)) {
        columns = std::max(columns, box.columns);
    }
    const int inner = size.width() - 2 * cluster_margin - 2 * box_padding;
    for (const int cell : cell_sizes) {
        if (cell > usual_cell && cell * columns > inner) {
            continue;
        }
        layout = layoutCells(size.width(), cell, places, selected);
        if (layout.height <= size.height()) {
            break;
        }
    }
    return layout;
}

void paintCluster(QPainter& painter, const QSize& size, const PlanPlaces& places, const PlanChip& selected,
                  Theme theme) {
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    const ClusterLayout layout = layoutCluster(size, places, selected);
    const QString finding = pictureTitle(clusterFinding(places));
    if (!layout.title.isEmpty()) {
        const QFont font = lettering(Lettering::normal, true);
        painter.setFont(font);
        painter.setPen(color(Role::text, theme));
        painter.drawText(
            layout.title, Qt::AlignLeft | Qt::AlignVCenter,
            inLines(font, finding, layout.title.width(), most_title_lines).join(QLatin1Char('\n')));
    }
    const QStringList lines = trafficLines(places);
    for (std::size_t k = 0; k < plan_groups.size(); ++k) {
        const QRect area = layout.lines[k];
        const QRect swatch(area.left(), area.top() + 3, 16, 16);
        painter.fillRect(swatch, color(groupRole(plan_groups[k]), theme));
        painter.setFont(lettering(Lettering::tiny, true));
        painter.setPen(reads_black_on(rgb(groupRole(plan_groups[k]), theme)) ? Qt::black : Qt::white);
        painter.drawText(swatch, Qt::AlignCenter,
                         plan_groups[k] == PlanGroup::tensor ? QStringLiteral("T")
                         : plan_groups[k] == PlanGroup::data ? QStringLiteral("D")
                                                             : QStringLiteral("1"));
        const QFont font = lettering(Lettering::normal);
        painter.setFont(font);
        painter.setPen(color(Role::text, theme));
        painter.drawText(
            area.adjusted(traffic_indent, 3, 0, 0), Qt::AlignLeft | Qt::AlignTop,
            inLines(font, lines[static_cast<qsizetype>(k)], area.width() - traffic_indent, most_traffic_lines)
                .join(QLatin1Char('\n')));
    }
    for (std::size_t k = 0; k < layout.frames.size(); ++k) {
        const ClusterLayout::Box& frame = layout.frames[k];
        const DomainBox& box = layout.boxes[k];
        painter.setPen(color(Role::text, theme));
        drawFitted(
            painter, frame.heading, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
            box.hidden > 0 && !box.heading.isEmpty()
                ? ClusterPictureWords::tr("%1; %2 more chips are not drawn").arg(box.heading).arg(box.hidden)
                : box.heading);
        drawFitted(painter, frame.title, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
                   box.title);
        painter.setPen(QPen(color(Role::quietText, theme), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(frame.frame);
        for (const QRect& area : frame.others) {
            painter.drawRect(area.adjusted(4, 4, -5, -5));
        }
    }
    for (const ChipPlace& one : layout.chips) {
        paintCell(painter, one.area, relation(places.of.plan, selected, one.chip), one.chip, theme);
    }
    painter.setPen(color(Role::quietText, theme));
    const bool others =
        std::ranges::any_of(layout.boxes, [](const DomainBox& box) { return box.others > 0; });
    drawFitted(
        painter, QRectF(cluster_margin, layout.height - 22.0, size.width() - 2.0 * cluster_margin, 20),
        Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
        ClusterPictureWords::tr("Framed: the selected chip. T: its tensor-parallel group; D: same weights; "
                                "numbers: its pipeline's stages. Click another chip to see its groups.") +
            (others ? QLatin1Char(' ') + ClusterPictureWords::tr("Outlined: chips of other groups.")
                    : QString()));
}

} // namespace meshslice::ui
