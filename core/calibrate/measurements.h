#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One timed collective on a ring.
struct MeasuredCollective {
    std::int64_t line = 0; ///< of the file, from 1
    Collective operation = Collective::all_gather;
    std::int64_t chips = 2; ///< in the ring
    /// Of the whole that is gathered or summed; of a SendRecv and an all-to-all what one chip sends.
    double bytes = 0;
    double seconds = 0;
    std::optional<int> axis = {}; ///< of the torus, 0 is X; none: not said
};

/// One timed GEMM on one chip.
struct MeasuredGemm {
    std::int64_t line = 0;
    GemmShape shape;
    double seconds = 0;
};

/// Reads a CSV file with the columns operation (all_gather, reduce_scatter, all_reduce or send_receive),
/// chips, bytes and time, in any order, and axis (X, Y, Z) where the axes of a torus were measured apart.
/// Times carry a unit, each or all in the column's name ("13 us", "time_us"); bytes may. Also reads what
/// nccl-tests print (see read_nccl_log) and the tables that JAX's micro-benchmarks of collectives write
/// (github.com/AI-Hypercomputer/accelerator-microbenchmarks: op_type, rank, input_num_elements, dtype_bytes
/// and step_time_ms_p50, their median). Empty lines and lines that begin with "#" are skipped. Errors name
/// the line.
[[nodiscard]] Result<std::vector<MeasuredCollective>> read_collectives(std::string_view csv,
                                                                       const std::string& origin);
/// The same with the columns M, N, K and time; of JAX's micro-benchmarks with step_time_ms_p50 for it.
[[nodiscard]] Result<std::vector<MeasuredGemm>> read_gemms(std::string_view csv, const std::string& origin);

/// Every GEMM of a run is compared with all that were measured, so more than these are refused.
inline constexpr std::size_t most_measured_gemms = 20'000;

/// The same as a table for the hardware's own, with `origin` as its source. Refused where there are none or
/// too many, and where one is faster than the hardware's peak; errors name the line.
[[nodiscard]] Result<Sourced<std::vector<MeasuredProduct>>>
measured_products(const std::vector<MeasuredGemm>& gemms, const std::string& origin, const Machine& hardware);

} // namespace meshslice
