#include "ui/look/hatch.h"
#include "ui/look/palette.h"

#include <QGuiApplication>
#include <gtest/gtest.h>

#include <array>

namespace meshslice::ui {
namespace {

TEST(Palette, KeepsThePublishedColours) {
    EXPECT_EQ(color(Role::compute, Theme::light), QColor(0x00, 0x72, 0xB2));
    EXPECT_EQ(color(Role::transferHorizontal, Theme::light), QColor(0xE6, 0x9F, 0x00));
    EXPECT_EQ(color(Role::transferVertical, Theme::light), QColor(0x00, 0x9E, 0x73));
    EXPECT_EQ(color(Role::exposed, Theme::dark), QColor(0xFF, 0x8A, 0x3D));
    EXPECT_EQ(color(Role::background, Theme::dark), QColor(0x1E, 0x1F, 0x22));
    EXPECT_EQ(color(Role::text, Theme::light), QColor(0x1A, 0x1A, 0x1A));
}

TEST(Palette, TellsTheThemeOfItsOwnPalettes) {
    EXPECT_EQ(themeOf(widgetPalette(Theme::light)), Theme::light);
    EXPECT_EQ(themeOf(widgetPalette(Theme::dark)), Theme::dark);
}

TEST(Palette, TintsTowardsTheBackground) {
    EXPECT_EQ(tint(Role::compute, Theme::light, 1.0), color(Role::compute, Theme::light));
    EXPECT_EQ(tint(Role::compute, Theme::light, 0.0), color(Role::background, Theme::light));
    // Half way from white to #0072B2: (255 + 0) / 2, (255 + 114) / 2, (255 + 178) / 2, rounded.
    EXPECT_EQ(tint(Role::compute, Theme::light, 0.5), QColor(128, 185, 217));
}

/// Relative luminance and contrast as the Web Content Accessibility Guidelines 2.1 define them.
double luminance(const QColor& color) {
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& one, const QColor& other) {
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

TEST(Palette, TextCanBeRead) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        for (const Role text : {Role::text, Role::quietText}) {
            for (const Role under : {Role::background, Role::panel, Role::grid}) {
                EXPECT_GE(contrast(color(text, theme), color(under, theme)), 4.5);
            }
        }
    }
}

TEST(Palette, WarningsCanBeRead) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        for (const Role under : {Role::background, Role::panel}) {
            EXPECT_GE(contrast(warningText(theme), color(under, theme)), 4.5);
        }
    }
}

TEST(Hatch, StaysWithinItsArea) {
    const QRectF area(3.5, -2, 40, 14);
    const auto lines = hatchLines(area, 5);
    // x + y runs from 1.5 to 55.5: 5, 10, ... 55.
    EXPECT_EQ(lines.size(), 11u);
    for (const QLineF& line : lines) {
        EXPECT_TRUE(area.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p1()));
        EXPECT_TRUE(area.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p2()));
        EXPECT_NEAR(std::fmod(line.x1() + line.y1(), 5.0), 0.0, 1e-9);
    }
    EXPECT_TRUE(hatchLines(QRectF(), 5).empty());
    EXPECT_TRUE(hatchLines(area, 0).empty());
}

} // namespace
} // namespace meshslice::ui
