#include "ui/planner/cluster/domain_boxes.h"

#include "core/plan/torus_placement.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::int64_t most_cells = 256; ///< of one box
constexpr std::int64_t most_boxes = 12;  ///< that are drawn all
constexpr std::int64_t most_of_group = 15;
constexpr std::int64_t most_cells_of_group = 360; // five domains of 72 side by side

/// In the words of the picture that has the boxes.
struct DomainBoxWords {
    Q_DECLARE_TR_FUNCTIONS(ClusterPictureWords)
};

/// How many domains hold a plan's groups, by group.
Placement domainsOf(const Plan& plan, const Placement& in_domain) {
    return {plan.tensor1 / in_domain.tensor1, plan.tensor2 / in_domain.tensor2, plan.data / in_domain.data,
            plan.pipeline / in_domain.pipeline};
}

PlanChip shifted(const Placement& placement, const PlanChip& domain, std::int64_t index) {
    PlanChip chip = chip_in_domain(placement, index);
    chip.tensor1 += domain.tensor1 * placement.tensor1;
    chip.tensor2 += domain.tensor2 * placement.tensor2;
    chip.data += domain.data * placement.data;
    chip.pipeline += domain.pipeline * placement.pipeline;
    return chip;
}

/// Rows of one length where that leaves no long line: 4 columns of 8 chips, 9 of 72.
int columnsFor(std::int64_t chips) {
    std::int64_t columns = 1;
    while (columns * columns < chips) {
        ++columns;
    }
    for (std::int64_t wider = columns; wider <= 2 * columns; ++wider) {
        if (chips % wider == 0) {
            return static_cast<int>(wider);
        }
    }
    return static_cast<int>(columns);
}

DomainBox boxOf(const PlanPlaces& places, const PlanChip& domain, QString title) {
    const Placement& placement = places.in_domain;
    const std::int64_t together = chips_together(placement);
    DomainBox box;
    box.title = std::move(title);
    const std::int64_t shown = std::min(together, most_cells);
    for (std::int64_t index = 0; index < shown; ++index) {
        box.chips.push_back(shifted(placement, domain, index));
    }
    const std::int64_t all = std::min(places.domain, std::max(places.of.plan.chips(), together));
    const std::int64_t others = all - together;
    box.others = std::min(others, most_cells - shown);
    box.hidden = together - shown + others - box.others;
    box.columns = columnsFor(shown + box.others);
    return box;
}

/// The chips of a torus plane by plane: a plane has the two axes of the most chips. All planes, or where
/// those are many that of the selected chip; of several tori one after the other.
std::vector<DomainBox> planesOf(const PlanPlaces& places, const PlanChip& selected) {
    const TorusAxes& axes = places.of.plan.axes;
    std::array<std::size_t, 3> order = {0, 1, 2};
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return chips_along(axes[a]) > chips_along(axes[b]); });
    // Along an axis stand, from the inside out, tensor-parallel chips, stages and copies.
    const auto along = [&](std::size_t axis, std::int64_t index, PlanChip& chip, std::int64_t& copies) {
        const Placement& on = axes[axis];
        chip.tensor1 += index % on.tensor1;
        index /= on.tensor1;
        chip.tensor2 += index % on.tensor2;
        index /= on.tensor2;
        chip.pipeline += index % on.pipeline;
        chip.data += index / on.pipeline * copies;
        copies *= on.data;
    };
    const Placement& third = axes[order[2]];
    const std::int64_t planes = chips_along(third);
    const std::int64_t copies_before = axes[order[0]].data * axes[order[1]].data;
    const std::int64_t own =
        selected.tensor1 % third.tensor1 +
        third.tensor1 * (selected.tensor2 % third.tensor2 +
                         third.tensor2 * (selected.pipeline % third.pipeline +
                                          third.pipeline * (selected.data / copies_before % third.data)));
    constexpr std::int64_t widest = 24, highest = 16, most_planes = 8;
    const std::int64_t columns = chips_along(axes[order[0]]);
    const std::int64_t rows = chips_along(axes[order[1]]);
    const std::int64_t tori = places.of.plan.tori();
    const std::int64_t copies_of_torus = places.of.plan.data / tori;
    const std::int64_t own_torus = selected.data / copies_of_torus;
    std::vector<DomainBox> boxes;
    for (std::int64_t k = 0; k < planes * tori; ++k) {
        const std::int64_t depth = k % planes, torus = k / planes;
        if ((planes > most_planes && depth != own) || (planes * tori > most_planes && torus != own_torus)) {
            continue;
        }
        DomainBox box;
        box.columns = static_cast<int>(std::min(columns, widest));
        for (std::int64_t row = 0; row < std::min(rows, highest); ++row) {
            for (std::int64_t column = 0; column < std::min(columns, widest); ++column) {
                PlanChip chip;
                std::int64_t copies = 1;
                along(order[0], column, chip, copies);
                along(order[1], row, chip, copies);
                along(order[2], depth, chip, copies);
                chip.data += torus * copies_of_torus;
                box.chips.push_back(chip);
            }
        }
        box.hidden = columns * rows - static_cast<std::int64_t>(box.chips.size());
        QStringList titles;
        if (tori > 1) {
            titles << DomainBoxWords::tr("torus %1 of %2").arg(torus + 1).arg(tori);
        }
        if (planes > 1) {
            titles << DomainBoxWords::tr("plane %1 of %2").arg(depth + 1).arg(planes);
        }
        box.title = titles.join(QStringLiteral(", "));
        boxes.push_back(std::move(box));
    }
    boxes.front().heading =
        planes == 1 ? DomainBoxWords::tr("Torus of %1 x %2 chips").arg(columns).arg(rows)
                    : DomainBoxWords::tr("Torus of %1 x %2 x %3 chips").arg(columns).arg(rows).arg(planes);
    if (tori > 1) {
        boxes.front().heading =
            DomainBoxWords::tr("%1, and a network between %2 of them").arg(boxes.front().heading).arg(tori);
    }
    return boxes;
}

} // namespace

QString groupName(PlanGroup group) {
    switch (group) {
    case PlanGroup::tensor: return DomainBoxWords::tr("Tensor parallel");
    case PlanGroup::data: return DomainBoxWords::tr("Data parallel");
    case PlanGroup::pipeline: return DomainBoxWords::tr("Pipeline");
    }
    return {};
}

ChipRelation relation(const Plan& plan, const PlanChip& selected, const PlanChip& other) {
    if (other == selected) {
        return ChipRelation::itself;
    }
    const bool same_grid = other.tensor1 == selected.tensor1 && other.tensor2 == selected.tensor2;
    if (other.data == selected.data && other.pipeline == selected.pipeline) {
        return ChipRelation::tensor;
    }
    if (hold_same_weights(plan, selected, other)) {
        return ChipRelation::data;
    }
    if (same_grid && other.data == selected.data) {
        return std::abs(other.pipeline - selected.pipeline) == 1 ? ChipRelation::next
                                                                 : ChipRelation::pipeline;
    }
    return ChipRelation::none;
}

std::vector<DomainBox> domainBoxes(const PlanPlaces& places, const PlanChip& selected) {
    if (places.torus) {
        return planesOf(places, selected);
    }
    const Plan& plan = places.of.plan;
    const Placement& at = places.in_domain;
    const Placement count = domainsOf(plan, at);
    const std::int64_t all = chips_together(count);
    std::vector<DomainBox> boxes;
    if (all <= most_boxes) {
        for (std::int64_t k = 0; k < all; ++k) {
            boxes.push_back(boxOf(places, chip_in_domain(count, k),
                                  DomainBoxWords::tr("domain %1 of %2").arg(k + 1).arg(all)));
        }
        return boxes;
    }
    const PlanChip own{selected.tensor1 / at.tensor1, selected.tensor2 / at.tensor2, selected.data / at.data,
                       selected.pipeline / at.pipeline};
    boxes.push_back(boxOf(places, own, {}));
    boxes.back().heading = DomainBoxWords::tr("The fast domain of the selected chip, one of %1").arg(all);
    const auto cells = static_cast<std::int64_t>(boxes.back().chips.size()) + boxes.back().others;
    const std::int64_t most = std::clamp<std::int64_t>(most_cells_of_group / cells, 1, most_of_group);
    const auto beyond = [&](std::int64_t PlanChip::*part, std::int64_t domains, PlanGroup group) {
        const std::int64_t more = domains - 1;
        const std::int64_t shown = std::min(more, most);
        // Those around its own one, which is left out.
        const std::int64_t first =
            std::clamp<std::int64_t>(own.*part - shown / 2, 0, std::max<std::int64_t>(0, more - shown));
        const QString many =
            more == 1
                ? DomainBoxWords::tr("%1: one more domain, across the slow network").arg(groupName(group))
                : DomainBoxWords::tr("%1: %2 more domains, across the slow network")
                      .arg(groupName(group))
                      .arg(more);
        QString heading =
            shown < more ? DomainBoxWords::tr("%1; the nearest %2 are drawn").arg(many).arg(shown) : many;
        for (std::int64_t k = first, n = 0; n < shown; ++k) {
            if (k != own.*part) {
                PlanChip other = own;
                other.*part = k;
                boxes.push_back(boxOf(places, other, {}));
                boxes.back().heading = std::exchange(heading, {});
                ++n;
            }
        }
    };
    beyond(&PlanChip::tensor1, count.tensor1, PlanGroup::tensor);
    beyond(&PlanChip::tensor2, count.tensor2, PlanGroup::tensor);
    beyond(&PlanChip::data, count.data, PlanGroup::data);
    beyond(&PlanChip::pipeline, count.pipeline, PlanGroup::pipeline);
    return boxes;
}

} // namespace meshslice::ui
