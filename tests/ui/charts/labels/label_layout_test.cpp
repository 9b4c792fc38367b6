#include "ui/charts/labels/label_layout.h"

#include <gmock/gmock.h>

namespace meshslice::ui {
namespace {

using ::testing::ElementsAre;

TEST(PlaceLabels, GoesRightFirst) {
    const auto places = placeLabels({{{50, 50}, 5, {30, 10}}}, QRectF(0, 0, 200, 100), {});
    ASSERT_TRUE(places[0].has_value());
    EXPECT_EQ(*places[0], QRectF(59, 45, 30, 10)); // 5 radius and 4 gap, centred in height
}

TEST(PlaceLabels, AvoidsTheEdge) {
    const auto places = placeLabels({{{190, 50}, 5, {30, 10}}}, QRectF(0, 0, 200, 100), {});
    ASSERT_TRUE(places[0].has_value());
    EXPECT_EQ(*places[0], QRectF(151, 45, 30, 10)); // to the left instead
}

TEST(PlaceLabels, NeverOverlaps) {
    std::vector<LabelWish> wishes;
    for (int k = 0; k < 12; ++k) {
        wishes.push_back({{100.0 + 3 * k, 100}, 5, {60, 14}});
    }
    const QRectF bounds(0, 0, 400, 200);
    const auto places = placeLabels(wishes, bounds, {QRectF(0, 80, 400, 4)});
    for (std::size_t one = 0; one < places.size(); ++one) {
        ASSERT_TRUE(places[one].has_value()) << one;
        EXPECT_TRUE(bounds.contains(*places[one]));
        EXPECT_FALSE(places[one]->intersects(QRectF(0, 80, 400, 4)));
        for (std::size_t other = 0; other < one; ++other) {
            EXPECT_FALSE(places[one]->intersects(*places[other])) << one << " and " << other;
        }
        for (const LabelWish& wish : wishes) {
            EXPECT_FALSE(places[one]->intersects(QRectF(wish.anchor.x() - 5, 95, 10, 10)));
        }
    }
}

TEST(PlaceLabels, SaysWhereThereIsNoRoom) {
    const auto places = placeLabels({{{10, 10}, 5, {300, 10}}}, QRectF(0, 0, 100, 100), {});
    EXPECT_FALSE(places[0].has_value());
}

/// In a shaft 16 wide the first dot's label only has room above it, at a distance of 33; the line that leads
/// there runs at x = 50. The second dot's label would go right, over that line, were it alone.
TEST(PlaceLabels, KeepsOffTheLinesThatLeadToLabels) {
    const QRectF bounds(-100, 0, 300, 60);
    const std::vector<QRectF> walls = {{58, 20, 80, 60}, {-40, 20, 82, 60}, {42, 58, 16, 20}};
    const LabelWish first{{50, 50}, 5, {100, 10}};
    const LabelWish second{{45, 40}, 1, {8, 4}};
    const QRectF over(50, 38, 8, 4);
    EXPECT_EQ(placeLabels({second}, bounds, walls, LabelCare::strict)[0], over);
    const auto places = placeLabels({first, second}, bounds, walls, LabelCare::strict);
    EXPECT_EQ(places[0], QRectF(0, 7, 100, 10));
    EXPECT_NE(places[1], over);
    EXPECT_EQ(placeLabels({first, second}, bounds, walls)[1], over); // rather that than no label
}

/// Two dots touch in a shaft from 43 to 57 that ends below them. The upper one has its label above, 5 of
/// radius and 4 of gap away. The lower one's could only be higher up, led to across the upper one, whose it
/// would seem to be.
TEST(PlaceLabels, NeverSeemToBelongToAnotherDot) {
    const std::vector<QRectF> walls = {{-100, 0, 143, 100}, {57, 0, 143, 100}};
    const QRectF bounds(0, 0, 100, 66);
    const std::vector<LabelWish> wishes = {{{50, 50}, 5, {8, 8}}, {{50, 58}, 5, {8, 8}}};
    const auto strict = placeLabels(wishes, bounds, walls, LabelCare::strict);
    EXPECT_EQ(strict[0], QRectF(46, 33, 8, 8));
    EXPECT_FALSE(strict[1].has_value());
    EXPECT_TRUE(placeLabels(wishes, bounds, walls)[1].has_value()); // rather that than no label
}

/// From (0, 0) to (8, 0), four wide on either side, one every four pixels.
TEST(Along, CoversALine) {
    const auto squares = along(QLineF(0, 0, 8, 0), 4);
    EXPECT_THAT(squares, ElementsAre(QRectF(-4, -4, 8, 8), QRectF(0, -4, 8, 8), QRectF(4, -4, 8, 8)));
    EXPECT_TRUE(along(QLineF(), 4).empty());
}

TEST(CloseTogether, GroupsInOrder) {
    const auto groups = closeTogether({{0, 0}, {100, 0}, {3, 4}, {104, 0}, {50, 50}}, 5);
    EXPECT_THAT(groups, ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3), ElementsAre(4)));
}

} // namespace
} // namespace meshslice::ui
