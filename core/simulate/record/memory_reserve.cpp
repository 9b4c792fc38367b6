#include "core/simulate/record/memory_reserve.h"

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
        // Only a hint; without huge pages memory is slower, nothing else.
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
    // Without state, and never destroyed: a thread that outlives main() may still give memory back.
    static HugePages& resource = *new HugePages;
    return &resource;
}

MemoryReserve::~MemoryReserve() {
    give_oldest_back_above(0);
}

/// To the system, until no more than so many bytes are kept.
void MemoryReserve::give_oldest_back_above(std::size_t most) {
    auto block = kept_.begin();
    for (; kept_bytes_ > most; ++block) {
        huge_pages()->deallocate(block->memory, block->bytes);
        kept_bytes_ -= block->bytes;
    }
    kept_.erase(kept_.begin(), block);
}

/// The smallest kept block that is large enough and wastes no more than it serves, if there is one.
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

/// Not small.
MemoryReserve::Block MemoryReserve::lend(std::size_t bytes) {
    lent_.reserve(lent_.size() + 1);
    kept_.reserve(kept_.size() + lent_.size() + 1);
    Block block = take_kept(bytes);
    if (block.memory == nullptr) {
        if (whole_pages(bytes) > most_kept_) {
            give_oldest_back_above(0); // It takes enough by itself.
        }
        try {
            block = {huge_pages()->allocate(whole_pages(bytes)), whole_pages(bytes)};
        } catch (const std::bad_alloc&) {
            give_oldest_back_above(0);
            block = {huge_pages()->allocate(whole_pages(bytes)), whole_pages(bytes)};
        }
    }
    lent_.push_back(block);
    return block;
}

void* MemoryReserve::do_allocate(std::size_t bytes, std::size_t alignment) {
    if (small(bytes)) {
        return huge_pages()->allocate(bytes, alignment);
    }
    const std::lock_guard lock(mutex_);
    return lend(bytes).memory;
}

void MemoryReserve::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
    if (small(bytes)) {
        huge_pages()->deallocate(memory, bytes, alignment);
        return;
    }
    const std::lock_guard lock(mutex_);
    const auto lent = std::ranges::find(lent_, memory, &Block::memory);
    const Block block = *lent;
    lent_.erase(lent);
    if (block.bytes > most_kept_) {
        huge_pages()->deallocate(block.memory, block.bytes);
        return;
    }
    give_oldest_back_above(most_kept_ - block.bytes);
    kept_.push_back(block);
    kept_bytes_ += block.bytes;
}

void MemoryReserve::make_ready(const std::vector<std::size_t>& blocks, const std::stop_token& stop) noexcept {
    std::vector<Block> ready;
    try {
        ready.reserve(blocks.size());
        std::size_t all = 0; // bytes
        for (const std::size_t bytes : blocks) {
            if (small(bytes)) {
                continue;
            }
            if (all + whole_pages(bytes) > most_kept_ || stop.stop_requested()) {
                break;
            }
            {
                const std::lock_guard lock(mutex_);
                ready.push_back(lend(bytes));
            }
            const Block& block = ready.back();
            all += block.bytes;
            if (all > most_kept_) { // A larger block that was kept: it would drive the others out.
                break;
            }
            // Also of one that was lent before: perhaps not all of it was used.
            for (std::size_t at = 0; at < block.bytes && !stop.stop_requested(); at += page) {
                static_cast<volatile std::byte*>(block.memory)[at] = std::byte{0};
            }
        }
    } catch (const std::bad_alloc&) { // The run that needs it will report that.
    }
    for (const Block& block : ready) {
        deallocate(block.memory, block.bytes);
    }
}

std::size_t MemoryReserve::kept() const {
    const std::lock_guard lock(mutex_);
    return kept_bytes_;
}

} // namespace meshslice
