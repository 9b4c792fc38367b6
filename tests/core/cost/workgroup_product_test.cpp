#include "core/cost/workgroup_product.h"
#include "core/machine/catalogue.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// FC-2 of T-NLG on eight GPUs: 8192 x 4256 with k = 4 x 4256 / 8. Tiles of 128: 64 by 33.25, so 64 x 34; 80
/// at once: 27.2 stages, so 28. 2 m n k = 148.4 GFLOP at 1.8e14 a second.
TEST(WorkgroupProduct, IsMadeInStages) {
    const WorkgroupProduct made =
        workgroup_product({8192, 4256, 2128}, *machine_preset("t3-paper"), DataType::bf16);
    EXPECT_EQ(made.workgroups, 64 * 34);
    EXPECT_EQ(made.per_stage, 80);
    EXPECT_EQ(made.stages, 28);
    EXPECT_DOUBLE_EQ(made.compute, 2.0 * 8192 * 4256 * 2128 / 1.8e14);
    EXPECT_EQ(made.written_bytes, 2.0 * 8192 * 4256);
    EXPECT_EQ(made.read_bytes, 2.0 * (8192 + 4256) * 2128);
}

/// Splitting k leaves the stages as they are; two work-groups a unit halve them, to the next whole number.
TEST(WorkgroupProduct, HasStagesByItsOutputAlone) {
    Machine gpu = *machine_preset("t3-paper");
    EXPECT_EQ(workgroup_product({8192, 4256, 16}, gpu, DataType::bf16).stages, 28);
    gpu.ring_stores->workgroups.value = 2;
    EXPECT_EQ(workgroup_product({8192, 4256, 16}, gpu, DataType::bf16).stages, 14);
    EXPECT_EQ(workgroup_product({1, 1, 1}, gpu, DataType::bf16).stages, 1);
}

/// 2048 x 1024 with k = 512, tiles of 128: 8 tiles a row, so 80 at once are 10 rows of tiles, 1280 rows of A.
/// B has 2^20 bytes, those rows of A 1280 x 512 x 2 = 1310720, their part of C 1280 x 1024 x 2 = 2621440.
/// With a cache of 3 MB B stays only where C does not go through it; else it is read for each of two stages.
TEST(WorkgroupProduct, ReadsBAgainWhereTheCacheIsFull) {
    Machine gpu = *machine_preset("t3-paper");
    gpu.on_chip_memory.value = Bytes(3'000'000);
    const GemmShape shape = {2048, 1024, 512};
    const double a = 2048 * 512 * 2, b = 1024 * 512 * 2;
    EXPECT_EQ(gemm_reads(shape, gpu, DataType::bf16, true), a + b);
    EXPECT_EQ(gemm_reads(shape, gpu, DataType::bf16, false), a + 2 * b);
    gpu.on_chip_memory.value = Bytes(2'000'000);
    EXPECT_EQ(gemm_reads(shape, gpu, DataType::bf16, true), a + 2 * b);
    gpu.on_chip_memory.value = Bytes(16'000'000);
    EXPECT_EQ(gemm_reads(shape, gpu, DataType::bf16, false), a + b);
}

} // namespace
} // namespace meshslice
