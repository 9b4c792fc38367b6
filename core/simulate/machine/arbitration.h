#pragma once

#include "core/hardware/hardware.h"
#include "core/program/program.h"
#include "core/simulate/machine/fair_share.h"
#include "core/simulate/machine/plan.h"
#include "core/simulate/machine/wires.h"
#include "core/torus/torus.h"

#include <cstddef>
#include <cstdint>

namespace meshslice {

/// Whether the memory of a chip may ever be too narrow for its links: so narrow that a fair part of it, while
/// the core, the copies of every axis and all links want theirs, is less than a link carries.
[[nodiscard]] bool memory_holds_links(const Program& program, const Plans& plans, const Hardware& hardware);

/// What flows share whose rates only show while a program runs: physical links, where what dead links would
/// carry goes round, and memories, where they may hold links. A rate is in bytes/s, and fair means that no
/// two flows that are held in the same place differ in it; a transfer takes as much of a memory for each of
/// its bytes as it reads there (once, or twice where it is the sum of two), and once where it writes.
class Arbitration {
  public:
    /// `memories`: how many; 0 where they hold no links, so that transfers leave them out.
    Arbitration(const Program& program, const Wires& wires, std::size_t memories, Bandwidth memory);

    /// One link's transfer of `bytes`, named by its link (chip x link slots + slot). Below, `sender` and
    /// `receiver` are numbers of memories, `chip` the sender.
    void begin_transfer(Time now, std::uint32_t flow, Chip chip, int slot, Bytes bytes, Chip sender,
                        Chip receiver, std::int64_t reads);
    /// What a core or an axis does in a memory, which would take it `alone` with nobody else.
    void begin_job(Time now, std::uint32_t flow, Chip memory, Bytes bytes, Time alone);
    void end(std::uint32_t flow) { shares_.end(flow); }
    const std::vector<FairShare::Completion>& settle(Time now) { return shares_.settle(now); }

  private:
    const Wires* wires_;
    std::uint32_t links_; ///< resources before the memories
    bool by_memory_;
    FairShare shares_;
};

} // namespace meshslice
