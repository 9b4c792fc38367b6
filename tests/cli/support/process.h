#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace meshslice::test {

/// How a program ended, and all it wrote.
struct Finished {
    int exit_code = -1;     ///< -1: it did not end by itself
    int signal = 0;         ///< that ended it; 0 for none
    bool timed_out = false; ///< it was killed because it ran for too long
    std::string out;
    std::string err;
};

/// Runs `command` (a path, then arguments, passed as they are: no shell) with an empty standard input, and
/// waits for its end; kills it after `limit`. Throws std::system_error where no process can be started.
[[nodiscard]] Finished run_process(const std::vector<std::string>& command,
                                   std::chrono::milliseconds limit = std::chrono::seconds(120));

} // namespace meshslice::test
