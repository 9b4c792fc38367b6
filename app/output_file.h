#pragma once

#include "core/base/result.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace meshslice {

/// Writes a file whole or not at all: under another name first, then renamed, so that a failure or an
/// interruption leaves what was there, and nothing else. What is neither a file nor absent (a pipe,
/// /dev/stdout) is written to as it is.
[[nodiscard]] Result<void> write_file(const std::string& path,
                                      const std::function<void(std::ostream&)>& write);

/// Refuses where a command would write over a file that it reads, or twice to the same place. Empty names and
/// devices are passed over.
[[nodiscard]] Result<void> keeps_what_is_read(const std::vector<std::string>& read,
                                              const std::vector<std::string>& written);

} // namespace meshslice
