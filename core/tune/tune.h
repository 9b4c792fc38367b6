#pragma once

#include "core/base/result.h"
#include "core/cost/schedule.h"
#include "core/count/count.h"
#include "core/estimate/estimate.h"
#include "core/gemm/algorithms.h"
#include "core/machine/machine.h"
#include "core/work/layers.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace meshslice {

/// Phase 1 of the paper's autotuner (section 3.2.1): the largest of Y, X and W stays put; Y before X before W
/// where they are equal, so that nothing is transposed without need.
[[nodiscard]] Stationary largest_matrix_stays(const FullyConnectedLayer& layer);

/// What the search found for one GEMM.
struct TunedGemm {
    GemmOptions options;
    Estimate estimate; ///< with these options
    Memory memory;     ///< of one chip

    bool operator==(const TunedGemm&) const = default;
};

/// What fewer slices may take, where the fastest ones take so long: 1% more, which is less than the closed
/// form is sure of. Along such a flat optimum every further slice costs launches, and a memory that is busier
/// than the closed form has it, for nothing.
[[nodiscard]] Time most_with_fewer_slices(Time fastest);

/// How the autotuner compares two options: every part of every slice is rounded to a picosecond, so options
/// that differ by less than a picosecond a slice are equals, and of equals the first is taken. In numbers: of
/// all options i, in the order of the axis to decompose, S and packets, the first whose time is not above
/// `time(j) + S(j)` picoseconds for any j.
///
/// Phase 2 for one GEMM (section 3.2.2): the options with the shortest estimate, by exhaustive search over
/// all that work: slice counts, where `slices` leaves them open, packets of streams (powers of two up to 256)
/// where `given` leaves them at 0, and the axis to decompose where it leaves that open. Where slices are
/// open, it is the fewest with which the GEMM takes at most most_with_fewer_slices(), with the packets and
/// the axis that are fastest with them. Given slices are taken as they are, except by algorithms that unroll:
/// there the largest count up to them that works. Options whose busiest engine alone is at work for longer
/// than the best time found are passed over; that never changes the answer. Refused where every option could
/// take longer than a day.
[[nodiscard]] Result<TunedGemm> tune(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                     const Torus& torus, const GemmOptions& given,
                                     std::optional<std::int64_t> slices, const Machine& hardware,
                                     const Schedule& schedule, std::stop_token stop = {});

/// The options of tune(); the first that work where every one could take longer than a day.
[[nodiscard]] Result<GemmOptions> best_options(const Algorithm& algorithm, const GemmShape& shape,
                                               Dataflow dataflow, const Torus& torus,
                                               const GemmOptions& given, std::optional<std::int64_t> slices,
                                               const Machine& hardware, const Schedule& schedule,
                                               std::stop_token stop = {});

} // namespace meshslice
