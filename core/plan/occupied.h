#pragma once

#include "core/scenario/plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What of its network a plan takes up. Chips that stand together do not break: a fast domain of 8 chips
/// holds one block of 6, two of 4 or four of 2, and what is left of it stays idle.
struct Occupied {
    std::int64_t domains = 1; ///< fast domains (units of the last level but one) in which a chip of it works
    std::int64_t chips = 1;   ///< of all these domains, idle ones included
    /// Whether it stands in the units, of every level, that as many chips as it has fill one after the other.
    bool within = true;

    bool operator==(const Occupied&) const = default;
};

/// `units`: the chips of one unit of each level but the last, from the inside out, as unit_chips() has them.
/// None where a unit has no room for what the placement puts into it: 4 nodes of 4 chips hold 4 blocks of 3,
/// and not 5.
[[nodiscard]] std::optional<Occupied> occupied(const Plan& plan, const std::vector<std::int64_t>& units);

/// The chips over which the FLOP utilization of a plan is: its own, or those of the domains that it occupies
/// where these are more than as many chips have.
[[nodiscard]] std::int64_t charged_chips(const Plan& plan, const std::vector<std::int64_t>& units);

/// Of the chips of its domains those that have nothing to do; 0 where it fits into one domain.
[[nodiscard]] std::int64_t idle_chips(const Plan& plan, const std::vector<std::int64_t>& units);

/// "64 domains, 512 chips".
[[nodiscard]] std::string occupied_text(const Plan& plan, const std::vector<std::int64_t>& units);

} // namespace meshslice
