#include "core/base/concurrently.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace meshslice {
namespace {

TEST(ForEachConcurrently, CallsEveryIndexOnce) {
    for (const unsigned threads : {0u, 1u, 3u, 64u}) {
        std::vector<int> calls(50);
        EXPECT_TRUE(for_each_concurrently(calls.size(), threads, [&](std::size_t index) {
            ++calls[index];
            return true;
        }));
        EXPECT_EQ(calls, std::vector<int>(50, 1)) << threads << " threads";
    }
    EXPECT_TRUE(for_each_concurrently(0, 4, [](std::size_t) { return false; }));
}

TEST(ForEachConcurrently, OneThreadIsTheCallers) {
    std::vector<std::size_t> order;
    EXPECT_TRUE(for_each_concurrently(4, 1, [&, caller = std::this_thread::get_id()](std::size_t index) {
        order.push_back(index);
        return std::this_thread::get_id() == caller;
    }));
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(ForEachConcurrently, ThreadsWorkAtTheSameTime) {
    // Each of three calls waits for the other two, which with fewer threads would never come.
    std::mutex mutex;
    std::condition_variable all_there;
    std::set<std::thread::id> there;
    EXPECT_TRUE(for_each_concurrently(3, 3, [&](std::size_t) {
        std::unique_lock lock(mutex);
        there.insert(std::this_thread::get_id());
        all_there.notify_all();
        all_there.wait(lock, [&] { return there.size() == 3; });
        return true;
    }));
}

TEST(ForEachConcurrently, BeginsNothingAfterAFailure) {
    std::vector<std::size_t> begun;
    EXPECT_FALSE(for_each_concurrently(10, 1, [&](std::size_t index) {
        begun.push_back(index);
        return index != 2;
    }));
    EXPECT_EQ(begun, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ForEachConcurrently, ThrowsWhatACallThrew) {
    for (const unsigned threads : {1u, 4u}) {
        std::atomic<int> ended = 0;
        EXPECT_THROW((void)for_each_concurrently(4, threads,
                                                 [&](std::size_t index) -> bool {
                                                     ++ended;
                                                     if (index == 1) {
                                                         throw std::runtime_error("second");
                                                     }
                                                     return true;
                                                 }),
                     std::runtime_error);
        EXPECT_GE(ended, 2);
    }
}

} // namespace
} // namespace meshslice
