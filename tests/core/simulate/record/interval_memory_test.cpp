#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/interval_memory.h"
#include "core/simulate/record/memory_reserve.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace meshslice {
namespace {

TEST(IntervalMemory, GivesEveryoneAPartOfHisOwn) {
    IntervalMemory memory(10);
    const std::span<Interval> one = memory.take(4);
    const std::span<Interval> other = memory.take(6);
    ASSERT_EQ(one.size(), 4u);
    ASSERT_EQ(other.size(), 6u);
    EXPECT_EQ(one.data() + 4, other.data());
    EXPECT_TRUE(memory.take(1).empty());
}

/// Two threads take 1, 2, ... 100 each, as many as there are: no two parts overlap, and nothing is left.
TEST(IntervalMemory, GivesPartsToSeveralThreadsAtATime) {
    IntervalMemory memory(2 * 5050);
    std::array<std::vector<std::span<Interval>>, 2> taken;
    const auto take = [&](std::size_t thread) {
        for (std::size_t count = 1; count <= 100; ++count) {
            taken[thread].push_back(memory.take(count));
        }
    };
    {
        const std::jthread other(take, std::size_t{1});
        take(0);
    }
    std::vector<std::span<Interval>> parts = taken[0];
    parts.insert(parts.end(), taken[1].begin(), taken[1].end());
    std::ranges::sort(parts, {}, [](std::span<Interval> part) { return part.data(); });
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
        EXPECT_EQ(parts[k].data() + parts[k].size(), parts[k + 1].data());
    }
    EXPECT_TRUE(memory.take(1).empty());
}

TEST(IntervalMemory, GivesNothingWhereTooLittleIsLeft) {
    IntervalMemory memory(10);
    EXPECT_TRUE(memory.take(11).empty());
    EXPECT_EQ(memory.take(10).size(), 10u);
}

/// 100 000 intervals of 24 bytes: 2.4 MB, two huge pages.
TEST(IntervalMemory, GoesBackToWhereItCameFrom) {
    const auto reserve = std::make_shared<MemoryReserve>(std::size_t{100} << 20);
    {
        const IntervalMemory memory(100'000, reserve);
        EXPECT_EQ(reserve->kept(), 0u);
    }
    EXPECT_EQ(reserve->kept(), std::size_t{4} << 20);
}

/// Given memory for two runs: both go there, a third has its own, and all are the same.
TEST(IntervalMemory, OfARunIsTheCallersWhereItIsLargeEnough) {
    const Program program =
        written("meshslice", {1280, 1280, 1280}, Dataflow::OS, *Torus::create({4, 4}), {4, 2});
    const Machine hardware = round_hardware();
    const auto own = *simulate(program, hardware, {});
    const auto memory = std::make_shared<IntervalMemory>(2 * own->stored_intervals() + 1);
    const auto first = *simulate(program, hardware, {}, {}, {}, Folding::alike_chips, memory);
    const auto second = *simulate(program, hardware, {}, {}, {}, Folding::alike_chips, memory);
    EXPECT_EQ(memory->take(1).size(), 1u);
    const auto third = *simulate(program, hardware, {}, {}, {}, Folding::alike_chips, memory);
    EXPECT_EQ(first->intervals(0).data() + own->stored_intervals(), second->intervals(0).data());
    EXPECT_EQ(*first, *own);
    EXPECT_EQ(*second, *own);
    EXPECT_EQ(*third, *own);
}

} // namespace
} // namespace meshslice
