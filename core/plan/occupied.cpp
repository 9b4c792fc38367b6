#include "core/plan/occupied.h"

#include "core/base/say.h"

#include <cstddef>

namespace meshslice {
namespace {

std::int64_t rounded_up(std::int64_t count, std::int64_t by) {
    return (count + by - 1) / by;
}

/// Blocks of the levels of a plan, one block of a level standing in one unit of it.
struct Blocks {
    std::vector<std::int64_t> chips; ///< of a block
    std::vector<std::int64_t> held;  ///< blocks that a whole unit holds

    /// Blocks of the level within that one of this level is made of.
    [[nodiscard]] std::int64_t inner(std::size_t level) const { return chips[level] / chips[level - 1]; }
};

std::optional<Blocks> blocks_of(const Plan& plan, const std::vector<std::int64_t>& units) {
    Blocks made;
    for (std::size_t level = 0; level < units.size(); ++level) {
        const Placement& at = plan.placed(level);
        made.chips.push_back(at.tensor1 * at.tensor2 * at.data * at.pipeline);
        if (level > 0 && made.chips[level] % made.chips[level - 1] != 0) {
            return std::nullopt;
        }
        const std::int64_t room =
            level == 0 ? units[0] / made.chips[0]
                       : units[level] / units[level - 1] * made.held[level - 1] / made.inner(level);
        if (room < 1) {
            return std::nullopt;
        }
        made.held.push_back(room);
    }
    return made;
}

/// Adds the units of this level and of those within it that so many blocks fill one after the other, `times`
/// over.
void add_units(const Blocks& blocks, std::size_t level, std::int64_t count, std::int64_t times,
               std::vector<std::int64_t>& units) {
    const std::int64_t full = count / blocks.held[level], rest = count % blocks.held[level];
    units[level] += times * (full + (rest > 0 ? 1 : 0));
    if (level == 0) {
        return;
    }
    const std::int64_t inner = blocks.inner(level);
    if (full > 0) {
        add_units(blocks, level - 1, blocks.held[level] * inner, times * full, units);
    }
    if (rest > 0) {
        add_units(blocks, level - 1, rest * inner, times, units);
    }
}

} // namespace

std::optional<Occupied> occupied(const Plan& plan, const std::vector<std::int64_t>& units) {
    if (units.empty() || plan.axes != TorusAxes{}) {
        return Occupied{1, plan.chips(), true};
    }
    const std::optional<Blocks> blocks = blocks_of(plan, units);
    if (!blocks) {
        return std::nullopt;
    }
    std::vector<std::int64_t> counts(units.size());
    add_units(*blocks, units.size() - 1, rounded_up(plan.chips(), blocks->chips.back()), 1, counts);
    Occupied made{counts.back(), counts.back() * units.back(), true};
    for (std::size_t level = 0; level < units.size(); ++level) {
        made.within = made.within && counts[level] <= rounded_up(plan.chips(), units[level]);
    }
    return made;
}

std::int64_t charged_chips(const Plan& plan, const std::vector<std::int64_t>& units) {
    const std::optional<Occupied> its = occupied(plan, units);
    return its && !its->within ? its->chips : plan.chips();
}

std::int64_t idle_chips(const Plan& plan, const std::vector<std::int64_t>& units) {
    const std::optional<Occupied> its = occupied(plan, units);
    return its && its->domains > 1 ? its->chips - plan.chips() : 0;
}

std::string occupied_text(const Plan& plan, const std::vector<std::int64_t>& units) {
    const std::optional<Occupied> its = occupied(plan, units);
    return its ? say("{} domains, {} chips", its->domains, its->chips) : std::string();
}

} // namespace meshslice
