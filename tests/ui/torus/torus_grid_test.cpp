#include "ui/torus/torus_grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace meshslice::ui {
namespace {

Torus torusOf(const std::vector<std::int32_t>& sizes) {
    return Torus::create(sizes).value();
}

const QRectF picture_area(0, 0, 800, 600);

TEST(TorusGrid, RowsGoDownAndColumnsToTheRight) {
    const TorusGrid grid(torusOf({2, 3}), picture_area);
    const QPointF first = grid.core(0).center();
    EXPECT_DOUBLE_EQ(grid.core(1).center().y(), first.y()) << "chip 0,1 is in the same row";
    EXPECT_DOUBLE_EQ(grid.core(1).center().x(), first.x() + grid.cell());
    EXPECT_DOUBLE_EQ(grid.core(3).center().x(), first.x()) << "chip 1,0 is in the same column";
    EXPECT_DOUBLE_EQ(grid.core(3).center().y(), first.y() + grid.cell());
}

/// Everything is within the picture_area, nothing covers another thing, and pointing at it finds it.
TEST(TorusGrid, EveryPartHasAPlaceOfItsOwn) {
    for (const std::vector<std::int32_t>& sizes : {std::vector{4, 4},
                                                   {1, 8},
                                                   {8, 1},
                                                   {2, 2},
                                                   {32, 8},
                                                   {4, 4, 4},
                                                   {16},
                                                   {7},
                                                   {3},
                                                   {2},
                                                   {1},
                                                   {64, 4},
                                                   {32, 1},
                                                   {4, 64},
                                                   {128, 2},
                                                   {33, 2}}) {
        const Torus torus = torusOf(sizes);
        const TorusGrid grid(torus, picture_area);
        ASSERT_TRUE(grid.showsLinks());
        std::vector<std::pair<TorusPart, QRectF>> parts;
        for (Chip chip = 0; chip < torus.chips(); ++chip) {
            parts.emplace_back(TorusPart{chip, std::nullopt}, grid.core(chip));
        }
        for (const Link& link : torus.links()) {
            parts.emplace_back(TorusPart{link.chip, link}, grid.lane(link).rect());
        }
        for (std::size_t k = 0; k < parts.size(); ++k) {
            EXPECT_TRUE(picture_area.contains(parts[k].second)) << shape_text(torus) << " part " << k;
            for (std::size_t other = k + 1; other < parts.size(); ++other) {
                const QRectF shared = parts[k].second.intersected(parts[other].second);
                EXPECT_LE(shared.width() * shared.height(), 1.0)
                    << shape_text(torus) << ": parts " << k << " and " << other;
            }
            const auto found = grid.at(parts[k].second.center());
            ASSERT_TRUE(found) << shape_text(torus) << " part " << k;
            EXPECT_EQ(*found, parts[k].first) << shape_text(torus) << " part " << k;
        }
    }
}

/// 64 rows of 4 in one column of blocks would have cells of 600 / 64 = 9 pixels; four blocks of 16 rows, 48
/// pixels apart, have 600 / 16 = 37.5: (800 - 3 x 48) / (4 x 4) = 41 would fit across.
TEST(TorusGrid, ATallMeshGoesOnToTheRight) {
    const TorusGrid grid(torusOf({64, 4}), picture_area);
    EXPECT_DOUBLE_EQ(grid.cell(), 37.5);
    const auto blocks = grid.blocks();
    ASSERT_EQ(blocks.size(), 4u);
    EXPECT_EQ(blocks[1].first, 16);
    EXPECT_EQ(blocks[1].last, 31);
    EXPECT_EQ(blocks[1].along, Axis::vertical);
    EXPECT_DOUBLE_EQ(blocks[1].area.left(), blocks[0].area.right() + 48);
    EXPECT_TRUE(blocks[1].area.contains(grid.core(16 * 4)));
    EXPECT_DOUBLE_EQ(grid.core(16 * 4).top(), grid.core(0).top()) << "chip 16,0 is the first of its block";
    EXPECT_TRUE(grid.lane({15 * 4, Axis::vertical, Direction::forward}).stub) << "to 16,0, in the next block";
    EXPECT_TRUE(grid.lane({16 * 4, Axis::vertical, Direction::backward}).stub);
    EXPECT_FALSE(grid.lane({14 * 4, Axis::vertical, Direction::forward}).stub);
    EXPECT_FALSE(grid.lane({15 * 4, Axis::horizontal, Direction::forward}).stub);
    // On its side the blocks stand below each other.
    const auto below = TorusGrid(torusOf({4, 64}), QRectF(0, 0, 600, 800)).blocks();
    ASSERT_EQ(below.size(), 4u);
    EXPECT_EQ(below[3].along, Axis::horizontal);
    EXPECT_EQ(below[3].last, 63);
    EXPECT_DOUBLE_EQ(below[1].area.top(), below[0].area.bottom() + 48);
}

TEST(TorusGrid, AMeshWithRoomStaysInOne) {
    for (const std::vector<std::int32_t>& sizes :
         {std::vector{4, 4}, {8, 1}, {16, 16}, {16, 8}, {256, 256}, {16}}) {
        EXPECT_TRUE(TorusGrid(torusOf(sizes), picture_area).blocks().empty()) << sizes[0];
    }
}

TEST(TorusGrid, WhatWrapsAroundEndsInAStub) {
    const TorusGrid grid(torusOf({4, 4}), picture_area);
    EXPECT_FALSE(grid.lane({0, Axis::horizontal, Direction::forward}).stub);
    EXPECT_TRUE(grid.lane({0, Axis::horizontal, Direction::backward}).stub);
    EXPECT_TRUE(grid.lane({3, Axis::horizontal, Direction::forward}).stub);
    EXPECT_TRUE(grid.lane({12, Axis::vertical, Direction::forward}).stub);
    const TorusGrid ring(torusOf({16}), picture_area);
    for (Chip chip = 0; chip < 15; ++chip) {
        EXPECT_FALSE(ring.lane({chip, Axis::vertical, Direction::forward}).stub) << chip;
    }
    EXPECT_TRUE(ring.lane({15, Axis::vertical, Direction::forward}).stub);
}

/// Seen straight from the front the near layer is larger than the far one, which it covers; rows go down and
/// columns to the right as ever.
TEST(TorusGrid, LayersStandBehindEachOtherInSpace) {
    const TorusGrid grid(torusOf({2, 2, 2}), picture_area, TorusTurn{0, 0});
    ASSERT_TRUE(grid.inSpace());
    EXPECT_GT(grid.core(0).width(), grid.core(1).width()) << "chip 0,0,0 is nearer than 0,0,1";
    EXPECT_DOUBLE_EQ(grid.core(0).center().y(), grid.core(2).center().y()) << "0,1,0 is in the same row";
    EXPECT_LT(grid.core(0).center().x(), grid.core(2).center().x());
    EXPECT_DOUBLE_EQ(grid.core(0).center().x(), grid.core(4).center().x()) << "1,0,0 is in the same column";
    EXPECT_LT(grid.core(0).center().y(), grid.core(4).center().y());
    EXPECT_EQ(grid.order().back() % 2, 0) << "near ones are painted last";
    EXPECT_EQ(grid.order().front() % 2, 1);
    // Turned by a quarter the third axis goes to the right.
    const TorusGrid side(torusOf({2, 2, 2}), picture_area, TorusTurn{1.5707963267948966, 0});
    EXPECT_LT(side.core(0).center().x() + 1, side.core(1).center().x());
    EXPECT_FALSE(TorusGrid(torusOf({4, 4}), picture_area, TorusTurn{}).inSpace()) << "two axes are flat";
}

/// However it is turned, every core and lane is within the picture, what wraps around ends in a stub on each
/// of the three axes, and pointing at a core that nothing covers finds it.
TEST(TorusGrid, StaysInThePictureHoweverItIsTurned) {
    const Torus torus = torusOf({4, 4, 4});
    for (const TorusTurn turn :
         {TorusTurn{}, TorusTurn{0, 0}, TorusTurn{1, 1.4}, TorusTurn{-2.5, -1.4}, TorusTurn{0.785, 0.615}}) {
        const TorusGrid grid(torus, picture_area, turn);
        ASSERT_TRUE(grid.showsLinks());
        int stubs = 0;
        for (const Link& link : torus.links()) {
            EXPECT_TRUE(picture_area.contains(grid.lane(link).outline().boundingRect()));
            stubs += grid.lane(link).stub ? 1 : 0;
        }
        EXPECT_EQ(stubs, 3 * 2 * 16) << "both ends of 16 rings along each of three axes";
        for (Chip chip = 0; chip < torus.chips(); ++chip) {
            EXPECT_TRUE(picture_area.contains(grid.core(chip)));
        }
        const Chip nearest = grid.order().back();
        EXPECT_EQ(grid.at(grid.core(nearest).center()), (TorusPart{nearest, std::nullopt}));
    }
}

TEST(TorusGrid, TurnsRoundAndTipsNearlyUpright) {
    EXPECT_NEAR(turned({3, 0}, 0.5, 0).yaw, 3.5 - 6.283185307, 1e-6);
    EXPECT_DOUBLE_EQ(turned({0, 1}, 0, 5).pitch, 1.4);
    EXPECT_DOUBLE_EQ(turned({0, 1}, 0, -5).pitch, -1.4);
}

TEST(TorusGrid, ManyChipsShowTheirCoresAlone) {
    const TorusGrid grid(torusOf({256, 256}), picture_area);
    EXPECT_FALSE(grid.showsLinks());
    EXPECT_GE(grid.core(0).width(), 1);
    EXPECT_EQ(grid.at(grid.core(65535).center()), (TorusPart{65535, std::nullopt}));
}

} // namespace
} // namespace meshslice::ui
