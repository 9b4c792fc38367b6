#include "core/report/chart/palette.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// Okabe and Ito's blue and vermilion; the dark theme lightens them.
TEST(Palette, GivesEachRoleItsColour) {
    EXPECT_EQ(rgb(Role::compute, Theme::light), (Rgb{0x00, 0x72, 0xB2}));
    EXPECT_EQ(rgb(Role::exposed, Theme::light), (Rgb{0xD5, 0x5E, 0x00}));
    EXPECT_EQ(rgb(Role::compute, Theme::dark), (Rgb{0x4B, 0xA3, 0xDB}));
    EXPECT_EQ(rgb(Role::quietText, Theme::light), (Rgb{0x5E, 0x5E, 0x5E})); // the last of the table
}

/// Over white, half of 0x00, 0x72 (114) and 0xB2 (178) is 127.5, 184.5 and 216.5, rounded up.
TEST(Palette, MixesWithTheBackground) {
    EXPECT_EQ(tinted(Role::compute, Theme::light, 0.5), (Rgb{128, 185, 217}));
    EXPECT_EQ(tinted(Role::compute, Theme::light, 0), rgb(Role::background, Theme::light));
    EXPECT_EQ(tinted(Role::compute, Theme::light, 7), rgb(Role::compute, Theme::light));
}

} // namespace
} // namespace meshslice
