#include "core/gemm/algorithms.h"
#include "core/gemm/sharded_gemm.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

#include <limits>

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
    // 48 of them: asked one by one, 16 works and 32 does not; blocks of 7 do not divide 384.
    EXPECT_TRUE(slice_count_works({262144, 49152, 12288}, Dataflow::OS, torus, 8, 16));
    EXPECT_FALSE(slice_count_works({262144, 49152, 12288}, Dataflow::OS, torus, 8, 32));
    EXPECT_TRUE(slice_count_works({262144, 49152, 12288}, Dataflow::OS, torus, 7, 1));
    EXPECT_FALSE(slice_count_works({262144, 49152, 12288}, Dataflow::OS, torus, 7, 2));
    // LS slices N: 49152 / 32 = 1536 in blocks of 512 is 3.
    EXPECT_THAT(slice_counts({262144, 49152, 12288}, Dataflow::LS, torus, 512), ElementsAre(1, 3));
}

/// M = 4, N = 6, K = 12, OS on 6 chips: rows divide 4 and 12, columns divide 6 and 12.
TEST(FitsMesh, WhereEveryShardIsEqual) {
    for (const auto& [sizes, fits] : {std::pair(std::vector{6, 1}, false),
                                      {std::vector{3, 2}, false},
                                      {std::vector{2, 3}, true},
                                      {std::vector{1, 6}, true}}) {
        EXPECT_EQ(fits_mesh({4, 6, 12}, Dataflow::OS, *Torus::create(sizes)).has_value(), fits) << sizes[0];
    }
}

TEST(Algorithms, SayWhatDoesNotFit) {
    const auto mesh =
        (*algorithm("collective"))->write({262144, 36864, 12288}, Dataflow::OS, *Torus::create({7, 13}), {});
    ASSERT_FALSE(mesh);
    EXPECT_THAT(mesh.error().sentence, HasSubstr("The mesh 7x13 has 91 chips; M = 262144"));
    EXPECT_THAT(mesh.error().sentence, HasSubstr("does not divide by 7"));

    const auto slices =
        (*algorithm("meshslice"))->write({64, 64, 64}, Dataflow::OS, *Torus::create({2, 2}), {5, 8});
    ASSERT_FALSE(slices);
    EXPECT_THAT(slices.error().sentence,
                HasSubstr("S = 5 slices of blocks of B = 8 do not divide K = 64 over the mesh 2x2."));

    const auto axes =
        (*algorithm("meshslice"))
            ->write({64, 64, 64}, Dataflow::OS, *Torus::create(std::vector<std::int32_t>{8}), {});
    ASSERT_FALSE(axes);
    EXPECT_THAT(axes.error().sentence, HasSubstr("mesh of two"));

    const auto unknown = algorithm("cannonball");
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().sentence, HasSubstr("cannon, summa, collective, wang, meshslice"));
}

/// Whatever a caller asks for, the answer is a program or a sentence.
TEST(Algorithms, RefuseOptionsThatNoProgramHas) {
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (const char* id : {"summa", "wang", "meshslice"}) {
        for (const GemmOptions& options : {GemmOptions{0, 1}, GemmOptions{-3, 1}, GemmOptions{huge, 1},
                                           GemmOptions{1, 0}, GemmOptions{1, huge}, GemmOptions{1, 1, -1}}) {
            const auto program =
                (*algorithm(id))->write({64, 64, 64}, Dataflow::OS, *Torus::create({2, 2}), options);
            ASSERT_FALSE(program) << id;
            EXPECT_THAT(program.error().sentence, HasSubstr("expected")) << id;
        }
    }
    EXPECT_FALSE(
        (*algorithm("meshslice"))->slice_counts({64, 64, 64}, Dataflow::OS, *Torus::create({2, 2}), {1, 0}));
    const auto third =
        (*algorithm("wang"))
            ->write({64, 64, 64}, Dataflow::OS, *Torus::create({2, 2}), {.decomposed = Axis::third});
    ASSERT_FALSE(third);
    EXPECT_THAT(third.error().sentence, HasSubstr("no third axis"));
    const auto unread =
        (*algorithm("summa"))->write({1024, 1024, 1024}, Dataflow::OS, *Torus::create({128, 1}), {});
    ASSERT_FALSE(unread);
    EXPECT_THAT(unread.error().sentence, HasSubstr("128 panels each"));
}

/// The axis with more traffic is open, so Wang's algorithm decomposes the other, with the counts that divide
/// its ring.
TEST(Algorithms, WangDecomposesARingThatIsOne) {
    const Torus torus = *Torus::create({{4, true}, {6, false}});
    const GemmShape shape{7680, 480, 7680};
    const Algorithm& wang = **algorithm("wang");
    EXPECT_THAT(*wang.slice_counts(shape, Dataflow::OS, torus, {}), ElementsAre(1, 2, 4));
    for (const std::int64_t slices : {1, 2, 4}) {
        EXPECT_TRUE(wang.write(shape, Dataflow::OS, torus, {.slices = slices}));
    }
    EXPECT_FALSE(wang.write(shape, Dataflow::OS, torus, {.slices = 6}));
    EXPECT_THAT(*wang.slice_counts(shape, Dataflow::OS, *Torus::create({4, 6}), {}),
                ElementsAre(1, 2, 3, 4, 6));
    EXPECT_FALSE(wang.write(shape, Dataflow::OS, *Torus::create({{4, false}, {6, false}}), {}));
}

/// What may be chosen, by the algorithms' papers: S where shards are sliced or a loop is unrolled, B where
/// shards are sliced in blocks, packets where panels are streamed, an axis where one collective is taken
/// apart.
TEST(Algorithms, PublishTheirOptions) {
    const auto options = [](std::string_view id) {
        std::vector<OptionId> ids;
        for (const OptionSpec& spec : (*algorithm(id))->options) {
            ids.push_back(spec.id);
        }
        return ids;
    };
    EXPECT_THAT(options("meshslice"), ElementsAre(OptionId::block, OptionId::slices));
    EXPECT_THAT(options("meshslice-dp"), ElementsAre(OptionId::block, OptionId::slices));
    EXPECT_THAT(options("summa"), ElementsAre(OptionId::slices, OptionId::packets));
    EXPECT_THAT(options("wang"), ElementsAre(OptionId::decomposed, OptionId::slices));
    for (const char* id : {"cannon", "collective", "1d-tp", "fsdp", "2.5d"}) {
        EXPECT_THAT(options(id), ElementsAre()) << id;
        EXPECT_FALSE(takes(**algorithm(id), OptionId::slices)) << id;
        EXPECT_FALSE(takes_at_most(**algorithm(id), OptionId::slices)) << id;
    }
    EXPECT_TRUE(takes(**algorithm("meshslice"), OptionId::slices));
    EXPECT_FALSE(takes_at_most(**algorithm("meshslice"), OptionId::slices));
    EXPECT_TRUE(takes_at_most(**algorithm("wang"), OptionId::slices));
    EXPECT_EQ(option(**algorithm("wang"), OptionId::packets), nullptr);
}

/// On a ring of 12 Wang's loop unrolls to 1, 2, 3, 4, 6 or 12 iterations: it takes 5 as 4. MeshSlice takes 5
/// as it is; whether 5 works shows when the program is written.
TEST(Options, AGivenValueIsTakenExactlyOrAsABound) {
    const GemmShape shape{144, 144, 144};
    const Torus torus = *Torus::create({12, 12});
    const auto tried = [&](std::string_view id, std::optional<std::int64_t> given) {
        return *values_to_try(*option(**algorithm(id), OptionId::slices), shape, Dataflow::OS, torus, {},
                              given);
    };
    EXPECT_THAT(tried("wang", std::nullopt), ElementsAre(1, 2, 3, 4, 6, 12));
    EXPECT_THAT(tried("wang", 5), ElementsAre(4));
    EXPECT_THAT(tried("wang", 100), ElementsAre(12));
    EXPECT_THAT(tried("meshslice", 5), ElementsAre(5));
    EXPECT_THAT(tried("meshslice", std::nullopt), ElementsAre(1, 2, 3, 4, 6, 12));
}

TEST(Options, HaveAValueOrAreOpen) {
    GemmOptions options;
    EXPECT_EQ(value(options, OptionId::packets), std::nullopt);
    EXPECT_EQ(value(options, OptionId::decomposed), std::nullopt);
    set_value(options, OptionId::slices, 4);
    set_value(options, OptionId::block, 8);
    set_value(options, OptionId::packets, 16);
    set_value(options, OptionId::decomposed, static_cast<std::int64_t>(Axis::horizontal));
    EXPECT_EQ(options, (GemmOptions{4, 8, 16, Axis::horizontal}));
    EXPECT_EQ(value(options, OptionId::packets), 16);
    EXPECT_EQ(value(options, OptionId::decomposed), 1);
}

TEST(Algorithms, DescribeThemselves) {
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_FALSE(algorithm.title.empty());
        EXPECT_TRUE(algorithm.summary.ends_with('.')) << algorithm.id;
        EXPECT_TRUE(algorithm.needs.ends_with('.')) << algorithm.id;
        EXPECT_FALSE(algorithm.source.empty());
        EXPECT_GT(algorithm.dataflows.size(), 0u);
    }
}

} // namespace
} // namespace meshslice
