#include "core/cost/tiled_product.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// 10^12 FLOP/s on one core with arrays of 100 x 100, 10^12 B/s of HBM, tiles of 1000 x 1000.
Machine tiled_hardware() {
    return tiled_round_hardware(1000);
}

TiledProduct product(const GemmShape& shape, bool accumulate = false, const Machine& on = tiled_hardware()) {
    return tiled_product(shape, accumulate, on, DataType::bf16);
}

/// Two sums of t x t at 4 bytes and two strips of each input, t x 128 at 2 bytes: 8 t^2 + 1024 t <= 64 MB.
/// t = 2765 would fit; 21 arrays of 128 are 2688. Half the scratchpad for each of two cores: t <= 1937.
TEST(TiledProduct, TheTileFillsTheScratchpad) {
    Machine hardware = round_hardware();
    EXPECT_EQ(output_tile(hardware, DataType::bf16), 2688);
    hardware.cores.value = 2;
    EXPECT_EQ(output_tile(hardware, DataType::bf16), 1920);
    hardware.on_chip_memory.value = Bytes(0);
    EXPECT_EQ(output_tile(hardware, DataType::bf16), 0);
    hardware.output_tile.value = 512;
    EXPECT_EQ(output_tile(hardware, DataType::bf16), 512);
}

/// Two tiles of 1000 x 1000 x 1000: 2 GFLOP, so 2 ms each, while 2 MB + 2 MB come and 2 MB go (6 us). The
/// first strips, 2 x 1000 x 100 x 2 B, come in 0.4 us, the last tile goes in 2 us.
TEST(TiledProduct, LargeOnesReachThePeakButForTheirEnds) {
    EXPECT_EQ(product({2000, 1000, 1000}), (TiledProduct{seconds(4002.4e-6), Bytes(12'000'000)}));
    EXPECT_EQ(product({2000, 1000, 1000}, true).bytes, Bytes(16'000'000)); // the sums are read, too
}

/// Two tiles of 2 GFLOP take 4 ms at the peak; a chip that reaches half of it needs 8 ms, ends and all, and
/// one that reaches 99.95% no more than its tiles do.
TEST(TiledProduct, TakesNoLessThanTheShareOfThePeakThatIsReached) {
    Machine half = tiled_hardware();
    half.effective_fraction.value = 0.5;
    EXPECT_EQ(product({2000, 1000, 1000}, false, half).time, seconds(8e-3));
    half.effective_fraction.value = 0.9995;
    EXPECT_EQ(product({2000, 1000, 1000}, false, half).time, seconds(4002.4e-6));
}

/// 150 columns fill two arrays, so 200 are paid for, and a tail of 10 rows after 1000 pays for 100; the tiles
/// at the ends move only what they hold.
TEST(TiledProduct, PadsToTheArray) {
    const double ends = 0.4e-6;
    EXPECT_EQ(product({1000, 150, 1000}).time, seconds(0.4e-3 + 1150 * 200e-12 + 0.3e-6));
    EXPECT_EQ(product({1010, 1000, 1000}).time, seconds(2e-3 + 0.2e-3 + ends + 10 * 1000 * 2e-12));
}

/// K = 1: a tile of 1000 x 1000 is 2 MFLOP padded to 200 MFLOP (200 us), but at 10^10 B/s of HBM 4 kB come
/// and 2 MB go in 200.4 us; then the last tile goes again by itself.
TEST(TiledProduct, ThinOnesWaitForMemory) {
    Machine slow = tiled_hardware();
    slow.hbm_bandwidth.value = Bandwidth(1e10);
    EXPECT_EQ(product({1000, 1000, 1}, false, slow).time, seconds(0.4e-6 + 200.4e-6 + 200e-6));
}

/// Two cores split the columns: half the time at the same peak per core would be a quarter; here the peak is
/// the chip's, so the time stays and A is read twice.
TEST(TiledProduct, CoresSplitColumnsAndEachReadsTheRows) {
    Machine two = tiled_hardware();
    two.cores.value = 2;
    EXPECT_EQ(product({1000, 2000, 1000}, false, two),
              (TiledProduct{seconds(4e-3 + 0.8e-6 + 4e-6), Bytes(4'000'000 + 4'000'000 + 4'000'000)}));
}

/// A tall one is split the other way, and is the same GEMM as its transpose: C^T = B^T A^T.
TEST(TiledProduct, OfTheTransposeIsTheSame) {
    Machine two = tiled_hardware();
    two.cores.value = 2;
    for (const std::int64_t m : {10, 150, 1000, 1010, 2000, 5000}) {
        for (const std::int64_t n : {10, 150, 1000, 1010, 2000, 5000}) {
            for (const bool accumulate : {false, true}) {
                EXPECT_EQ(product({m, n, 700}, accumulate, two), product({n, m, 700}, accumulate, two))
                    << m << " x " << n;
            }
        }
    }
    EXPECT_EQ(product({2000, 1000, 1000}, false, two).bytes, Bytes(12'000'000));
}

/// Memory hands over 8 rows at a time: blocks of 8 are read once and written once. For a block of 1 row, 8
/// are read.
TEST(CopiedBytes, DependOnTheBlock) {
    EXPECT_EQ(copied_bytes(800, 8, DataType::bf16), Bytes(3200));
    EXPECT_EQ(copied_bytes(800, 16, DataType::bf16), Bytes(3200));
    EXPECT_EQ(copied_bytes(800, 4, DataType::bf16), Bytes(1600 * 2 + 1600));
    EXPECT_EQ(copied_bytes(800, 1, DataType::bf16), Bytes(1600 * 8 + 1600));
}

} // namespace
} // namespace meshslice
