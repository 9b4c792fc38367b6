#include "core/simulate/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
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
