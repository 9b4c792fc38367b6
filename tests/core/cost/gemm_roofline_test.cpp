#include "core/cost/gemm_roofline.h"
#include "core/cost/operation_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// 100 x 1000 times 1000 x 500 in bf16: 1e8 FLOP; 200 kB + 1 MB + 100 kB. At 1e12 FLOP/s and 1e10 bytes/s the
/// ridge is 100, the arithmetic 100 us, the memory 130 us.
TEST(GemmRoofline, IsWorkedByHand) {
    const RooflineGemm gemm{100, 1000, 500};
    EXPECT_EQ(gemm.flop(), 1e8);
    EXPECT_EQ(gemm.bytes(), 1.3e6);
    EXPECT_EQ(gemm.weight_bytes(), 1e6);
    const GemmRoofline made = gemm_roofline(gemm, 1e12, 1e10);
    EXPECT_EQ(made.bytes, 1.3e6);
    EXPECT_NEAR(made.intensity, 100 / 1.3, 1e-9);
    EXPECT_EQ(made.ridge, 100);
    EXPECT_NEAR(made.compute_s, 1e-4, 1e-15);
    EXPECT_NEAR(made.transfer_s, 1.3e-4, 1e-15);
    EXPECT_FALSE(made.bound_by_compute());
    EXPECT_NEAR(made.flop_per_s, 1e12 / 1.3, 1);
    EXPECT_NEAR(made.least_s(), 1.3e-4, 1e-15);
    EXPECT_NEAR(made.most_s(), 2.3e-4, 1e-15);
    // 1e6 FLOP of a row at the ridge pay for 10 000 bytes, 3000 of them its own: 1e6 / 7000 rows.
    ASSERT_TRUE(made.critical_rows);
    EXPECT_NEAR(*made.critical_rows, 1e6 / 7000, 1e-9);
    RooflineGemm critical = gemm;
    critical.rows = *made.critical_rows;
    EXPECT_NEAR(gemm_roofline(critical, 1e12, 1e10).intensity, 100, 1e-9);
    // The weights alone: 2 x 100 FLOP for 2 bytes of each.
    EXPECT_NEAR(weights_roofline(gemm, 1e12, 1e10).intensity, 100, 1e-9);
    EXPECT_TRUE(weights_roofline(gemm, 1e12, 1e10).bound_by_compute());
    EXPECT_NEAR(*weights_roofline(gemm, 1e12, 1e10).critical_rows, 100, 1e-9);
}

TEST(GemmRoofline, CountsTypesInBits) {
    // 2 x 100 x 1000 / 8 x 4 bits, and so on: 200 kB, 250 kB, 200 kB.
    const RooflineGemm gemm{100, 1000, 500, 16, 4, 32};
    EXPECT_EQ(gemm.bytes(), 200e3 + 250e3 + 200e3);
    EXPECT_EQ(gemm.weight_bytes(), 250e3);
    // Weights of each row: a hundred times as many; two FLOP for each half byte, whatever the batch.
    RooflineGemm own = gemm;
    own.weights_of_each_row = true;
    EXPECT_EQ(own.bytes(), 200e3 + 25e6 + 200e3);
    EXPECT_EQ(weights_roofline(own, 1e12, 1e10).intensity, 4);
    EXPECT_FALSE(gemm_roofline(own, 1e12, 1e10).critical_rows);
}

/// Where D and F are small, their own rows fill the memory: 1 / (1 / 100 - 1 / 150 - 1 / 200) is below 0.
TEST(GemmRoofline, SomeBoundEveryBatch) {
    EXPECT_FALSE(gemm_roofline({1e9, 150, 200}, 1e12, 1e10).critical_rows);
    EXPECT_TRUE(gemm_roofline({1, 150, 400}, 1e12, 1e10).critical_rows);
}

/// The bytes are those that the engine counts for a multiplication that adds to nothing.
TEST(GemmRoofline, BytesAreTheEngines) {
    Multiply multiply;
    multiply.shape = {384, 640, 896}; // m, n, k
    for (const DataType type : {DataType::bf16, DataType::int8}) {
        const std::int64_t bits = meshslice::bits(type);
        const RooflineGemm gemm{384, 896, 640, bits, bits, bits};
        EXPECT_EQ(gemm.bytes(), static_cast<double>(hbm_bytes(multiply, type).value()));
    }
}

} // namespace
} // namespace meshslice
