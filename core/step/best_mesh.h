#pragma once

#include "core/step/training_step.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// The slice counts of a step's GEMMs, in order: to these another algorithm's loops may be unrolled.
[[nodiscard]] std::vector<std::int64_t> slice_counts(const TrainingStep& step);

/// The estimated_step() on the best of the meshes of `chips` chips that the hardware's links can make
/// (section 4.2: every algorithm on its own best mesh); the tallest of those that are equally fast. Refused,
/// with the first mesh's objection, where no mesh works.
[[nodiscard]] Result<TrainingStep> on_best_mesh(const Scenario& scenario, const std::string& algorithm,
                                                std::int32_t chips,
                                                const std::vector<std::int64_t>& unroll = {},
                                                const std::stop_token& stop = {});

} // namespace meshslice
