#include "core/count/count.h"
#include "core/execute/verify.h"
#include "tests/core/support/written.h"

#include <iterator>

namespace meshslice {
namespace {

/// Collective OS, (64, 48, 32) on 4 x 2, bf16. A's shard 16 x 16 = 512 B, B's 8 x 24 = 384 B, C's 16 x 24 =
/// 768 B. A ring of 2 sends one shard, half each way: 256 B a link; a ring of 4 three shards: 576 B a link.
/// A' is 16 x 32 = 1024 B, B' 32 x 24 = 1536 B; the GEMM 16 x 24 over 32 is 24 576 FLOP.
TEST(Count, CountsOneChipByHand) {
    const Count counted =
        count(written("collective", {64, 48, 32}, Dataflow::OS, *Torus::create({4, 2})), {});
    EXPECT_EQ(counted.sent_per_chip, Bytes(2 * 256 + 2 * 576));
    EXPECT_EQ(counted.busiest_link, Bytes(576));
    EXPECT_EQ(counted.flop_per_chip, Flop(24576));
    EXPECT_EQ(counted.shards_per_chip, Bytes(512 + 384 + 768));
    EXPECT_EQ(counted.buffers_per_chip, Bytes(1024 + 1536));
    EXPECT_EQ(counted.hbm_per_chip, Bytes(1024 + 1536 + 768));
    EXPECT_EQ(counted.peak_memory(), Bytes(1664 + 2560));
}

/// Sliced in two, the gathered halves need two buffers each (one is used while the next fills): the same 2560
/// B, and the slices themselves (256 + 192 B) twice. With prefetch 0 one buffer of each is enough.
TEST(Count, BuffersFollowThePrefetchDepth) {
    const Program program = written("meshslice", {64, 48, 32}, Dataflow::OS, *Torus::create({4, 2}), {2, 2});
    EXPECT_EQ(count(program, {}).buffers_per_chip, Bytes(2560 + 2 * (256 + 192)));
    Schedule schedule;
    schedule.prefetch.depth = 0;
    EXPECT_EQ(count(program, schedule).buffers_per_chip, Bytes(1280 + 256 + 192));
    schedule.prefetch.depth = Prefetch::without_bound; // Never more buffers than iterations.
    EXPECT_EQ(count(program, schedule).buffers_per_chip, Bytes(2560 + 2 * (256 + 192)));
}

/// 4 x 2 chips hold an eighth of C each; an all-reduce leaves all of it on each, a reduce-scatter a part.
TEST(Count, TheShareOfTheOutputThatAChipEndsWith) {
    const Torus mesh = *Torus::create({4, 2});
    EXPECT_EQ(share_of_output(written("collective", {64, 48, 32}, Dataflow::OS, mesh)), 1.0 / 8);
    const Torus ring = *Torus::create({8});
    EXPECT_EQ(share_of_output(written("1d-tp", {64, 64, 64}, Dataflow::LS, ring)), 1.0 / 8);
    EXPECT_EQ(share_of_output(written("tp-ar", {64, 64, 64}, Dataflow::LS, ring)), 1);
}

TEST(Count, BytesAreThoseThatExecutionCarries) {
    for (const Dataflow dataflow : all_dataflows) {
        for (const bool wraps : {true, false}) {
            for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                const Torus torus = *Torus::create({{3, wraps}, {5, true}});
                const Program program = written("meshslice", {45, 75, 135}, dataflow, torus, {1, 1});
                const Schedule schedule{DataType::bf16, ring, {1}};
                const auto verification = verify(program, schedule, Numbers::integers, 3);
                ASSERT_TRUE(verification);
                EXPECT_EQ(verification->links, count(program, schedule).links);
            }
        }
    }
}

/// Collective OS on 1x4, 64x64x64: a shard of A is 64 x 16 and travels in halves of 512 elements, three steps
/// each way. On a ring folded onto the line what would cross the missing link goes back over the three
/// others, which carry twice 3 x 512 x 2 bytes: three links east, three west, and none that leads from the
/// edge.
TEST(Count, OnAFoldedRingOnlyLinksThatThereAreCarryAnything) {
    const Torus torus = *Torus::create(std::vector<TorusAxis>{{1, true}, {4, true, true}});
    const Program program = written("collective", {64, 64, 64}, Dataflow::OS, torus);
    const auto verification = verify(program, {}, Numbers::integers, 3);
    ASSERT_TRUE(verification);
    ASSERT_EQ(verification->links.size(), 6u);
    for (const LinkTraffic& traffic : verification->links) {
        EXPECT_FALSE(torus.missing(traffic.link));
        EXPECT_EQ(traffic.bytes, Bytes(6144));
    }
    EXPECT_EQ(count(program, {}).busiest_link, Bytes(6144));
}

/// Whatever the algorithm, hop by hop and by formula.
TEST(Count, OnFoldedRingsBytesAreThoseThatExecutionCarries) {
    int runs = 0;
    for (const Algorithm& algorithm : algorithms()) {
        for (const bool vertical : {true, false}) {
            for (const Dataflow dataflow : all_dataflows) {
                for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                    std::vector<TorusAxis> axes = {{4, true, vertical}, {4, true, true}, {2, true, true}};
                    axes.resize(static_cast<std::size_t>(algorithm.torus_axes));
                    const Torus torus = *Torus::create(axes);
                    const Program program = written(algorithm.id, {48, 96, 144}, dataflow, torus, {4, 1});
                    const Schedule schedule{DataType::bf16, ring, {1}};
                    const auto verification = verify(program, schedule, Numbers::integers, 3);
                    ASSERT_TRUE(verification && verification->correct) << algorithm.id;
                    EXPECT_EQ(verification->links, count(program, schedule).links) << algorithm.id;
                    ++runs;
                }
            }
        }
    }
    EXPECT_EQ(runs, std::ssize(algorithms()) * 2 * 3 * 2);
}

TEST(Count, Int8HalvesTheBytes) {
    const Program program = written("collective", {64, 48, 32}, Dataflow::OS, *Torus::create({4, 2}));
    EXPECT_EQ(count(program, {DataType::int8, RingMode::both_ways, {1}}).sent_per_chip, Bytes(256 + 576));
}

} // namespace
} // namespace meshslice
