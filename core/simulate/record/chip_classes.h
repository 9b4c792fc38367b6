#pragma once

#include "core/torus/torus.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// The chips of a torus in classes whose members live through a run alike, so that one of each is enough to
/// simulate and to keep.
struct ChipClasses {
    std::vector<Chip> representatives;  ///< by class: its lowest chip, ascending
    std::vector<std::int32_t> class_of; ///< by chip

    [[nodiscard]] std::size_t count() const { return representatives.size(); }
    [[nodiscard]] std::size_t of(Chip chip) const {
        return static_cast<std::size_t>(class_of[static_cast<std::size_t>(chip)]);
    }
    [[nodiscard]] Chip representative(Chip chip) const { return representatives[of(chip)]; }
    /// How many chips each class has.
    [[nodiscard]] std::vector<std::int32_t> members() const;

    bool operator==(const ChipClasses&) const = default;
};

/// Every chip in a class of its own.
[[nodiscard]] ChipClasses all_different(const Torus& torus);

} // namespace meshslice
