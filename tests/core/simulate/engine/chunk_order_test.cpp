// The order in which chips make the chunks of a GEMM that feeds its reduce-scatter.

#include "core/count/count.h"
#include "core/estimate/estimate.h"
#include "core/execute/verify.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

/// K of the whole GEMM.
Program ordered_program(ChunkOrder order, const GemmShape& shape, std::int32_t chips,
                        std::int64_t tile = 128) {
    GemmOptions options;
    options.tile = tile;
    options.chunk_order = order;
    return *(*algorithm("t3"))->write(shape, Dataflow::LS, *Torus::create({TorusAxis{chips}}), options);
}

Schedule memory_by(MemoryPolicy policy) {
    Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
    schedule.arbitration = policy;
    return schedule;
}

double ordered_us(ChunkOrder order, const GemmShape& shape, std::int32_t chips, MemoryPolicy policy,
                  const Machine& gpu) {
    const auto run = simulate(ordered_program(order, shape, chips), gpu, memory_by(policy));
    EXPECT_TRUE(run);
    return run ? in_seconds((*run)->end()) * 1e6 : 0;
}

/// Sub-layers of the T3 paper, Table 2: where the GEMM is longer than the ring, and where it is shorter.
struct OrderedCase {
    GemmShape shape;
    std::int32_t chips;
};
const std::vector<OrderedCase> ordered_cases = {
    {{16384, 3072, 12288}, 8}, {{16384, 3072, 3072}, 16},  {{8192, 4256, 17024}, 8},
    {{8192, 4256, 4256}, 16},  {{2048, 12288, 49152}, 32}, {{2048, 12288, 12288}, 32},
};

/// Two chips with one unit each make two tiles of 64 x 64, one after the other, in 1.92 us each; a chunk
/// crosses in 1 us, flies 0.5 us and is added in 8.192 ns, which is also what storing takes. Staggered, each
/// makes the other's chunk first, which is there at 3.43 us; its own is stored at 3.848 us, and then the
/// gather takes 1.5 us. Unstaggered, chip 0 makes its own first and stores it, and the other's is made only
/// at 3.848 us: it still has to cross, fly and be added.
TEST(ChunkOrder, UnstaggeredLeavesTheLastChunkToBeSentByHand) {
    Machine gpu = *machine_preset("t3-paper");
    gpu.network.set_link_bandwidth(Bandwidth(8192e6));
    gpu.cores.value = 1;
    gpu.output_tile.value = 64;
    const auto end = [&](ChunkOrder order) {
        const auto run = simulate(ordered_program(order, {128, 64, 2 * 10'000}, 2, 64), gpu,
                                  memory_by(MemoryPolicy::ideal));
        EXPECT_TRUE(run);
        return run ? in_seconds((*run)->end()) * 1e6 : 0;
    };
    const double made = 2 * 1.92 + 0.008192;
    EXPECT_NEAR(end(ChunkOrder::staggered), made + 1.5, 1e-5);
    EXPECT_NEAR(end(ChunkOrder::unstaggered), made + 1.5 + 0.008192 + 1.5, 1e-5);
}

/// To the byte, whatever the order, for tiles that divide a chunk and tiles that do not.
TEST(ChunkOrder, MovesTheSameBytes) {
    for (const std::int32_t chips : {2, 3, 8}) {
        for (const std::int64_t tile : {16, 100, 128}) {
            const Program program = ordered_program(ChunkOrder::unstaggered, {480, 336, 48}, chips, tile);
            const Schedule schedule = memory_by(MemoryPolicy::communication_aware);
            const auto run = simulate(program, *machine_preset("t3-paper"), schedule);
            ASSERT_TRUE(run);
            const Count counted = count(program, schedule);
            EXPECT_EQ(counted.dram_per_chip,
                      count(ordered_program(ChunkOrder::staggered, {480, 336, 48}, chips, tile), schedule)
                          .dram_per_chip);
            for (Chip chip = 0; chip < chips; ++chip) {
                ASSERT_NE((*run)->dram(chip), nullptr);
                EXPECT_EQ(*(*run)->dram(chip), counted.dram_per_chip) << chip << ' ' << tile;
            }
            double carried = 0, on_links = 0;
            for (const double bytes : carried_bytes(**run, {Time(0), (*run)->end()})) {
                carried += bytes;
            }
            for (const LinkTraffic& link : counted.links) {
                on_links += static_cast<double>(link.bytes.value());
            }
            EXPECT_DOUBLE_EQ(carried, on_links);
        }
    }
}

/// What the last stage makes still goes round the whole ring: 1 to 10% longer here. The estimate is within
/// 5%.
TEST(ChunkOrder, StaggeredIsNoSlower) {
    const Machine gpu = *machine_preset("t3-paper");
    for (const auto& [shape, chips] : ordered_cases) {
        for (const MemoryPolicy policy : all_memory_policies) {
            SCOPED_TRACE(text(shape) + " on " + std::to_string(chips) + ", " + std::string(name(policy)));
            const double staggered = ordered_us(ChunkOrder::staggered, shape, chips, policy, gpu);
            const double unstaggered = ordered_us(ChunkOrder::unstaggered, shape, chips, policy, gpu);
            EXPECT_GT(unstaggered, 1.01 * staggered);
            EXPECT_LT(unstaggered, 1.11 * staggered);
            const auto estimated =
                estimate(ordered_program(ChunkOrder::unstaggered, shape, chips), gpu, memory_by(policy));
            EXPECT_NEAR(in_seconds(estimated.total) * 1e6, unstaggered, 0.05 * unstaggered);
        }
    }
}

/// On long rings early tiles are still on their way when late ones set out: each link serves what comes
/// first.
TEST(ChunkOrder, UnstaggeredIsEstimatedOnLongRings) {
    const struct {
        GemmShape shape;
        std::int32_t chips;
        MemoryPolicy policy;
        double within;
    } cases[] = {{{8192, 4096, 16384}, 64, MemoryPolicy::ideal, 0.01},
                 {{8192, 4096, 16384}, 64, MemoryPolicy::round_robin, 0.04},
                 {{8192, 4096, 16384}, 64, MemoryPolicy::communication_aware, 0.04},
                 {{8192, 4096, 262'144}, 64, MemoryPolicy::ideal, 0.01},
                 {{4096, 4096, 16384}, 256, MemoryPolicy::ideal, 0.02}};
    for (const auto& one : cases) {
        SCOPED_TRACE(text(one.shape) + " on " + std::to_string(one.chips));
        const Machine gpu = *machine_preset("t3-paper");
        const Program program = ordered_program(ChunkOrder::unstaggered, one.shape, one.chips);
        const auto run = simulate(program, gpu, memory_by(one.policy));
        ASSERT_TRUE(run);
        const double simulated = in_seconds((*run)->end());
        EXPECT_NEAR(in_seconds(estimate(program, gpu, memory_by(one.policy)).total), simulated,
                    one.within * simulated);
    }
}

/// Every chip has its own chunk at another place in the order, so each is a class of its own.
TEST(ChunkOrder, UnstaggeredFoldsNoChips) {
    for (const MemoryPolicy policy : all_memory_policies) {
        const Program program = ordered_program(ChunkOrder::unstaggered, {960, 672, 768}, 8, 32);
        const auto folded = simulate(program, *machine_preset("t3-paper"), memory_by(policy));
        const auto full =
            simulate(program, *machine_preset("t3-paper"), memory_by(policy), {}, {}, Folding::none);
        ASSERT_TRUE(folded && full);
        EXPECT_EQ((*folded)->classes().count(), 8U);
        EXPECT_TRUE(**folded == **full) << name(policy);
    }
}

/// A slow core or link makes it no faster.
TEST(ChunkOrder, UnstaggeredRunsToItsEndWithFaults) {
    const Program program = ordered_program(ChunkOrder::unstaggered, {1920, 1344, 1536}, 8);
    const Machine gpu = *machine_preset("t3-paper");
    const auto healthy = simulate(program, gpu, memory_by(MemoryPolicy::round_robin));
    ASSERT_TRUE(healthy);
    Conditions slow;
    slow.core_speed.assign(8, 1);
    slow.core_speed[3] = 0.5;
    slow.jitter = Time(2'000'000); // 2 us
    slow.seed = 5;
    Conditions slow_link;
    const int slots = program.torus.link_slots();
    slow_link.link_speed.assign(static_cast<std::size_t>(8 * slots), 1);
    slow_link
        .link_speed[static_cast<std::size_t>(3 * slots + link_slot(Axis::vertical, Direction::forward))] =
        0.25;
    for (const Conditions& conditions : {slow, slow_link}) {
        const auto run = simulate(program, gpu, memory_by(MemoryPolicy::round_robin), conditions);
        ASSERT_TRUE(run);
        EXPECT_GT((*run)->end(), (*healthy)->end());
        EXPECT_EQ(*(*run)->dram(0), *(*healthy)->dram(0));
    }
}

TEST(ChunkOrder, UnstaggeredIsOneLineOfTheProgramAndMakesTheSameProduct) {
    const Program program = ordered_program(ChunkOrder::unstaggered, {8, 6, 8}, 4, 2);
    EXPECT_EQ(pseudocode(program),
              "C' = A B^T\n"
              "C_s = RdS_row(C'), tile by tile as C' is made, the same chunk first on all chips\n"
              "C = AG_row(C_s)\n");
    for (const std::int32_t chips : {2, 3, 4, 8}) {
        for (const std::int64_t tile : {2, 3, 5}) {
            const auto checked = verify(ordered_program(ChunkOrder::unstaggered, {24, 48, 48}, chips, tile),
                                        memory_by(MemoryPolicy::ideal), Numbers::integers, 1);
            ASSERT_TRUE(checked);
            EXPECT_TRUE(checked->correct && checked->as_counted) << chips << ' ' << tile;
        }
    }
}

} // namespace
} // namespace meshslice
