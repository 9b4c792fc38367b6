#pragma once

#include "core/gemm/algorithms.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <cstdint>
#include <optional>

namespace meshslice {

/// What cutting a GEMM into slices costs one chip's core: every slice has a launch of its own, and thin GEMMs
/// run at a lower rate (see OperationCost and TiledProduct). Both times are of one copy, launches included,
/// with the HBM to the core alone, so that what links take of it is not counted here.
struct SlicingCost {
    std::int64_t slices = 1;
    Time sliced; ///< all multiplications of one chip
    Time whole;  ///< the same in one slice

    [[nodiscard]] Time cost() const { return sliced - whole; }
    bool operator==(const SlicingCost&) const = default;
};

/// Of a GEMM of a training_step() of the scenario. None where the algorithm does not slice, where it cannot
/// run in one slice, or where slices cost nothing.
[[nodiscard]] std::optional<SlicingCost> slicing_cost(const GemmResult& result, const Scenario& scenario,
                                                      const Algorithm& algorithm);

/// The cost of slicing all GEMMs of a step, with their copies.
[[nodiscard]] Time slicing_cost(const TrainingStep& step, const Scenario& scenario);

} // namespace meshslice
