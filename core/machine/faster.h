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

/// The machine with this so many times as fast; latencies are so many times as short.
[[nodiscard]] Machine faster(Machine hardware, MachineRate rate, double times);
/// The same of the links of these axes of its torus.
[[nodiscard]] Machine with_faster_links(Machine hardware, const std::vector<int>& axes, double times);

} // namespace meshslice
