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
    /// More count as so many: a double holds them exactly.
    static constexpr std::int64_t most = std::int64_t{1} << 53;

    std::int64_t times = 1;
    bool trips_known = true;  ///< else it is in a loop without a known number of trips, which counts once
    bool conditional = false; ///< whether it is in a branch of a conditional: at most so often

    [[nodiscard]] bool known() const { return trips_known && !conditional && times < most; }
    /// So many more.
    void add(const HloTimes& more);
};

/// The loops of a program in the order of the text, and how often each of its computations runs: those in a
/// loop as often as its body, of loops within each other the product, and each branch of a conditional at
/// most as often as the conditional.
struct HloRepeats {
    std::vector<HloLoop> loops;
    std::vector<HloTimes> computations; ///< by computation of the module
};
[[nodiscard]] HloRepeats hlo_repeats(const HloModule& module);

} // namespace meshslice
