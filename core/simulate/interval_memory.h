#pragma once

#include "core/simulate/interval.h"

#include <atomic>
#include <cstddef>
#include <span>

namespace meshslice {

/// Memory for what one or several runs record: up to gigabytes, written in as many places at a time as there
/// are cores and links. It is one block in huge pages, which come from the system in a few requests and keep
/// all those places within reach of the processor's translation buffer, and it is not cleared first: a run
/// writes every interval, and checks that it has. Shared by the timelines whose intervals it holds.
class IntervalMemory {
  public:
    explicit IntervalMemory(std::size_t intervals);
    ~IntervalMemory();
    IntervalMemory(const IntervalMemory&) = delete;
    IntervalMemory& operator=(const IntervalMemory&) = delete;

    /// A part that nobody else has; empty where fewer are left. From any thread.
    [[nodiscard]] std::span<Interval> take(std::size_t intervals);

  private:
    std::size_t size_;
    std::atomic<std::size_t> taken_ = 0;
    Interval* block_;
};

} // namespace meshslice
