#pragma once

#include "core/plan/evaluate/evaluate.h"

#include <cstddef>
#include <vector>

namespace meshslice {

/// What a level of the network carries in a step for the chip that sends or gets most across it; bytes.
struct ExpertLevel {
    std::size_t level = 0; ///< of the network, from the inside out
    double dispatch = 0, combine = 0;

    bool operator==(const ExpertLevel&) const = default;
};

/// What the experts' exchange of a plan comes to.
struct ExpertTraffic {
    std::vector<ExpertLevel> levels; ///< those that the group spans
    ExpertOverlap overlap = ExpertOverlap::none;
    double domains_of_token = 1; ///< units of the innermost level that have an expert of a token, on average
    double chips_of_token = 1;
    double work = 1;    ///< tokens of the fullest chip's experts over those of the mean chip
    double whole = 0;   ///< seconds of dispatch and combine in a step, were nothing hidden
    double exposed = 0; ///< those that a step has

    bool operator==(const ExpertTraffic&) const = default;
};
/// Of a plan that PlanModel::check() lets through; without levels where no chips share experts.
[[nodiscard]] ExpertTraffic expert_traffic(const PlanModel& model, const Plan& plan);

} // namespace meshslice
