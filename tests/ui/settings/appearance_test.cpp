#include "ui/look/picture_scale.h"
#include "ui/settings/appearance.h"

#include <QApplication>
#include <QFontInfo>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

class AppearanceTest : public ::testing::Test {
  protected:
    ~AppearanceTest() override {
        look.setTheme(ThemeChoice::system);
        look.setFontPercent(100);
    }
    Appearance look;
};

TEST_F(AppearanceTest, PicturesFollowTheSizeOfTheText) {
    const double usual = QFontInfo(QApplication::font()).pixelSize();
    look.setFontPercent(150);
    EXPECT_DOUBLE_EQ(pictureScale(), 1.5);
    EXPECT_NEAR(QFontInfo(QApplication::font()).pixelSize(), 1.5 * usual, 1);
    look.setFontPercent(1000);
    EXPECT_DOUBLE_EQ(pictureScale(), Appearance::most_percent / 100.0);
    look.setFontPercent(100);
    EXPECT_DOUBLE_EQ(pictureScale(), 1);
}

/// Contrast of 4.5 to 1 or more, where a desktop's own palette may have less.
TEST_F(AppearanceTest, QuietTextCanBeReadInEveryTheme) {
    for (const ThemeChoice choice : {ThemeChoice::system, ThemeChoice::light, ThemeChoice::dark}) {
        look.setTheme(choice);
        const auto light = [](const QColor& color) {
            const auto linear = [](double part) {
                return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
                   0.0722 * linear(color.blueF()) + 0.05;
        };
        const QPalette palette = QApplication::palette();
        const double text = light(palette.color(QPalette::PlaceholderText));
        const double ground = light(palette.color(QPalette::Window));
        EXPECT_GE(std::max(text, ground) / std::min(text, ground), 4.5) << name(choice).toStdString();
        EXPECT_EQ(palette.color(QPalette::PlaceholderText).alpha(), 255);
    }
}

} // namespace
} // namespace meshslice::ui
