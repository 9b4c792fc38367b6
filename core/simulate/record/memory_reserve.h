#pragma once

#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <stop_token>
#include <vector>

namespace meshslice {

/// Memory from the system in huge pages, where the system has them: few requests, and few misses of the
/// processor's translation buffer. Its content is unspecified. Small blocks come from the heap. Throws
/// std::bad_alloc where there is no more.
[[nodiscard]] std::pmr::memory_resource* huge_pages();

/// Huge pages that are kept when they are given back, up to a limit, and lent again: the system clears memory
/// before it hands it over, and some take their time to find it. From any thread. Throws std::bad_alloc where
/// there is no more, not even after giving back what is kept.
class MemoryReserve : public std::pmr::memory_resource {
  public:
    /// `most_kept`: bytes that may be kept while they are not lent.
    explicit MemoryReserve(std::size_t most_kept) : most_kept_(most_kept) {}
    /// Everything lent must have been given back.
    ~MemoryReserve() override;
    MemoryReserve(const MemoryReserve&) = delete;
    MemoryReserve& operator=(const MemoryReserve&) = delete;

    /// Has blocks of these sizes (bytes) ready to be lent at the same time, each page of them touched: as
    /// many of them as the limit allows and the system has, and until a stop is requested. Throws nothing.
    void make_ready(const std::vector<std::size_t>& blocks, const std::stop_token& stop = {}) noexcept;

    /// Bytes that are kept and not lent at the moment.
    [[nodiscard]] std::size_t kept() const;

  private:
    struct Block {
        void* memory = nullptr;
        std::size_t bytes = 0;
    };

    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }
    Block lend(std::size_t bytes);
    Block take_kept(std::size_t bytes);
    void give_oldest_back_above(std::size_t most);

    const std::size_t most_kept_;
    mutable std::mutex mutex_; ///< of what follows
    std::vector<Block> kept_;  ///< the oldest first; has room for those lent, so that none fails to come back
    std::vector<Block> lent_;
    std::size_t kept_bytes_ = 0;
};

} // namespace meshslice
