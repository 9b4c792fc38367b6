#pragma once

#include "core/simulate/record/interval.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>

namespace meshslice {

/// Memory for what one or several runs record: up to gigabytes, written in as many places at a time as there
/// are cores and links. It is one block, and it is not cleared first: a run writes every interval, and checks
/// that it has. Shared by the timelines whose intervals it holds: any one of them keeps all of it.
class IntervalMemory {
  public:
    /// `from`: where the memory comes from; none: huge_pages(). Throws std::bad_alloc where there is no more.
    explicit IntervalMemory(std::size_t intervals, std::shared_ptr<std::pmr::memory_resource> from = nullptr);
    ~IntervalMemory();
    IntervalMemory(const IntervalMemory&) = delete;
    IntervalMemory& operator=(const IntervalMemory&) = delete;

    /// A part that no other call has got; empty where fewer are left. From any thread.
    [[nodiscard]] std::span<Interval> take(std::size_t intervals);

  private:
    std::shared_ptr<std::pmr::memory_resource> from_;
    std::size_t size_;
    std::atomic<std::size_t> taken_ = 0;
    Interval* block_;
};

} // namespace meshslice
