#pragma once

#include <atomic>
#include <stop_token>

namespace meshslice {

/// How the caller of a long computation watches and stops it. Both are optional.
struct RunControl {
    std::stop_token stop;                    ///< asked for often enough to answer within 10 ms
    std::atomic<double>* progress = nullptr; ///< set to the share done, 0 to 1
};

} // namespace meshslice
