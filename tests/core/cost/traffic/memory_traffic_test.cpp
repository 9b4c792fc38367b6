#include "core/cost/traffic/memory_traffic.h"

#include <gmock/gmock.h>

#include <array>

namespace meshslice {
namespace {

using testing::ElementsAre;

/// An output of so many bf16 that a chunk has two bytes.
AllReducedGemm small_output(std::int64_t chips) {
    return {{chips, 1, 1}, chips, DataType::bf16};
}

std::array<double, dram_sources> chunks(std::int64_t chips, Reduction reduction) {
    std::array<double, dram_sources> all = dram_traffic(small_output(chips), reduction).bytes;
    for (double& one : all) {
        one /= 2;
    }
    return all;
}

/// GEMM writes, then reads and writes of the reduce-scatter and of the all-gather, in chunks.
TEST(MemoryTraffic, IsThePapersByHand) {
    EXPECT_THAT(chunks(8, Reduction::by_units), ElementsAre(8, 15, 8, 7, 7));
    EXPECT_THAT(chunks(8, Reduction::near_memory), ElementsAre(8, 7, 7, 7, 7));
    EXPECT_THAT(chunks(8, Reduction::fused), ElementsAre(7, 6, 7, 7, 7));
    EXPECT_THAT(chunks(16, Reduction::by_units), ElementsAre(16, 31, 16, 15, 15));
    EXPECT_THAT(chunks(16, Reduction::fused), ElementsAre(15, 14, 15, 15, 15));
    EXPECT_THAT(chunks(32, Reduction::by_units), ElementsAre(32, 63, 32, 31, 31));
    EXPECT_THAT(chunks(32, Reduction::fused), ElementsAre(31, 30, 31, 31, 31));
    // Of two chips the first chunk goes out and the second is its own: nothing is read to be sent.
    EXPECT_THAT(chunks(2, Reduction::fused), ElementsAre(1, 0, 1, 1, 1));
}

/// 45 chunks and 34, 93 and 74, 189 and 154.
TEST(MemoryTraffic, SavesLessOnLargerRings) {
    const auto saved = [](std::int64_t chips) {
        return 1 - dram_traffic(small_output(chips), Reduction::fused).total() /
                       dram_traffic(small_output(chips), Reduction::by_units).total();
    };
    EXPECT_DOUBLE_EQ(saved(8), 1 - 34.0 / 45);
    EXPECT_DOUBLE_EQ(saved(16), 1 - 74.0 / 93);
    EXPECT_DOUBLE_EQ(saved(32), 1 - 154.0 / 189);
}

/// T-NLG's output on eight GPUs, 8192 x 4256: 69,730,304 bytes.
TEST(MemoryTraffic, IsInBytes) {
    const AllReducedGemm gemm = {{8192, 4256, 532}, 8, DataType::bf16};
    EXPECT_EQ(gemm.output_bytes(), 69'730'304);
    EXPECT_EQ(dram_traffic(gemm, Reduction::by_units).of(DramSource::gemm_write), 69'730'304);
    EXPECT_EQ(dram_traffic(gemm, Reduction::fused).of(DramSource::scatter_read), 6.0 / 8 * 69'730'304);
}

} // namespace
} // namespace meshslice
