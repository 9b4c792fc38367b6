#pragma once

#include "core/import/hlo/hlo_module.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// A while of a program, and how often its body runs each time that the while is reached.
struct HloLoop {
    const HloLine* line = nullptr;
    std::optional<std::int64_t> trips; ///< none: the text does not say it
    bool written = false;              ///< by XLA, known_trip_count; else it follows from the condition
};

/// How often a computation runs while the program runs once.
struct HloTimes {
    std::int64_t times = 1;
    bool known = true; ///< else it is in a loop without a known number of trips, which counts once
};

/// The loops of a program in the order of the text, and how often each of its computations runs: those in a
/// loop as often as its body, of loops within each other the product, and each branch of a conditional as
/// often as the conditional.
struct HloRepeats {
    std::vector<HloLoop> loops;
    std::vector<HloTimes> computations; ///< by computation of the module
};
[[nodiscard]] HloRepeats hlo_repeats(const HloModule& module);

} // namespace meshslice
