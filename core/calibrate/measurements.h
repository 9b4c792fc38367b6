#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One timed collective on a ring.
struct MeasuredCollective {
    std::int64_t line = 0; ///< of the file, from 1
    Collective operation = Collective::all_gather;
    std::int64_t chips = 2; ///< in the ring
    double bytes = 0;       ///< of the whole that is gathered or summed; of a SendRecv what one chip sends
    double seconds = 0;
};

/// One timed GEMM on one chip.
struct MeasuredGemm {
    std::int64_t line = 0;
    GemmShape shape;
    double seconds = 0;
};

/// Reads a CSV file with the columns operation (all_gather, reduce_scatter or send_receive), chips, bytes and
/// time, in any order. Bytes and times may carry a unit ("8 KiB", "13 us"); bare numbers are bytes and
/// seconds. Empty lines and lines that begin with "#" are skipped. Errors name the line.
[[nodiscard]] Result<std::vector<MeasuredCollective>> read_collectives(std::string_view csv,
                                                                       const std::string& origin);
/// The same with the columns M, N, K and time.
[[nodiscard]] Result<std::vector<MeasuredGemm>> read_gemms(std::string_view csv, const std::string& origin);

/// Every GEMM of a run is compared with all that were measured, so more than these are refused.
inline constexpr std::size_t most_measured_gemms = 20'000;

/// The same as a table for the hardware's own, with `origin` as its source. Refused where there are none or
/// too many, and where one is faster than the hardware's peak; errors name the line.
[[nodiscard]] Result<Sourced<std::vector<MeasuredProduct>>>
measured_products(const std::vector<MeasuredGemm>& gemms, const std::string& origin, const Machine& hardware);

} // namespace meshslice
