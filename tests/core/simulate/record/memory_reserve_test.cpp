#include "core/simulate/record/memory_reserve.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace meshslice {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// 3 MiB are two huge pages of 2 MiB.
TEST(MemoryReserve, LendsWhatWasGivenBack) {
    MemoryReserve reserve(100 * mib);
    void* const block = reserve.allocate(3 * mib);
    EXPECT_EQ(reserve.kept(), 0u);
    reserve.deallocate(block, 3 * mib);
    EXPECT_EQ(reserve.kept(), 4 * mib);
    void* const again = reserve.allocate(4 * mib);
    EXPECT_EQ(again, block);
    EXPECT_EQ(reserve.kept(), 0u);
    reserve.deallocate(again, 4 * mib);
}

TEST(MemoryReserve, LendsTheSmallestBlockThatIsLargeEnough) {
    MemoryReserve reserve(100 * mib);
    void* const small = reserve.allocate(4 * mib);
    void* const large = reserve.allocate(6 * mib);
    void* const huge = reserve.allocate(20 * mib);
    reserve.deallocate(huge, 20 * mib);
    reserve.deallocate(large, 6 * mib);
    reserve.deallocate(small, 4 * mib);
    EXPECT_EQ(reserve.allocate(4 * mib), small);
    EXPECT_EQ(reserve.allocate(4 * mib), large);
    // Five times as large as asked for: not wasted.
    void* const other = reserve.allocate(4 * mib);
    EXPECT_NE(other, huge);
    EXPECT_EQ(reserve.kept(), 20 * mib);
    reserve.deallocate(other, 4 * mib);
    reserve.deallocate(large, 4 * mib);
    reserve.deallocate(small, 4 * mib);
    EXPECT_EQ(reserve.kept(), 34 * mib); // 4 + 6 + 20 + 4
}

TEST(MemoryReserve, KeepsTheNewestWithinItsLimit) {
    MemoryReserve reserve(5 * mib);
    void* const first = reserve.allocate(4 * mib);
    void* const second = reserve.allocate(2 * mib);
    void* const much = reserve.allocate(8 * mib);
    reserve.deallocate(first, 4 * mib);
    reserve.deallocate(second, 2 * mib);
    EXPECT_EQ(reserve.kept(), 2 * mib);
    reserve.deallocate(much, 8 * mib); // More than is kept in all: it drives nothing out.
    EXPECT_EQ(reserve.kept(), 2 * mib);
}

TEST(MemoryReserve, LeavesSmallBlocksToTheHeap) {
    MemoryReserve reserve(100 * mib);
    void* const block = reserve.allocate(1000);
    reserve.deallocate(block, 1000);
    EXPECT_EQ(reserve.kept(), 0u);
}

TEST(MemoryReserve, MakesBlocksReadyToBeLentTogether) {
    MemoryReserve reserve(100 * mib);
    reserve.make_ready({3 * mib, 1000, 6 * mib});
    EXPECT_EQ(reserve.kept(), 10 * mib);
    reserve.make_ready({6 * mib, 3 * mib}); // They are.
    EXPECT_EQ(reserve.kept(), 10 * mib);
    reserve.make_ready({6 * mib, 6 * mib}); // One is.
    EXPECT_EQ(reserve.kept(), 16 * mib);
    void* const block = reserve.allocate(6 * mib);
    EXPECT_EQ(reserve.kept(), 10 * mib);
    reserve.deallocate(block, 6 * mib);
}

TEST(MemoryReserve, MakesNoMoreReadyThanItKeeps) {
    MemoryReserve reserve(7 * mib);
    reserve.make_ready({4 * mib, 4 * mib});
    EXPECT_EQ(reserve.kept(), 4 * mib);
}

TEST(MemoryReserve, MakesNothingReadyOnceStopped) {
    std::stop_source stop;
    stop.request_stop();
    MemoryReserve reserve(100 * mib);
    reserve.make_ready({4 * mib}, stop.get_token());
    EXPECT_EQ(reserve.kept(), 0u);
}

/// Two threads that take, write and give back: neither finds what the other has written.
TEST(MemoryReserve, LendsToSeveralThreadsAtATime) {
    MemoryReserve reserve(100 * mib);
    std::atomic<int> strange = 0;
    const auto work = [&](char own) {
        for (int k = 0; k < 500; ++k) {
            char* const block = static_cast<char*>(reserve.allocate(2 * mib));
            block[0] = own;
            block[2 * mib - 1] = own;
            std::this_thread::yield();
            strange += block[0] == own && block[2 * mib - 1] == own ? 0 : 1;
            reserve.deallocate(block, 2 * mib);
        }
    };
    {
        const std::jthread other(work, 'b');
        work('a');
    }
    EXPECT_EQ(strange, 0);
    EXPECT_LE(reserve.kept(), 4 * mib);
}

} // namespace
} // namespace meshslice
