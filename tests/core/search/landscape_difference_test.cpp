#include "core/search/landscape_difference.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

constexpr Time in_ms(std::int64_t count) {
    return Time(count * 1'000'000'000);
}

/// Cells row by row; a time of 0 does not run.
Landscape made(const char* algorithm, std::vector<std::vector<std::int32_t>> meshes,
               std::vector<std::optional<std::int64_t>> slices, const std::vector<int>& times) {
    Landscape land;
    land.algorithm = algorithm;
    land.meshes = std::move(meshes);
    land.slices = std::move(slices);
    for (const int time : times) {
        LandscapeCell cell;
        cell.time = in_ms(time);
        if (time > 0) {
            cell.products.push_back({1, in_ms(time), in_ms(time)});
        }
        land.cells.push_back(cell);
    }
    return land;
}

/// B: 4x2 and 2x4 with S = 1 and 4; A: 2x4, 1x8 with S = 1 and 2. Rows: B's two, then 1x8; columns: best, 1,
/// 2, 4. Both run 2x4 with the best S, 10 ms and 8 ms, and with S = 1, 20 ms and 30 ms.
TEST(LandscapeDifference, HasTheCandidatesOfEither) {
    const Landscape b = made("meshslice", {{4, 2}, {2, 4}}, {std::nullopt, 1, 4}, {5, 5, 6, 8, 30, 9});
    const Landscape a = made("meshslice", {{2, 4}, {1, 8}}, {std::nullopt, 1, 2}, {10, 20, 10, 7, 7, 0});
    const LandscapeDifference grid = landscape_difference(a, b);
    EXPECT_EQ(grid.meshes, (std::vector<InBoth>{{{}, 0}, {0, 1}, {1, {}}}));
    EXPECT_EQ(grid.slices, (std::vector<InBoth>{{0, 0}, {1, 1}, {2, {}}, {{}, 2}}));
    const DifferenceCell best = difference_cell(a, b, grid, 1, 0);
    ASSERT_TRUE(best.in_both());
    EXPECT_DOUBLE_EQ(best.times(), 0.8);
    EXPECT_DOUBLE_EQ(difference_cell(a, b, grid, 1, 1).times(), 1.5);
    EXPECT_EQ(difference_cell(a, b, grid, 0, 0).a, nullptr);
    EXPECT_NE(difference_cell(a, b, grid, 0, 0).b, nullptr);
    EXPECT_EQ(difference_cell(a, b, grid, 1, 2).b, nullptr) << "B does not try S = 2";
    const DifferenceCell neither = difference_cell(a, b, grid, 2, 2);
    EXPECT_TRUE(neither.a == nullptr && neither.b == nullptr) << "A does not run S = 2 on 1x8";
}

/// With the best S of each: 10 to 9 ms (10% less), 10 to 5 (half), 10 to 10, 10 to 12 (1.2 times), one that
/// only A runs. On the second one B does not fit.
TEST(LandscapeDifference, SumsUpTheMeshes) {
    const std::vector<std::vector<std::int32_t>> meshes = {{16, 1}, {8, 2}, {4, 4}, {2, 8}, {1, 16}};
    const Landscape a = made("meshslice", meshes, {std::nullopt}, {10, 10, 10, 10, 10});
    Landscape b = made("meshslice", meshes, {std::nullopt}, {9, 5, 10, 12, 0});
    b.cells[1].fits = false;
    const LandscapeDifference grid = landscape_difference(a, b);
    const DifferenceSummary all = summary(a, b, grid);
    EXPECT_EQ(all.both, 4u);
    EXPECT_EQ(all.faster, 2u);
    EXPECT_EQ(all.slower, 1u);
    EXPECT_EQ(all.misfits, 1u);
    EXPECT_EQ(all.only_a, 1u);
    EXPECT_EQ(all.only_b, 0u);
    EXPECT_EQ(all.most_faster, 1u);
    EXPECT_EQ(all.most_slower, 3u);
    EXPECT_FALSE(difference_cell(a, b, grid, 1, 0).fits());
}

/// Rings have no shape: one of 8 chips laid over 4x2 is that over 2x4, and is not a mesh of two axes.
TEST(LandscapeDifference, RingsAreAlikeByTheirChips) {
    const Landscape tall = made("fsdp", {{4, 2}}, {std::nullopt}, {10});
    const Landscape wide = made("1d-tp", {{2, 4}}, {std::nullopt}, {20});
    const Landscape mesh = made("meshslice", {{4, 2}}, {std::nullopt}, {10});
    EXPECT_EQ(landscape_difference(tall, wide).meshes, (std::vector<InBoth>{{0, 0}}));
    EXPECT_EQ(landscape_difference(tall, mesh).meshes, (std::vector<InBoth>{{{}, 0}, {0, {}}}));
}

} // namespace
} // namespace meshslice
