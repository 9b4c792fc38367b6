#pragma once

#include "core/base/result.h"
#include "core/calibrate/measurements.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Whether a text is what the programs of nccl-tests print: lines of sizes under a line that begins with "#"
/// and has "busbw".
[[nodiscard]] bool is_nccl_log(std::string_view text);

/// The times of its rows, those that were not measured in place. The log says the operation ("Collective test
/// starting: all_reduce_perf") and the number of ranks ("Rank 7", or else nThread x nGpus); sizes are of the
/// whole that is gathered or summed, and of an all-to-all of what one rank sends, in bytes, and times in
/// microseconds (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md). Errors name the line.
[[nodiscard]] Result<std::vector<MeasuredCollective>> read_nccl_log(std::string_view text,
                                                                    const std::string& origin);

} // namespace meshslice
