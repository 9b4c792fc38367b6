#pragma once

#include "core/machine/network.h"
#include "core/program/program.h"
#include "core/torus/faults.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// The physical links of a torus under its conditions: how long a synchronization and a transfer take on
/// each, and which transfers share links. What a dead link would carry goes round its ring the other way,
/// over the links of the opposite direction, which it shares with their own transfers. Refers to the program.
class Wires {
  public:
    /// `network`: of healthy links.
    Wires(const Program& program, const Conditions& conditions, const Network& network);

    /// Whether the link is dead or missing, so that what is sent by it goes round.
    [[nodiscard]] bool round(Chip chip, int slot) const { return conditions_.link(torus_, chip, slot) == 0; }
    /// Of a link, given the value on a healthy one.
    [[nodiscard]] Time sync(Chip chip, int slot, Time healthy) const;
    /// By how much the link's `step`-th synchronization is late.
    [[nodiscard]] Time late(Chip chip, int slot, std::uint64_t step) const {
        return chances_.empty() ? Time(0) : by_chance(chances_[index(chip, slot)], step);
    }
    /// Whether synchronizations are late by chance.
    [[nodiscard]] bool jitters() const { return !chances_.empty(); }
    /// On a link that shares with nothing, given the time on a healthy one.
    [[nodiscard]] Time transfer(Chip chip, int slot, Time healthy) const;
    /// Of a link itself; 0 where it is dead or missing.
    [[nodiscard]] double bytes_per_second(Chip chip, int slot) const {
        return bandwidth_[static_cast<std::size_t>(slot / 2)].value() * conditions_.link(torus_, chip, slot);
    }
    /// Of a core's multiplication.
    [[nodiscard]] Time compute(Chip chip, Time healthy) const;

    [[nodiscard]] bool any_shared() const { return !shared_.empty(); }
    /// Whether what is sent by this link may share links with something else, so that its duration is known
    /// only at its end.
    [[nodiscard]] bool shares(Chip chip, int slot) const {
        return !shared_.empty() && shared_[index(chip, slot)];
    }
    /// The links that what is sent by this one crosses: itself or, where it is dead or missing, those of the
    /// other direction, all but the one that leads back to it. A link is named chip x link slots + slot.
    [[nodiscard]] std::vector<std::uint32_t> way(Chip chip, int slot) const;

  private:
    [[nodiscard]] std::size_t index(Chip chip, int slot) const {
        return static_cast<std::size_t>(chip * torus_.link_slots() + slot);
    }
    [[nodiscard]] Time by_chance(std::uint64_t link, std::uint64_t step) const;
    void share_ring_of(const Link& dead);

    const Torus& torus_;
    Conditions conditions_;
    std::array<Bandwidth, 3> bandwidth_{}; ///< of a healthy link, by axis
    std::vector<std::uint64_t> chances_;   ///< by link, where synchronizations jitter: a seed of its own
    std::vector<bool> shared_;             ///< by link; empty: none is
};

} // namespace meshslice
