#pragma once

#include "core/plan/search/chosen_plan.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace meshslice::ui {

[[nodiscard]] QString groupName(PlanGroup group); ///< "Tensor parallel"

/// What a chip is to the selected one.
enum class ChipRelation : std::uint8_t {
    itself,
    tensor,   ///< of the same tensor-parallel group
    data,     ///< holds the same weights
    next,     ///< the stage of the pipeline before or after its own
    pipeline, ///< another stage
    none
};
[[nodiscard]] ChipRelation relation(const Plan& plan, const PlanChip& selected, const PlanChip& other);

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

} // namespace meshslice::ui
