#include "ui/planner/cluster/cluster_pane.h"

#include "ui/look/picture_scale.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {

ClusterPane::ClusterPane(QWidget* parent)
    : PicturePane([](const ChosenPlan& chosen, const RunControl&) { return plan_places(chosen); }, parent) {
    setAccessibleName(tr("Groups of the plan on the cluster"));
}

std::vector<KeyHelp> ClusterPane::keys() const {
    return {{tr("Left and right, click"), tr("Select another chip and see its groups")}};
}

void ClusterPane::showAnswer() {
    if (answer() != nullptr && !(shown_ == answer()->of)) {
        shown_ = answer()->of;
        selected_ = {};
    }
    setAccessibleDescription(answer() != nullptr ? clusterFinding(*answer()) : sentence());
    pictureChanged();
}

ClusterLayout ClusterPane::layoutNow() const {
    return layoutCluster(toPicture(size()), *answer(), selected_);
}

void ClusterPane::select(const PlanChip& chip) {
    if (answer() == nullptr) {
        return;
    }
    selected_ = chip;
    setAccessibleDescription(chipLines(*answer(), chip, chip).join(QStringLiteral("; ")));
    pictureChanged();
}

void ClusterPane::walk(int turn) {
    const ClusterLayout layout = layoutNow();
    const auto at = std::ranges::find(layout.chips, selected_, &ChipPlace::chip) - layout.chips.begin();
    const auto count = std::ssize(layout.chips);
    if (count > 0) {
        select(layout.chips[static_cast<std::size_t>((at + turn + count) % count)].chip);
    }
}

void ClusterPane::keyPressEvent(QKeyEvent* event) {
    if (answer() != nullptr && event->key() == Qt::Key_Right) {
        walk(1);
    } else if (answer() != nullptr && event->key() == Qt::Key_Left) {
        walk(-1);
    } else {
        PicturePane::keyPressEvent(event);
    }
}

void ClusterPane::mousePressEvent(QMouseEvent* event) {
    if (answer() != nullptr && event->button() == Qt::LeftButton) {
        if (const auto chip = layoutNow().chipAt(toPicture(event->pos()))) {
            select(*chip);
            return;
        }
    }
    PicturePane::mousePressEvent(event);
}

void ClusterPane::paintNow(QPainter& painter, const QSize& size, Theme theme) const {
    paintCluster(painter, size, *answer(), selected_, theme);
}

QStringList ClusterPane::linesAt(const QPoint& point) const {
    const auto chip = layoutNow().chipAt(point);
    return chip ? chipLines(*answer(), selected_, *chip) : QStringList();
}

int ClusterPane::leastHeight(int width) const {
    return layoutCluster({width, 0}, *answer(), selected_).height;
}

Table ClusterPane::table() const {
    const bool torus = answer()->torus; // where all of a group are in one network
    Table table{
        "Groups of the plan",
        {"group", "chips", "in a fast domain", "sent_bytes", "across_slow_network_bytes", "exposed_s"},
        {}};
    if (torus) {
        table.columns = {"group", "chips", "sent_bytes", "exposed_s"};
    }
    const auto bytes = [](double count) {
        return static_cast<std::int64_t>(std::min(std::round(count), 9e18));
    };
    const std::array<const char*, plan_groups.size()> names = {"tensor", "data", "pipeline"};
    for (const PlanGroup group : plan_groups) {
        const GroupTraffic& of = answer()->of_group(group);
        std::vector<Table::Cell> row = {std::string(names[static_cast<std::size_t>(group)]), of.chips};
        if (!torus) {
            row.emplace_back(of.together);
        }
        row.emplace_back(bytes(of.sent));
        if (!torus) {
            row.emplace_back(bytes(of.leaves));
        }
        row.emplace_back(of.exposed);
        table.rows.push_back(std::move(row));
    }
    return table;
}

QString ClusterPane::readAloud() const {
    return answer() != nullptr ? QString(clusterFinding(*answer()) + QLatin1Char(' ') +
                                         trafficLines(*answer()).join(QLatin1Char(' ')))
                               : sentence();
}

std::vector<ReadablePart> ClusterPane::readableParts() const {
    std::vector<ReadablePart> parts;
    if (answer() != nullptr) {
        for (const ChipPlace& one : layoutNow().chips) {
            if (parts.size() < most_readable_parts) {
                parts.push_back(readablePart(chipLines(*answer(), selected_, one.chip), fromPicture(one.area),
                                             one.chip == selected_));
            }
        }
    }
    return parts;
}

} // namespace meshslice::ui
