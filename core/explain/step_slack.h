#pragma once

#include "core/base/result.h"
#include "core/simulate/path/critical_path.h"
#include "core/step/run/step_run.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace meshslice {

/// How much longer what a step recorded could have taken, by GEMM; null where it has no timeline. GEMMs that
/// share a timeline share it.
struct StepSlack {
    std::vector<std::shared_ptr<const RunSlack>> gemms;
};

/// Refused where a GEMM's record cannot be looked into (see recorded_conditions), and when it is stopped.
[[nodiscard]] Result<StepSlack> step_slack(const StepRun& run, const std::stop_token& stop = {});

} // namespace meshslice
