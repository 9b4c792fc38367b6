#include "ui/look/textured.h"

#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

constexpr QRect bar_area(10, 10, 20, 12);

QImage painted(Role role, Theme theme, bool upright = false) {
    QImage image(40, 32, QImage::Format_RGB32);
    image.fill(color(Role::background, theme));
    QPainter painter(&image);
    paintTextured(painter, bar_area, role, theme, upright);
    return image;
}

/// Without any colour a synchronization is half as high as the rest, at the bottom.
TEST(Textured, SynchronizationIsTheLowerHalf) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const QImage image = painted(Role::sync, theme);
        EXPECT_EQ(image.pixelColor(20, 15), color(Role::background, theme));
        EXPECT_EQ(image.pixelColor(20, 16), color(Role::sync, theme));
        EXPECT_EQ(image.pixelColor(20, 21), color(Role::sync, theme));
    }
    const QImage upright = painted(Role::sync, Theme::light, true);
    EXPECT_EQ(upright.pixelColor(19, 11), color(Role::sync, Theme::light));
    EXPECT_EQ(upright.pixelColor(20, 11), color(Role::background, Theme::light));
}

TEST(Textured, LaunchesAndCopiesHaveADarkerEdge) {
    for (const Role role : {Role::launch, Role::slicing}) {
        const QImage image = painted(role, Theme::light);
        for (const QPoint& corner :
             {bar_area.topLeft(), bar_area.topRight(), bar_area.bottomLeft(), bar_area.bottomRight()}) {
            EXPECT_EQ(image.pixelColor(corner), edgeColor(role, Theme::light));
        }
        EXPECT_EQ(image.pixelColor(bar_area.center()), color(role, Theme::light));
        EXPECT_LT(qGray(edgeColor(role, Theme::light).rgb()), qGray(color(role, Theme::light).rgb()));
    }
    EXPECT_TRUE(edgesOf(QRectF(0, 0, 2, 10)).empty()) << "an edge would be all of it";
}

TEST(Textured, TheRestIsPlain) {
    for (const Role role : {Role::compute, Role::transferHorizontal, Role::transferVertical}) {
        const QImage image = painted(role, Theme::dark);
        EXPECT_EQ(image.pixelColor(bar_area.topLeft()), color(role, Theme::dark));
        EXPECT_EQ(image.pixelColor(bar_area.bottomRight()), color(role, Theme::dark));
    }
}

} // namespace
} // namespace meshslice::ui
