#pragma once

#include "core/plan/chosen_plan.h"
#include "ui/look/palette.h"

#include <QRect>
#include <QSize>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// What a chip is to the selected one.
enum class ChipRelation : std::uint8_t {
    itself,
    tensor,   ///< of the same tensor-parallel group
    data,     ///< holds the same weights
    next,     ///< the stage of the pipeline before or after its own
    pipeline, ///< another stage
    none
};
[[nodiscard]] ChipRelation relation(const PlanChip& selected, const PlanChip& other);

/// A box of chips: a fast domain or, on a torus, a part of a plane of it.
struct DomainBox {
    QString heading{};             ///< above it and those that follow it; it begins a row
    QString title{};               ///< of its own
    std::vector<PlanChip> chips{}; ///< row by row
    int columns = 1;
    std::int64_t others = 0; ///< further chips of the domain, which are of no group of these
    std::int64_t hidden = 0; ///< chips that are not drawn, because they are too many
};

/// The domains that tell who is whose neighbour: all, where they are few; else that of the selected chip and,
/// for each of its groups that goes beyond, the nearest ones that hold the rest of it, with how many there
/// are.
[[nodiscard]] std::vector<DomainBox> domainBoxes(const PlanPlaces& places, const PlanChip& selected);

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
