#pragma once

#include "core/plan/evaluate/evaluate.h"

#include <cstdint>
#include <optional>

namespace meshslice {

/// A batch with which a plan that stays as it is keeps its chips busy.
struct LargerBatch {
    std::int64_t batch = 1;       ///< samples of a step
    double utilization = 0;       ///< with it
    double utilization_now = 0;   ///< with the run's
    double bubble = 0;            ///< share of a step that stages wait now to be filled and drained
    double chips_of_a_sample = 0; ///< now: so many chips share one sample

    bool operator==(const LargerBatch&) const = default;
};

/// The smallest of 2, 4, 8, ... times the run's batch with which the plan comes close to the utilization that
/// it has with any number of micro-batches. None where that is not much more than it has now. Of a plan that
/// PlanModel::check() lets through.
[[nodiscard]] std::optional<LargerBatch> batch_that_fills(const PlanModel& model, const Plan& plan);

} // namespace meshslice
