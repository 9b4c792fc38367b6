#include "core/simulate/interval_memory.h"

#include <new>
#include <type_traits>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace meshslice {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20; ///< bytes, of x86-64 and of arm64

// What is not constructed needs not be destroyed, and begins to live as soon as there is memory for it.
static_assert(std::is_aggregate_v<Interval> && std::is_trivially_destructible_v<Interval>);

void* allocate(std::size_t bytes) {
    if (bytes < huge_page / 2) {
        return ::operator new(bytes);
    }
    // To the end of the last huge page: the rest of it would come in hundreds of small ones.
    const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
    void* const memory = ::operator new (whole, std::align_val_t{huge_page});
#ifdef __linux__
    // A wish; where it is not granted, the run is slower and nothing else.
    (void)::madvise(memory, whole, MADV_HUGEPAGE);
#endif
    return memory;
}

void release(void* memory, std::size_t bytes) {
    if (bytes < huge_page / 2) {
        ::operator delete(memory);
    } else {
        ::operator delete (memory, std::align_val_t{huge_page});
    }
}

} // namespace

IntervalMemory::IntervalMemory(std::size_t intervals)
    : size_(intervals), block_(static_cast<Interval*>(allocate(intervals * sizeof(Interval)))) {}

IntervalMemory::~IntervalMemory() {
    release(block_, size_ * sizeof(Interval));
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
