// What goes on inside a chip, cycle by cycle: a systolic array and a warp.

#include "core/execute/chip/systolic_array.h"
#include "core/execute/chip/warp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;

using ChipMatrices = std::vector<std::vector<std::vector<std::int64_t>>>;

ChipMatrices chip_matrices(std::int64_t count, std::int64_t rows, std::int64_t columns, std::int64_t seed) {
    ChipMatrices all;
    for (std::int64_t k = 0; k < count; ++k) {
        all.emplace_back();
        for (std::int64_t row = 0; row < rows; ++row) {
            all.back().emplace_back();
            for (std::int64_t column = 0; column < columns; ++column) {
                all.back().back().push_back((seed + 7 * k + 5 * row + 3 * column) % 11 - 5);
            }
        }
    }
    return all;
}

/// 2 x 2, X = [[1, 2], [3, 4]], W = [[5, 6], [7, 8]]: after two cycles of loading, 1 x 5 in the corner; the
/// first sum, 1 x 5 + 2 x 7, is complete a cycle later.
TEST(SystolicArray, StepsAsWorkedByHand) {
    const auto after = [](std::int64_t cycle) {
        return SystolicRun({{{1, 2}, {3, 4}}}, {{{5, 6}, {7, 8}}}, cycle);
    };
    const SystolicRun run = after(1000);
    EXPECT_EQ(run.cycle(), 6); // past the last one the last
    EXPECT_EQ(run.working(2), 0);
    EXPECT_EQ(after(3).cells()[0].sum, 5);
    EXPECT_EQ(run.working(3), 1);
    EXPECT_EQ(after(4).cells()[0].sum, 15);
    EXPECT_EQ(after(4).cells()[1].sum, 6);
    EXPECT_EQ(after(4).cells()[2].sum, 19);
    EXPECT_EQ(run.working(4), 3);
    EXPECT_EQ(after(5).cells()[3].sum, 22);
    EXPECT_THAT(run.products().front(), ElementsAre(ElementsAre(19, 22), ElementsAre(43, 50)));
    EXPECT_EQ(run.cycles(), 6);
    EXPECT_EQ(systolic_time(2, 2, 1).cycles, 6);
}

/// Whatever the sizes, what comes out is X W, and the cycles are those of the formula: n to load, a row of X
/// a cycle, and 2 (n - 1) until the last has crossed.
TEST(SystolicArray, MultipliesAndTakesItsCycles) {
    for (const std::int64_t size : {1, 2, 3, 5, 8}) {
        for (const std::int64_t rows : {1, 2, 5, 9}) {
            for (const std::int64_t operands : {1, 2, 4}) {
                const ChipMatrices x = chip_matrices(operands, rows, size, 1),
                                   w = chip_matrices(operands, size, size, 4);
                const SystolicRun run(x, w, 1);
                std::int64_t worked = 0;
                for (std::int64_t cycle = 1; cycle <= run.cycles(); ++cycle) {
                    worked += run.working(cycle);
                }
                EXPECT_EQ(worked, operands * rows * size * size);
                const SystolicTime time = systolic_time(size, rows, operands);
                EXPECT_EQ(run.cycles(), time.cycles) << size << ' ' << rows << ' ' << operands;
                std::int64_t idle = 0; // between the first cell that multiplies and the last row of X
                for (std::int64_t cycle = 1; cycle <= time.cycles - 2 * (size - 1); ++cycle) {
                    idle += SystolicRun(x, w, cycle).cells().front().works ? 0 : 1;
                }
                EXPECT_EQ(idle, time.filling + time.waiting);
                EXPECT_EQ(run.working(time.filling), 0);
                EXPECT_GT(run.working(time.filling + 1), 0);
                EXPECT_DOUBLE_EQ(time.utilization, static_cast<double>(worked) /
                                                       static_cast<double>(size * size * run.cycles()));
                for (std::size_t k = 0; k < x.size(); ++k) {
                    for (std::size_t row = 0; row < x[k].size(); ++row) {
                        for (std::size_t column = 0; column < w[k].size(); ++column) {
                            std::int64_t sum = 0;
                            for (std::size_t inner = 0; inner < w[k].size(); ++inner) {
                                sum += x[k][row][inner] * w[k][inner][column];
                            }
                            EXPECT_EQ(run.products()[k][row][column], sum);
                        }
                    }
                }
            }
        }
    }
}

/// 3 lanes take a branch of 4 instructions and 1 lane one of 2, between 1 and 2 that all do: of 4 x 9 lane
/// cycles 4 + 12 + 2 + 8 are active.
TEST(Warp, MasksWhatTakesAnotherBranch) {
    const std::vector<WarpStretch> timeline = warp_timeline({{3, 4}, {1, 2}}, 1, 2);
    ASSERT_EQ(timeline.size(), 4u);
    EXPECT_EQ(timeline[1], (WarpStretch{1, 5, {true, true, true, false}}));
    EXPECT_EQ(timeline[2], (WarpStretch{5, 7, {false, false, false, true}}));
    EXPECT_EQ(timeline.back().ends, 9);
    EXPECT_DOUBLE_EQ(active_share(timeline), 26.0 / 36);
    EXPECT_DOUBLE_EQ(active_share(warp_timeline({{32, 10}}, 0, 0)), 1);
}

} // namespace
} // namespace meshslice
