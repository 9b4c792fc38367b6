#pragma once

#include "core/hardware/network.h"
#include "core/program/program.h"
#include "core/simulate/machine/fair_share.h"
#include "core/torus/faults.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// The physical links of a torus under its conditions: how long a synchronisation and a transfer take on
/// each, and which transfers share links. What a dead link would carry goes round its ring the other way,
/// over the links of the opposite direction, which it shares with their own transfers fairly. Refers to the
/// program.
class Wires {
  public:
    /// `network`: of healthy links.
    Wires(const Program& program, const Conditions& conditions, const Network& network);

    /// Whether the link is dead or missing, so that what is sent by it goes round.
    [[nodiscard]] bool round(Chip chip, int slot) const { return conditions_.link(torus_, chip, slot) == 0; }
    /// Of a link, given what it is on a healthy one.
    [[nodiscard]] Time sync(Chip chip, int slot, Time healthy) const;
    /// By how much the link's `step`-th synchronisation is late.
    [[nodiscard]] Time late(Chip chip, int slot, std::uint64_t step) const {
        return chances_.empty() ? Time(0) : by_chance(chances_[index(chip, slot)], step);
    }
    /// Of a link that shares with nothing, given what it takes on a healthy one at `rate`: less than its
    /// bandwidth where memory serves no more; 0 for all of it.
    [[nodiscard]] Time transfer(Chip chip, int slot, Time healthy, Bandwidth rate = {}) const;
    /// The share of that rate at which it goes.
    [[nodiscard]] double pace(Chip chip, int slot, Bandwidth rate) const;
    /// Of a core's multiplication.
    [[nodiscard]] Time compute(Chip chip, Time healthy) const;

    [[nodiscard]] bool any_shared() const { return !rings_.empty(); }
    /// Whether what is sent by this link may cross links together with something else, so that only its end
    /// tells how long it takes.
    [[nodiscard]] bool shares(Chip chip, int slot) const {
        return !shared_by_.empty() && shared_by_[index(chip, slot)] >= 0;
    }
    /// When each transfer of the same ring will end, if nothing changes: after one by this link has begun or
    /// ended. A transfer is named by its link: chip x link slots + slot.
    /// `most`: bytes/s that a transfer cannot exceed.
    const std::vector<FairShare::Completion>& start(Time now, Chip chip, int slot, Bytes bytes,
                                                    double most = FairShare::unheld);
    const std::vector<FairShare::Completion>& end(Time now, Chip chip, int slot);

  private:
    [[nodiscard]] std::size_t index(Chip chip, int slot) const {
        return static_cast<std::size_t>(chip * torus_.link_slots() + slot);
    }
    [[nodiscard]] Time by_chance(std::uint64_t link, std::uint64_t step) const;
    void share_ring_of(const Link& dead);

    const Torus& torus_;
    Conditions conditions_;
    std::array<Bandwidth, 3> bandwidth_{}; ///< of a healthy link, by axis
    std::vector<std::uint64_t> chances_;   ///< by link, where synchronisations jitter: a seed of its own
    std::vector<FairShare> rings_;         ///< those with a dead link
    std::vector<std::int32_t> shared_by_;  ///< by link: which of them; -1: none
};

} // namespace meshslice
