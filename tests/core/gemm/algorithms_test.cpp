#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// K = 12288 over 32 x 8: 384 and 1536 on one chip; in blocks of 8 that is 48 and 192, whose common divisors
/// are those of 48.
TEST(SliceCounts, DivideTheBlocksOnOneChip) {
    const Torus torus = *Torus::create({32, 8});
    EXPECT_THAT(slice_counts({262144, 49152, 12288}, Dataflow::OS, torus, 8),
                ElementsAre(1, 2, 3, 4, 6, 8, 12, 16, 24, 48));
    EXPECT_THAT(slice_counts({262144, 49152, 12288}, Dataflow::OS, torus, 7), ElementsAre(1));
    // LS slices N: 49152 / 32 = 1536 in blocks of 512 is 3.
    EXPECT_THAT(slice_counts({262144, 49152, 12288}, Dataflow::LS, torus, 512), ElementsAre(1, 3));
}

TEST(FittingMeshes, AreThoseOverWhichEveryShardIsEqual) {
    // M = 4, N = 6, K = 12, OS on 6 chips: rows divide 4 and 12, columns divide 6 and 12.
    EXPECT_THAT(fitting_meshes({4, 6, 12}, Dataflow::OS, 6),
                ElementsAre(ElementsAre(2, 3), ElementsAre(1, 6)));
}

TEST(Algorithms, SayWhatDoesNotFitAndWhatWould) {
    const auto mesh =
        (*algorithm("collective"))->write({262144, 36864, 12288}, Dataflow::OS, *Torus::create({7, 13}), {});
    ASSERT_FALSE(mesh);
    EXPECT_THAT(mesh.error().sentence, HasSubstr("The mesh 7x13 has 91 chips; M = 262144"));
    EXPECT_THAT(mesh.error().sentence, HasSubstr("does not divide by 7"));
    EXPECT_THAT(mesh.error().sentence, HasSubstr("Meshes of 96 chips that work: 32x3"));

    const auto slices =
        (*algorithm("meshslice"))->write({64, 64, 64}, Dataflow::OS, *Torus::create({2, 2}), {5, 8});
    ASSERT_FALSE(slices);
    EXPECT_THAT(slices.error().sentence, HasSubstr("Slice counts that work: 1, 2, 4."));

    const auto axes =
        (*algorithm("meshslice"))
            ->write({64, 64, 64}, Dataflow::OS, *Torus::create(std::vector<std::int32_t>{8}), {});
    ASSERT_FALSE(axes);
    EXPECT_THAT(axes.error().sentence, HasSubstr("mesh of two"));

    const auto unknown = algorithm("cannonball");
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().sentence, HasSubstr("cannon, summa, collective, wang, meshslice"));
}

TEST(Algorithms, DescribeThemselves) {
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_FALSE(algorithm.title.empty());
        EXPECT_TRUE(algorithm.summary.ends_with('.')) << algorithm.id;
        EXPECT_TRUE(algorithm.needs.ends_with('.')) << algorithm.id;
        EXPECT_FALSE(algorithm.source.empty());
        EXPECT_FALSE(algorithm.dataflows.empty());
    }
}

} // namespace
} // namespace meshslice
