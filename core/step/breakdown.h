#pragma once

#include "core/figure/table.h"
#include "core/step/training_step.h"

#include <string>
#include <vector>

namespace meshslice {

/// Where the time of one GEMM (or of the whole block) goes on one chip (paper, Figure 10): communication by
/// cause, overlapped or not, next to the multiplication, and how much of it is exposed.
struct BreakdownRow {
    std::string algorithm; ///< id
    std::string variant;   ///< the step's, where it has one
    std::string title;     ///< "FF1 forward"; "one block" for the sum
    bool total = false;
    std::int64_t slices = 0; ///< 0 in the sum
    Time time;
    Usage usage;
};

[[nodiscard]] std::vector<BreakdownRow> breakdown(const std::vector<TrainingStep>& steps);
[[nodiscard]] Table table(const std::vector<BreakdownRow>& rows);

/// One row per GEMM: layer, pass, dataflow, shape, slices, simulated and estimated time, and the
/// breakdown.
[[nodiscard]] Table gemm_table(const TrainingStep& step);

} // namespace meshslice
