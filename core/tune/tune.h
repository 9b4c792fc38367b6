#pragma once

#include "core/base/result.h"
#include "core/gemm/algorithms.h"
#include "core/hardware/hardware.h"
#include "core/model/transformer.h"
#include "core/program/schedule.h"

#include <stop_token>

namespace meshslice {

/// Phase 1 of the paper's autotuner (section 3.2.1): the largest of Y, X and W stays put; Y before X before W
/// where they are equal, so that nothing is transposed without need.
[[nodiscard]] Stationary largest_matrix_stays(const FullyConnectedLayer& layer);

/// Phase 2 for one product (section 3.2.2): the slice count with the shortest estimate, by exhaustive search
/// over all that work; the smallest among those that differ by less than the rounding of their parts.
/// Algorithms that do not slice get 1.
[[nodiscard]] Result<std::int64_t> best_slice_count(const Algorithm& algorithm, const GemmShape& shape,
                                                    Dataflow dataflow, const Torus& torus, std::int64_t block,
                                                    const Hardware& hardware, const Schedule& schedule,
                                                    std::stop_token stop = {});

} // namespace meshslice
