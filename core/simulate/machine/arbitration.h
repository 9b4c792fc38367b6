#pragma once

#include "core/machine/machine.h"
#include "core/program/program.h"
#include "core/simulate/machine/fair_share.h"
#include "core/simulate/machine/plan.h"
#include "core/simulate/machine/wires.h"
#include "core/torus/torus.h"

#include <cstddef>
#include <cstdint>

namespace meshslice {

/// Whether the memory of a chip may ever hold its links back: whether a fair part of it, while the core, the
/// copies of every axis and all links use it, is less than a link carries.
[[nodiscard]] bool memory_holds_links(const Program& program, const Plans& plans, const Machine& hardware);

/// Shares the resources of flows whose rates show only while a program runs: physical links, where the
/// traffic of dead links goes round, and memories, where they may hold links back. Rates are in bytes/s, and
/// fair means that all flows held back in the same place have the same rate; a transfer takes as much of a
/// memory for each of its bytes as it reads there (once, or twice where it is the sum of two), and once where
/// it writes.
class Arbitration {
  public:
    /// `memories`: how many; 0 where they never hold links back, so that transfers leave them out.
    Arbitration(const Program& program, const Wires& wires, std::size_t memories, Bandwidth memory);

    /// One link's transfer of `bytes`, named by its link (chip x link slots + slot). Below, `sender` and
    /// `receiver` are numbers of memories, `chip` the sender.
    void begin_transfer(Time now, std::uint32_t flow, Chip chip, int slot, Bytes bytes, Chip sender,
                        Chip receiver, std::int64_t reads);
    /// What a core or an axis moves in a memory; it would take `alone` if nothing else used the memory.
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
