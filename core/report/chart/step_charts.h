#pragma once

#include "core/figure/chart.h"
#include "core/step/training_step.h"

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// What a click on a GEMM of a step selects in these charts, where no step has more GEMMs than `gemms`, which
/// is above 0.
[[nodiscard]] constexpr int chart_item(std::size_t step, std::size_t gemm, std::size_t gemms) {
    return static_cast<int>(step * gemms + gemm);
}

/// The step and the GEMM of an item.
[[nodiscard]] constexpr std::pair<std::size_t, std::size_t> of_chart_item(int item, std::size_t gemms) {
    const auto at = static_cast<std::size_t>(item);
    return {at / gemms, at % gemms};
}

/// Where the time of each GEMM goes, the steps next to each other: above the whole step, below its GEMMs.
/// Thick bars: time, thin ones: communication of both axes, hidden or not.
/// `shown`: which of the GEMMs, and in which order.
struct BreakdownRows {
    bool by_waiting = false; ///< those whose core waits longest come first; else in the order of the step
    std::size_t most = std::numeric_limits<std::size_t>::max();
};
[[nodiscard]] Chart breakdown_chart(const std::vector<TrainingStep>& steps, std::string finding,
                                    BreakdownRows shown = {});

/// What bounds each GEMM: the roofline of one chip and that of the links, with a mark per GEMM and step, and
/// a line from each compared GEMM to the first step's. `scenarios` has one for each step; roofs of a second
/// one that differ are dashed.
[[nodiscard]] Chart roofline_chart(const std::vector<TrainingStep>& steps,
                                   const std::vector<const Scenario*>& scenarios, std::string finding);
/// The same of steps of one scenario.
[[nodiscard]] Chart roofline_chart(const std::vector<TrainingStep>& steps, const Scenario& scenario,
                                   std::string finding);

} // namespace meshslice
