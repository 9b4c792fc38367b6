#pragma once

#include "core/scenario/plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// Where a chip is in the groups of a plan, each counted from 0.
struct RankPlace {
    std::int64_t tensor1 = 0, tensor2 = 0, data = 0, stage = 0;

    bool operator==(const RankPlace&) const = default;
};

/// The numbers of a plan's chips: those of one unit of the network one after the other, and in it those of
/// one group, the tensor-parallel ones first.
class RankOrder {
  public:
    /// On a torus a unit is an axis.
    RankOrder(const Plan& plan, bool torus);

    [[nodiscard]] std::int64_t ranks() const;
    [[nodiscard]] std::int64_t rank(RankPlace place) const;
    [[nodiscard]] RankPlace place(std::int64_t rank) const;
    /// Units of the level within that each level joins, from the inside out: 8 chips, 4 domains.
    [[nodiscard]] const std::vector<std::int64_t>& levels() const { return levels_; }

  private:
    /// A part of the number: of how many, and of which group.
    struct Digit {
        std::int64_t RankPlace::*of;
        std::int64_t count;
    };

    std::vector<Digit> digits_;
    std::vector<std::int64_t> levels_;
};

} // namespace meshslice
