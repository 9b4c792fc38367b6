#pragma once

#include "core/question/sweep.h"

#include <string>

namespace meshslice {

/// How questions about work on a machine are swept. Their numbers have "time_s", "flop_utilization", "flop"
/// of the work, "memory_bytes" of a chip, the "hbm_bytes" that it has, and whether it "fits". `when` says how
/// they were found: ", by estimate".
[[nodiscard]] SweptQuestion timed_points(const std::string& when = {});

/// A text of the numbers, in words and in a window's table.
void add_words_column(SweptQuestion& shown, const char* path);

} // namespace meshslice
