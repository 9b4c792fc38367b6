#include "ui/charts/label_layout.h"

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

TEST(CloseTogether, GroupsInOrder) {
    const auto groups = closeTogether({{0, 0}, {100, 0}, {3, 4}, {104, 0}, {50, 50}}, 5);
    EXPECT_THAT(groups, ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3), ElementsAre(4)));
}

} // namespace
} // namespace meshslice::ui
