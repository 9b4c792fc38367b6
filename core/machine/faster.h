#pragma once

#include "core/machine/machine.h"

#include <array>
#include <cstdint>
#include <vector>

namespace meshslice {

/// What of a machine could be faster, each alone: the question "what if this were twice as fast".
enum class MachineRate : std::uint8_t {
    compute, ///< multiplications, measured ones too, and vector operations
    memory,
    latency, ///< of launches, synchronizations and steps through switches
    links,   ///< of a torus, all axes
    domains, ///< switches that join so many
    network  ///< switches that join any number
};
inline constexpr std::array all_machine_rates = {MachineRate::compute, MachineRate::memory,
                                                 MachineRate::latency, MachineRate::links,
                                                 MachineRate::domains, MachineRate::network};

/// How the numbers of a machine stand to those of another, all of both: of the chip, and of each level of its
/// network.
enum class MachineAgainst : std::uint8_t {
    same,
    no_faster, ///< some differ, and each of these is slower
    no_slower,
    /// Some are faster and others slower, or one differs of which more is neither always faster nor always
    /// slower: the chips of a domain, the rows of a systolic array, a rate that only one of them knows.
    either
};
[[nodiscard]] MachineAgainst against(const Machine& machine, const Machine& other);

/// The machine with this so many times as fast; latencies are so many times as short.
[[nodiscard]] Machine faster(Machine hardware, MachineRate rate, double times);
/// The same of the links of these axes of its torus.
[[nodiscard]] Machine with_faster_links(Machine hardware, const std::vector<int>& axes, double times);

} // namespace meshslice
