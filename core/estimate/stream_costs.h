#pragma once

#include "core/cost/operation_cost.h"
#include "core/estimate/condensed.h"
#include "core/program/ring_schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace meshslice {

/// longest_cost() of the streams of programs on one torus, which a search asks for in every number of
/// packets. Along an axis streams differ in their steps and in the bytes of a packet alone, unless memory
/// takes part.
class StreamCosts {
  public:
    StreamCosts(const Machine& hardware, const Schedule& schedule)
        : hardware_(hardware), schedule_(schedule), in_memory_(takes_memory(schedule, hardware)) {}

    /// Cuts a stream into at most so many packets, as set_packets() does; what it then costs, until the next
    /// one is cut.
    [[nodiscard]] const OperationCost& cut(CondensedProgram& condensed, OperationId id, std::int64_t most);

    [[nodiscard]] const Machine& hardware() const { return hardware_; }
    [[nodiscard]] const Schedule& schedule() const { return schedule_; }

  private:
    /// What broadcasts along an axis have in common, or reductions.
    struct Common {
        OperationCost cost; ///< of the one that was cut last
        std::optional<Communication> moves;
        Bandwidth link;
        std::int64_t other_steps = 0; ///< than those of packets
        bool known = false;
    };
    [[nodiscard]] static bool takes_memory(const Schedule& schedule, const Machine& hardware) {
        return tiled(schedule, hardware) || staged(schedule, hardware);
    }

    const Machine& hardware_;
    const Schedule& schedule_;
    bool in_memory_;                              ///< whether a cost depends on more than that
    std::array<std::array<Common, 3>, 2> common_; ///< broadcasts and reductions, by axis
};

} // namespace meshslice
