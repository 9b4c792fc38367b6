#include "ui/charts/cut.h"

#include <QLineF>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(CutTo, LeavesWhatIsInside) {
    const QRectF area(0, 0, 10, 10);
    EXPECT_EQ(cutTo(area, {-5, 5}, {15, 5}), QLineF(0, 5, 10, 5));
    EXPECT_EQ(cutTo(area, {2, 2}, {4, 4}), QLineF(2, 2, 4, 4));
    EXPECT_EQ(cutTo(area, {-5, -5}, {20, 20}), QLineF(0, 0, 10, 10));
    EXPECT_TRUE(cutTo(area, {-5, 20}, {15, 20}).isNull());
    EXPECT_TRUE(cutTo(area, {-5, 1}, {-1, 9}).isNull());
}

} // namespace
} // namespace meshslice::ui
