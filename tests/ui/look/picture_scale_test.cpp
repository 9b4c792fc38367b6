#include "ui/look/picture_scale.h"

#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// Whatever the test does, the next one begins with pictures of the usual size.
class PictureScale : public ::testing::Test {
  protected:
    ~PictureScale() override { setPictureScale(1); }
};

TEST_F(PictureScale, IsOneUnlessItIsSet) {
    EXPECT_EQ(pictureScale(), 1);
    EXPECT_EQ(toPicture(QSize(801, 600)), QSize(801, 600));
    EXPECT_EQ(fromPicture({3, 4, 5, 6}), QRect(3, 4, 5, 6));
}

/// At one and a half a picture of 800 pixels is laid out in 534 of its own, 533.3 rounded up.
TEST_F(PictureScale, PicturesHaveFewerAndLargerPixels) {
    setPictureScale(1.5);
    EXPECT_EQ(toPicture(QSize(800, 600)), QSize(534, 400));
    EXPECT_EQ(toPicture(QPoint(31, 29)), QPoint(20, 19));
    EXPECT_EQ(fromPicture({20, 10, 100, 30}), QRect(30, 15, 150, 45));
    // Neighbours stay neighbours, however their edges are rounded.
    EXPECT_EQ(fromPicture({0, 0, 7, 1}).right() + 1, fromPicture({7, 0, 4, 1}).left());
}

} // namespace
} // namespace meshslice::ui
