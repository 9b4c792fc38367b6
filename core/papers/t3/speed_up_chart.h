#pragma once

#include "core/papers/t3/tensor_cases.h"

namespace meshslice {

/// Speed-ups over one after the other of T3, T3 with communication-aware arbitration, and the two ideals, as
/// geometric means.
struct MeanSpeedUps {
    double t3 = 0, t3_mca = 0, ideal = 0, ideal_near_memory = 0;
};
[[nodiscard]] MeanSpeedUps mean_speed_ups(const std::vector<CaseTimes>& cases);

/// A panel for each model: its cases, and the four speed-ups of each.
[[nodiscard]] std::vector<ChartPanel> speed_up_panels(const std::vector<CaseTimes>& cases);
/// Times in seconds, a row per case.
[[nodiscard]] Table speed_up_table(const std::vector<CaseTimes>& cases);

} // namespace meshslice
