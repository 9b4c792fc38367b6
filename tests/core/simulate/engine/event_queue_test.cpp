#include "core/simulate/engine/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

namespace meshslice {
namespace {

/// Events come out by time, those of one time in the order they went in, however many other times lie
/// between: the plain definition is a stable sort.
TEST(EventQueue, IsAStableSortByTime) {
    std::mt19937 random(4);
    for (const unsigned times : {1u, 3u, 8u, 40u, 1000u}) {
        std::vector<std::pair<std::int64_t, int>> all;
        EventQueue<int> queue;
        for (int k = 0; k < 2000; ++k) {
            all.emplace_back(random() % times, k);
            queue.push(Time(all.back().first), k);
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::pair<std::int64_t, int>> out;
        std::vector<int> batch;
        while (!queue.empty()) {
            const Time time = queue.pop(batch);
            for (const int event : batch) {
                out.emplace_back(time.value(), event);
            }
        }
        EXPECT_EQ(out, all) << times;
    }
}

/// As in a run: events pushed while others are taken are later by anything from nothing to a second, at times
/// up to the largest. The plain definition is a map that keeps the order of equal keys.
TEST(EventQueue, IsAStableSortWhileEventsArePushed) {
    std::mt19937_64 random(7);
    for (const std::int64_t begin :
         {std::int64_t{0}, std::int64_t{1'000'000'000'000}, std::int64_t{1} << 62}) {
        const std::array<std::int64_t, 8> later = {0, 1, 63, 64, 4095, 4096, 13'400'000, 1'000'000'000'000};
        std::multimap<std::int64_t, int> plain;
        EventQueue<int> queue;
        int number = 0;
        const auto push = [&](std::int64_t time) {
            plain.emplace(time, number);
            queue.push(Time(time), number++);
        };
        for (int k = 0; k < 200; ++k) {
            push(begin + static_cast<std::int64_t>(random() % 1'000'000'000));
        }
        std::vector<int> batch;
        while (!queue.empty()) {
            const Time time = queue.pop(batch);
            ASSERT_FALSE(batch.empty());
            for (const int event : batch) {
                ASSERT_EQ(plain.begin()->first, time.value());
                ASSERT_EQ(plain.begin()->second, event);
                plain.erase(plain.begin());
            }
            for (std::uint64_t more = random() % 4; more > 0 && number < 20'000; --more) {
                const std::int64_t most = later[random() % later.size()];
                push(time.value() +
                     (random() % 2 == 0
                          ? most
                          : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1))));
            }
        }
        EXPECT_TRUE(plain.empty());
        EXPECT_GE(number, 200);
    }
}

/// In the order in which they would have come, and all pushed from then on as well.
TEST(EventQueue, DelaysAllThatAreToCome) {
    EventQueue<int> queue;
    for (const int time : {70, 5, 5000, 70, 100'000}) {
        queue.push(Time(time), time);
    }
    std::vector<int> batch;
    EXPECT_EQ(queue.pop(batch), Time(5));
    queue.push(Time(70), 71);
    std::vector<EventQueue<int>::Entry> entries;
    queue.list(entries);
    EXPECT_EQ(entries.size(), 5u);
    queue.delay(Time(1'000'000));
    queue.push(Time(1'000'070), 72);
    EXPECT_EQ(queue.pop(batch), Time(1'000'070));
    EXPECT_EQ(batch, (std::vector<int>{70, 70, 71, 72}));
    EXPECT_EQ(queue.pop(batch), Time(1'005'000));
    EXPECT_EQ(queue.pop(batch), Time(1'100'000));
    EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, TakesEventsForTheTimeThatIsBeingWorkedOn) {
    EventQueue<int> queue;
    queue.push(Time(5), 1);
    std::vector<int> batch;
    EXPECT_EQ(queue.pop(batch), Time(5));
    queue.push(Time(5), 2);
    EXPECT_EQ(queue.pop(batch), Time(5));
    EXPECT_EQ(batch, std::vector<int>{2});
    EXPECT_TRUE(queue.empty());
}

} // namespace
} // namespace meshslice
