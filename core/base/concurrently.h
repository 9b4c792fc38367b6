#pragma once

#include <cstddef>
#include <functional>

namespace meshslice {

/// Calls `work` with 0, 1, ... count - 1, begun in this order, on `threads` threads (0: one per core), the
/// caller's one of them, and returns when all of them have ended. Once a call returns false no further one
/// begins; whether all returned true. What a call throws is thrown here, the first of several.
[[nodiscard]] bool for_each_concurrently(std::size_t count, unsigned threads,
                                         const std::function<bool(std::size_t)>& work);

} // namespace meshslice
