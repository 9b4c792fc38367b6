#pragma once

#include "core/program/program.h"
#include "core/simulate/fair_share.h"
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
    /// `bandwidth`: of a healthy link. `held`: bytes/s, by axis, that no transfer along it which shares links
    /// exceeds, where that is all that a chip's memory is sure to serve (see OperationCost::rate).
    Wires(const Program& program, const Conditions& conditions, Bandwidth bandwidth,
          const std::array<double, 3>& held = {FairShare::unheld, FairShare::unheld, FairShare::unheld});

    /// Of a link, given what it is on a healthy one.
    [[nodiscard]] Time sync(Chip chip, int slot, Time healthy) const;
    /// By how much the link's `step`-th synchronisation is late.
    [[nodiscard]] Time late(Chip chip, int slot, std::uint64_t step) const {
        return conditions_.jitter == Time(0) ? Time(0) : by_chance(chip, slot, step);
    }
    /// Of a link that shares with nothing.
    [[nodiscard]] Time transfer(Chip chip, int slot, Time healthy) const;
    /// The share of its bytes/s that a link has left.
    [[nodiscard]] double speed(Chip chip, int slot) const { return conditions_.link(torus_, chip, slot); }
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
    const std::vector<FairShare::Completion>& start(Time now, Chip chip, int slot, Bytes bytes);
    const std::vector<FairShare::Completion>& end(Time now, Chip chip, int slot);

  private:
    [[nodiscard]] std::size_t index(Chip chip, int slot) const {
        return static_cast<std::size_t>(chip * torus_.link_slots() + slot);
    }
    [[nodiscard]] Time by_chance(Chip chip, int slot, std::uint64_t step) const;
    void share_ring_of(const Link& dead, Bandwidth bandwidth, double held);

    const Torus& torus_;
    Conditions conditions_;
    std::uint64_t seed_;
    std::vector<FairShare> rings_;        ///< those with a dead link
    std::vector<std::int32_t> shared_by_; ///< by link: which of them; -1: none
};

} // namespace meshslice
