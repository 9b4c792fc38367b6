#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace meshslice {

/// Memory for the intervals of a run: up to gigabytes, written in as many places at a time as there are cores
/// and links. It is asked for in huge pages, so that all those places are within reach of the processor's
/// translation buffer, and it is not cleared first: the run writes every interval, and checks that it has.
template <class T>
class IntervalMemory {
  public:
    using value_type = T;

    IntervalMemory() = default;
    template <class Other>
    explicit IntervalMemory(const IntervalMemory<Other>&) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < huge_page) {
            return std::allocator<T>().allocate(count);
        }
        void* const memory = ::operator new (bytes, std::align_val_t{huge_page});
#ifdef __linux__
        // A wish; where it is not granted, the run is slower and nothing else.
        (void)::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }

    void deallocate(T* memory, std::size_t count) {
        if (count * sizeof(T) < huge_page) {
            std::allocator<T>().deallocate(memory, count);
        } else {
            ::operator delete (memory, std::align_val_t{huge_page});
        }
    }

    /// Elements that no value is given for stay as the memory is.
    template <class Element>
    void construct(Element*) {}
    template <class Element, class... Arguments>
    void construct(Element* place, Arguments&&... arguments) {
        std::construct_at(place, std::forward<Arguments>(arguments)...);
    }

    bool operator==(const IntervalMemory&) const = default;

  private:
    static constexpr std::size_t huge_page = std::size_t{2} << 20; ///< bytes, of x86-64 and of arm64
};

} // namespace meshslice
