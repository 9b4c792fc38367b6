#pragma once

#include "core/base/result.h"
#include "core/cost/schedule.h"
#include "core/count/count.h"
#include "core/execute/chips.h"
#include "core/program/program.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace meshslice {

/// The comparison of an execution with the plain product of the same matrices.
struct Verification {
    bool correct = false;     ///< all that is said below, too
    bool as_counted = false;  ///< links, and DRAM where a GEMM feeds a collective, moved the bytes of count()
    double largest_error = 0; ///< of any element of C, absolute
    double tolerance = 0;     ///< 0 for integers; k eps times the largest sum of absolute products for floats
    std::vector<LinkTraffic> links;
    /// Of a program whose GEMM feeds a collective: all interleavings of chips and links gave the same numbers
    /// to the last bit, and every tile was counted out and sent once. What each fusion did, by the first, but
    /// most_live_entries of them all.
    std::vector<FusedStores> fused;
};
enum class Numbers : std::uint8_t { integers, floats };

/// Executes the program on matrices of pseudo-random numbers made from `seed` and compares. Where a GEMM
/// feeds a collective, once in each of all_interleavings, with a `fault` of its trackers if one is planted to
/// see that it is found; elsewhere that changes nothing. Refused when it is stopped, which it is within some
/// 10 ms.
[[nodiscard]] Result<Verification> verify(const Program& program, const Schedule& schedule, Numbers numbers,
                                          std::uint64_t seed, const std::stop_token& stop = {},
                                          TrackerFault fault = TrackerFault::none);

} // namespace meshslice
