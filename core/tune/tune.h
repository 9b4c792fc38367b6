#pragma once

#include "core/base/result.h"
#include "core/gemm/algorithms.h"
#include "core/hardware/hardware.h"
#include "core/model/transformer.h"
#include "core/program/schedule.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace meshslice {

/// Phase 1 of the paper's autotuner (section 3.2.1): the largest of Y, X and W stays put; Y before X before W
/// where they are equal, so that nothing is transposed without need.
[[nodiscard]] Stationary largest_matrix_stays(const FullyConnectedLayer& layer);

/// Phase 2 for one product (section 3.2.2): the options with the shortest estimate, by exhaustive search over
/// all that work: slice counts, where `slices` leaves them open, packets of streams (powers of two up to 256)
/// where `given` leaves them at 0, and the axis to decompose where it leaves that open. Among those that
/// differ by less than the rounding of their parts, the first: the smallest numbers. Given slices are taken
/// as they are, but for algorithms that unroll: there the largest count up to them that works.
[[nodiscard]] Result<GemmOptions> best_options(const Algorithm& algorithm, const GemmShape& shape,
                                               Dataflow dataflow, const Torus& torus,
                                               const GemmOptions& given, std::optional<std::int64_t> slices,
                                               const Hardware& hardware, const Schedule& schedule,
                                               std::stop_token stop = {});

} // namespace meshslice
