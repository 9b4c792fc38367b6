#pragma once

#include "core/base/result.h"

#include <functional>
#include <ostream>
#include <string>

namespace meshslice {

/// Writes a file whole or not at all: beside its place first, then renamed, so that a failure leaves what was
/// there. What is neither a file nor absent (a pipe, /dev/stdout) is written to as it is.
[[nodiscard]] Result<void> write_file(const std::string& path,
                                      const std::function<void(std::ostream&)>& write);

} // namespace meshslice
