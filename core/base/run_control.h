#pragma once

#include <atomic>
#include <memory>
#include <memory_resource>
#include <stop_token>

namespace meshslice {

/// How the caller of a long computation watches and stops it, and where it puts much of what it answers. All
/// are optional.
struct RunControl {
    std::stop_token stop;                    ///< asked for often enough to answer within 10 ms
    std::atomic<double>* progress = nullptr; ///< set to the share done, 0 to 1
    /// For what a simulation records, to be used from any thread for as long as there is a timeline of it;
    /// none: huge_pages().
    std::shared_ptr<std::pmr::memory_resource> memory = nullptr;
};

} // namespace meshslice
