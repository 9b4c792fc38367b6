#pragma once

#include "core/base/result.h"
#include "core/calibrate/measurements.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Whether a text is what the programs of nccl-tests print: lines of sizes under a line that begins with "#"
/// and has "busbw".
[[nodiscard]] bool is_nccl_log(std::string_view text);

/// A size at which results are wrong.
struct WrongNcclRow {
    std::int64_t line = 0; ///< of the log, from 1
    double bytes = 0;
};

/// "2048 B (line 9), 4096 B (line 10)", of so many as a sentence holds, as the log writes sizes.
[[nodiscard]] std::string wrong_nccl_rows(const std::vector<WrongNcclRow>& wrong);

/// What such a log measured.
struct NcclLog {
    std::vector<MeasuredCollective> rows; ///< whose results are right
    std::vector<WrongNcclRow> wrong;      ///< with a "#wrong" above 0, which are not among them
};

/// The times of its rows, those that were not measured in place. The log says the operation ("Collective test
/// starting: all_reduce_perf"), or else `operation` does, and the number of ranks ("Rank 7", or else nThread
/// x nGpus); sizes are of the whole that is gathered or summed, and of an all-to-all of what one rank sends,
/// in bytes, and times in microseconds (github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md). Lines may begin as
/// mpirun --tag-output marks them, "[1,0]<stdout>:". Refuses a log of several runs, one without a row whose
/// results are right, and one that counts values out of bounds without saying at which sizes; errors name the
/// line.
[[nodiscard]] Result<NcclLog> read_nccl_log(std::string_view text, const std::string& origin,
                                            std::optional<Collective> operation = {});

} // namespace meshslice
