#include "core/base/memory_reserve.h"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace meshslice {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20; ///< bytes, of x86-64 and of arm64
constexpr std::size_t page = 4096;                      ///< bytes, the least that any system hands over

/// Less is not worth a huge page of its own.
constexpr bool small(std::size_t bytes) {
    return bytes < huge_page / 2;
}

/// To the end of the last huge page: the rest of it would come in hundreds of small ones.
constexpr std::size_t whole_pages(std::size_t bytes) {
    return (bytes + huge_page - 1) / huge_page * huge_page;
}

class HugePages : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        if (small(bytes)) {
            return ::operator new (bytes, std::align_val_t{alignment});
        }
        void* const memory = ::operator new (whole_pages(bytes), std::align_val_t{huge_page});
#ifdef __linux__
        // A wish; where it is not granted, memory is slower and nothing else.
        (void)::madvise(memory, whole_pages(bytes), MADV_HUGEPAGE);
#endif
        return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        ::operator delete (memory, std::align_val_t{small(bytes) ? alignment : huge_page});
    }
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }
};

} // namespace

std::pmr::memory_resource* huge_pages() {
    static HugePages resource;
    return &resource;
}

MemoryReserve::~MemoryReserve() {
    for (const Block& block : kept_) {
        huge_pages()->deallocate(block.memory, block.bytes);
    }
}

/// The smallest kept block that is large enough and not twice as large as asked for; none where there is
/// none.
MemoryReserve::Block MemoryReserve::take_kept(std::size_t bytes) {
    auto best = kept_.end();
    for (auto block = kept_.begin(); block != kept_.end(); ++block) {
        if (block->bytes >= bytes && block->bytes <= 2 * whole_pages(bytes) &&
            (best == kept_.end() || block->bytes < best->bytes)) {
            best = block;
        }
    }
    if (best == kept_.end()) {
        return {};
    }
    const Block taken = *best;
    kept_.erase(best);
    kept_bytes_ -= taken.bytes;
    return taken;
}

/// As one that is nobody's; the oldest go where that makes too many.
void MemoryReserve::keep(const Block& block) {
    kept_.push_back(block);
    kept_bytes_ += block.bytes;
    while (kept_bytes_ > most_kept_) {
        huge_pages()->deallocate(kept_.front().memory, kept_.front().bytes);
        kept_bytes_ -= kept_.front().bytes;
        kept_.erase(kept_.begin());
    }
}

void* MemoryReserve::do_allocate(std::size_t bytes, std::size_t alignment) {
    if (small(bytes)) {
        return huge_pages()->allocate(bytes, alignment);
    }
    const std::lock_guard lock(mutex_);
    Block block = take_kept(bytes);
    if (block.memory == nullptr) {
        block = {huge_pages()->allocate(whole_pages(bytes)), whole_pages(bytes)};
    }
    lent_.emplace(block.memory, block.bytes);
    return block.memory;
}

void MemoryReserve::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
    if (small(bytes)) {
        huge_pages()->deallocate(memory, bytes, alignment);
        return;
    }
    const std::lock_guard lock(mutex_);
    const auto lent = lent_.extract(memory);
    keep({memory, lent.mapped()});
}

void MemoryReserve::make_ready(const std::vector<std::size_t>& blocks, const std::stop_token& stop) {
    std::vector<Block> ready;
    std::size_t all = 0; // bytes
    for (const std::size_t bytes : blocks) {
        if (small(bytes)) {
            continue;
        }
        all += whole_pages(bytes);
        if (all > most_kept_ || stop.stop_requested()) {
            break;
        }
        {
            const std::lock_guard lock(mutex_);
            if (const Block kept = take_kept(bytes); kept.memory != nullptr) {
                ready.push_back(kept);
                continue;
            }
        }
        try {
            ready.push_back({huge_pages()->allocate(whole_pages(bytes)), whole_pages(bytes)});
        } catch (const std::bad_alloc&) {
            break; // Whoever needs it will say so.
        }
        for (std::size_t at = 0; at < ready.back().bytes && !stop.stop_requested(); at += page) {
            static_cast<volatile std::byte*>(ready.back().memory)[at] = std::byte{0};
        }
    }
    const std::lock_guard lock(mutex_);
    for (const Block& block : ready) {
        keep(block);
    }
}

std::size_t MemoryReserve::kept() const {
    const std::lock_guard lock(mutex_);
    return kept_bytes_;
}

} // namespace meshslice
