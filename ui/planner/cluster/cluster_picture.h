#pragma once

#include "core/plan/search/chosen_plan.h"
#include "ui/look/palette.h"
#include "ui/planner/cluster/domain_boxes.h"

#include <QRect>
#include <QSize>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// Traffic of the groups: a line each, with numbers and which of it crosses the slow network.
[[nodiscard]] QStringList trafficLines(const PlanPlaces& places);
/// What the picture shows, as a sentence.
[[nodiscard]] QString clusterFinding(const PlanPlaces& places);
/// "tensor 3 of 8, data 1 of 32, stage 2 of 64": which chip it is, and what it is to the selected one.
[[nodiscard]] QStringList chipLines(const PlanPlaces& places, const PlanChip& selected, const PlanChip& chip);

/// Where a chip is drawn.
struct ChipPlace {
    PlanChip chip;
    QRect area;
};
/// A picture: how high it is, and where its parts stand.
struct ClusterLayout {
    struct Box {
        QRect frame;
        QRect heading;
        QRect title;
        std::vector<QRect> others;
    };
    int height = 0;
    QRect title;
    std::vector<QRect> lines; ///< of trafficLines()
    std::vector<DomainBox> boxes;
    std::vector<Box> frames; ///< of `boxes`
    std::vector<ChipPlace> chips;

    [[nodiscard]] std::optional<PlanChip> chipAt(const QPoint& point) const;
};
/// As large as has room in `size`, but not too small to be read: then it is higher.
[[nodiscard]] ClusterLayout layoutCluster(const QSize& size, const PlanPlaces& places,
                                          const PlanChip& selected);
void paintCluster(QPainter& painter, const QSize& size, const PlanPlaces& places, const PlanChip& selected,
                  Theme theme);

} // namespace meshslice::ui
