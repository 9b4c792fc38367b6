#include "core/simulate/record/interval_memory.h"

#include "core/simulate/record/memory_reserve.h"

#include <type_traits>
#include <utility>

namespace meshslice {
namespace {

// What is not constructed needs not be destroyed, and begins to live as soon as there is memory for it.
static_assert(std::is_aggregate_v<Interval> && std::is_trivially_destructible_v<Interval>);

std::pmr::memory_resource* resource_of(const std::shared_ptr<std::pmr::memory_resource>& from) {
    return from ? from.get() : huge_pages();
}

} // namespace

IntervalMemory::IntervalMemory(std::size_t intervals, std::shared_ptr<std::pmr::memory_resource> from)
    : from_(std::move(from))
    , size_(intervals)
    , block_(static_cast<Interval*>(
          resource_of(from_)->allocate(intervals * sizeof(Interval), alignof(Interval)))) {}

IntervalMemory::~IntervalMemory() {
    resource_of(from_)->deallocate(block_, size_ * sizeof(Interval), alignof(Interval));
}

std::span<Interval> IntervalMemory::take(std::size_t intervals) {
    std::size_t begin = taken_.load();
    do {
        if (intervals > size_ - begin) {
            return {};
        }
    } while (!taken_.compare_exchange_weak(begin, begin + intervals));
    return {block_ + begin, intervals};
}

} // namespace meshslice
