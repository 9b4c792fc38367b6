#include "core/estimate/all_reduced_gemm.h"
#include "core/estimate/unstaggered_ring.h"
#include "core/machine/catalogue.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>

namespace meshslice {
namespace {

/// FC-2 of T-NLG on eight GPUs.
const AllReducedGemm fc2 = {{8192, 4256, 2128}, 8, DataType::bf16};

Machine gpu() {
    return *machine_preset("t3-paper");
}

/// c = 69730304 / 8 = 8716288 bytes. A step c / 150 GB/s = 58.11 us and 0.5 us of flight; seven of them
/// 410.26 us. The last sum 3 c / 0.92 TB/s = 28.42 us. GEMM: 148.38 GFLOP / 1.8e14 = 824.37 us, 69.73 us of
/// writes.
TEST(AllReduceTimes, AreThoseByHand) {
    const auto times = all_reduce_times(fc2, gpu());
    ASSERT_TRUE(times);
    EXPECT_NEAR(times->compute * 1e6, 824.37, 0.01);
    EXPECT_NEAR(times->gemm * 1e6, 894.10, 0.01);
    EXPECT_NEAR(times->stage * 1e6, 894.10 / 28, 0.001);
    EXPECT_NEAR(times->scatter_near_memory * 1e6, 410.26, 0.01);
    EXPECT_NEAR(times->gather * 1e6, 410.26, 0.01);
    EXPECT_NEAR(times->scatter * 1e6, 438.68, 0.01);
    EXPECT_DOUBLE_EQ(times->overlapped(), times->gemm + times->gather); // the GEMM is longer
    EXPECT_DOUBLE_EQ(times->sequential(), times->gemm + times->scatter + times->gather);
}

/// With links as fast as the memory a step is bound by its accesses: 3 c with a reduction by units, 1 + 2 c
/// near memory, and 2 c in the first step and the all-gather.
TEST(AllReduceTimes, AreBoundByMemoryWhereLinksAreFast) {
    Machine fast = gpu();
    fast.network.set_link_bandwidth(Bandwidth(1e12));
    fast.ring_stores->link_flight.value = Time(0);
    const double chunk = 8'716'288e-12; // seconds at 1 TB/s
    const auto times = all_reduce_times(fc2, fast);
    EXPECT_NEAR(times->scatter, (2 + 6 * 3 + 3 / 0.92) * chunk, 1e-12);
    EXPECT_NEAR(times->scatter_near_memory, 7 * 3 * chunk, 1e-12);
    EXPECT_NEAR(times->gather, 7 * 2 * chunk, 1e-12);
}

/// An overlap without contention ends with the longer of the two, except that the pipeline fills and drains
/// and that latency is paid once a tile (2% and 3%). Slower links leave the ring alone to be seen, and the
/// GEMM hidden.
TEST(FusedTime, IsThatOfTheLongerOne) {
    for (const double links : {30e9, 75e9, 150e9, 300e9}) {
        Machine other = gpu();
        other.network.set_link_bandwidth(Bandwidth(links));
        for (const std::int64_t k : {133, 532, 2128, 8512}) {
            const AllReducedGemm gemm = {{8192, 4256, k}, 8, DataType::bf16};
            const auto times = all_reduce_times(gemm, other);
            const double end = *fused_time(gemm, other, MemoryPolicy::ideal) - times->gather;
            const double longer = std::max(times->gemm, times->scatter_near_memory);
            EXPECT_GE(end, 0.98 * longer) << links << ' ' << k;
            EXPECT_LE(end, 1.03 * longer + times->stage) << links << ' ' << k;
        }
    }
}

/// 824.37 us, then 2 x 7 c and 6 c + 2 x 7 c at 1 TB/s: 34 x 8.716 us = 296.35 us. 410.26 of all-gather.
TEST(FusedTime, ByRoundRobinPutsAllAccessesInARow) {
    EXPECT_NEAR(*fused_time(fc2, gpu(), MemoryPolicy::round_robin) * 1e6, 824.37 + 296.35 + 410.26, 0.05);
}

/// Every policy leaves at least the GEMM's computation and the ring; the fairer one is the faster one. A long
/// ring hides the GEMM whatever the policy.
TEST(FusedTime, IsBoundFromBelow) {
    const auto times = all_reduce_times(fc2, gpu());
    const double fair = *fused_time(fc2, gpu(), MemoryPolicy::communication_aware);
    EXPECT_GT(fair, std::max(times->compute, times->scatter_near_memory) + times->gather);
    EXPECT_LT(fair, *fused_time(fc2, gpu(), MemoryPolicy::round_robin));
    Machine slow = gpu();
    slow.network.set_link_bandwidth(Bandwidth(10e9));
    const auto slow_times = all_reduce_times(fc2, slow);
    for (const MemoryPolicy policy : {MemoryPolicy::round_robin, MemoryPolicy::communication_aware}) {
        EXPECT_DOUBLE_EQ(*fused_time(fc2, slow, policy),
                         slow_times->scatter_near_memory + slow_times->stage + slow_times->gather);
    }
}

/// Three chips make a piece each in three stages of 1 s; it crosses a link in 0.1 s and flies 10 s. Chunk 2
/// is made at 3 s and goes on from chip 0 at once, though chunk 1 will come by later: 3 + 2 x 10.1 s.
TEST(UnstaggeredEnd, ServesEveryLinkInOrderOfArrivalByHand) {
    EXPECT_DOUBLE_EQ(
        unstaggered_end({.chips = 3, .pieces = 1, .stages = 3, .stage = 1, .transfer = 0.1, .flight = 10}),
        23.2);
}

/// Where one stage makes all of it, every link sends one chunk after the other, however long the ring is and
/// whatever shorter one it is taken as.
TEST(UnstaggeredEnd, IsThatOfAFullRingWhereOneStageMakesAll) {
    for (const std::int64_t chips : {2, 8, 256, 512, 4096}) {
        for (const std::int64_t pieces : {1, 10}) {
            const double steps = static_cast<double>((chips - 1) * pieces);
            EXPECT_NEAR(unstaggered_end({.chips = chips,
                                         .pieces = pieces,
                                         .stages = 1,
                                         .stage = 1,
                                         .transfer = 1e-3,
                                         .flight = 0}),
                        1 + 1e-3 * steps, 1e-9 * steps)
                << chips;
        }
    }
}

/// Where stages are longer than the whole ring, what the last one makes goes round by itself. So many stages
/// are taken as fewer.
TEST(UnstaggeredEnd, IsTheLastStageAndOneRoundWhereTheGemmIsLong) {
    const UnstaggeredRing ring{
        .chips = 8, .pieces = 1'000, .stages = 800'000, .stage = 1, .transfer = 1e-3, .flight = 0.01};
    EXPECT_NEAR(unstaggered_end(ring), 800'000 + 7 * 0.011, 800'000 * 1e-3);
}

/// Four million tiles in 52,429 stages on 512 chips: milliseconds, and no more than a ring later.
TEST(FusedTime, OfALongRingIsFoundByStages) {
    AllReducedGemm large = {{262'144, 262'144, 128}, 512, DataType::bf16};
    const double staggered = *fused_time(large, gpu(), MemoryPolicy::ideal);
    large.order = ChunkOrder::unstaggered;
    const double unstaggered = *fused_time(large, gpu(), MemoryPolicy::ideal);
    EXPECT_GT(unstaggered, staggered);
    EXPECT_LT(unstaggered, staggered + all_reduce_times(large, gpu())->scatter_near_memory);
}

TEST(FusedTime, IsRefusedWhereNothingIsReduced) {
    AllReducedGemm one = fc2;
    one.chips = 1;
    EXPECT_THAT(fused_time(one, gpu(), MemoryPolicy::ideal).error().sentence,
                testing::HasSubstr("A ring of 1"));
    EXPECT_THAT(all_reduce_times(fc2, *machine_preset("tpu-v4")).error().sentence,
                testing::HasSubstr("not a ring of GPUs"));
}

} // namespace
} // namespace meshslice
