#include "core/report/chart/svg/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

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

using Linear = std::array<double, 3>;
using Matrix = std::array<Linear, 3>;

/// Colour vision that lacks one kind of cone altogether: G. M. Machado, M. M. Oliveira and L. A. F.
/// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE Transactions on
/// Visualization and Computer Graphics 15 (6), 2009, table 1, severity 1.0; of linear RGB.
constexpr Matrix deuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix protanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};

Linear linear(const Rgb& color) {
    const auto channel = [](std::uint8_t byte) {
        const double share = byte / 255.0;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return {channel(color.red), channel(color.green), channel(color.blue)};
}

Linear seen(const Matrix& eye, const Linear& color) {
    Linear out{};
    for (std::size_t k = 0; k < out.size(); ++k) {
        out[k] = std::clamp(eye[k][0] * color[0] + eye[k][1] * color[1] + eye[k][2] * color[2], 0.0, 1.0);
    }
    return out;
}

/// CIE 1976 L*a*b* of linear sRGB, white point D65.
Linear lab(const Linear& rgb) {
    const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = root((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047);
    const double y = root(0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]);
    const double z = root((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Matrix& eye, Role one, Role other, Theme theme) {
    const Linear a = lab(seen(eye, linear(rgb(one, theme))));
    const Linear b = lab(seen(eye, linear(rgb(other, theme))));
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Any two of these may touch in a picture. A difference of 2.3 can just be seen; 15 is plain at a glance.
/// Nearer ones must differ in texture: by height, by an edge, by a hatch.
TEST(Palette, NeighboursDifferForPeopleWhoLackACone) {
    constexpr std::array roles = {Role::compute,
                                  Role::transferHorizontal,
                                  Role::transferVertical,
                                  Role::transferThird,
                                  Role::sync,
                                  Role::launch,
                                  Role::slicing,
                                  Role::exposed};
    for (const Theme theme : {Theme::light, Theme::dark}) {
        for (const Matrix& eye : {deuteranopia, protanopia}) {
            for (std::size_t a = 0; a < roles.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    if (texture(roles[a]) == texture(roles[b])) {
                        EXPECT_GE(distance(eye, roles[a], roles[b], theme), 15) << a << " and " << b;
                    }
                }
            }
        }
    }
}

/// The simulation itself, by hand: what has no colour looks as it is, and red and green of equal lightness
/// come close.
TEST(Palette, TheSimulatedEyeKeepsGreysAndLosesRedAgainstGreen) {
    for (const Matrix& eye : {deuteranopia, protanopia}) {
        for (const Linear& row : eye) {
            EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-5);
        }
    }
    // Launch (pink) and synchronization (grey), far apart for most: the reason for textures.
    EXPECT_LT(distance(deuteranopia, Role::sync, Role::launch, Theme::light), 10);
    EXPECT_NE(texture(Role::sync), texture(Role::launch));
}

/// An edge has half of its bar's light.
TEST(Palette, EdgesAreDarker) {
    EXPECT_EQ(edge(Role::launch, Theme::light),
              (Rgb{0x66, 0x3D, 0x54})); // of 0xCC, 0x79 (121) and 0xA7 (167)
}

} // namespace
} // namespace meshslice
