#pragma once

#include "core/base/result.h"
#include "core/step/training_step.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// Which chips a trace holds.
struct TraceChips {
    enum class Which : std::uint8_t {
        all,
        alike, ///< one of each class of chips that live through the whole step alike
        listed
    };
    /// From the first to the last along one axis; both are in it.
    using Stretch = std::pair<std::int32_t, std::int32_t>;

    Which which = Which::all;
    std::vector<std::vector<Stretch>> listed{}; ///< boxes of chips: a stretch for each axis

    bool operator==(const TraceChips&) const = default;
};

/// Reads "all"; "alike"; or chips by their coordinates, with stretches and with * for a whole axis: "0,0
/// 0,1", "0..3,0", "*,0".
[[nodiscard]] Result<TraceChips> parse_trace_chips(const std::string& words);
/// What is read, for help and tips.
[[nodiscard]] std::string trace_chips_help();

/// The chips of a step that was simulated, ascending. Refused where one that is listed is not on its mesh.
[[nodiscard]] Result<std::vector<Chip>> traced_chips(const TraceChips& chips, const TrainingStep& step);

} // namespace meshslice
