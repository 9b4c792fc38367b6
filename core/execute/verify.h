#pragma once

#include "core/base/result.h"
#include "core/cost/schedule.h"
#include "core/count/count.h"
#include "core/program/program.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace meshslice {

/// The comparison of an execution with the plain product of the same matrices.
struct Verification {
    bool correct = false;
    double largest_error = 0; ///< of any element of C, absolute
    double tolerance = 0;     ///< 0 for integers; k eps times the largest sum of absolute products for floats
    std::vector<LinkTraffic> links;
};
enum class Numbers : std::uint8_t { integers, floats };

/// Executes the program on matrices of pseudo-random numbers made from `seed` and compares.
/// Refused when it is stopped, which it is within some 10 ms.
[[nodiscard]] Result<Verification> verify(const Program& program, const Schedule& schedule, Numbers numbers,
                                          std::uint64_t seed, const std::stop_token& stop = {});

} // namespace meshslice
