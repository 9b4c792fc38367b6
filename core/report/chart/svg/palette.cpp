#include "core/report/chart/svg/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice {
namespace {

struct Colors {
    std::uint32_t light;
    std::uint32_t dark;
};

/// By Role. The light column up to `exposed` is the palette of Okabe and Ito, made for all kinds of colour
/// vision; the dark column is the same hues, lightened.
constexpr std::array<Colors, 17> role_colors = {{
    {0x0072B2, 0x4BA3DB}, // compute
    {0xE69F00, 0xF2B63A}, // transferHorizontal
    {0x009E73, 0x35C79B}, // transferVertical
    {0x56B4E9, 0x8ACBF2}, // transferThird
    {0x999999, 0x8A8A8A}, // sync
    {0xCC79A7, 0xDE9DC1}, // launch
    {0xF0E442, 0xE8DC5A}, // slicing
    {0xD55E00, 0xFF8A3D}, // exposed
    {0x99C7E0, 0x30546C}, // backward: compute with 40% of its strength
    {0xCC79A7, 0xDE9DC1}, // weights: as launch, which does not stand next to it
    {0xF0E442, 0xE8DC5A}, // update: as slicing, which does not stand next to it
    {0x999999, 0x8A8A8A}, // waits: as sync, the same
    {0xFFFFFF, 0x1E1F22}, // background
    {0xF5F5F5, 0x26282C}, // panel
    {0xE6E6E6, 0x34363B}, // grid
    {0x1A1A1A, 0xE6E6E6}, // text
    {0x5E5E5E, 0xA9ABB0}, // quietText
}};

std::uint8_t mix(std::uint8_t over, std::uint8_t under, double share) {
    return static_cast<std::uint8_t>(std::lround(over * share + under * (1.0 - share)));
}

} // namespace

Rgb rgb(Role role, Theme theme) {
    const Colors& colors = role_colors[static_cast<std::size_t>(role)];
    const std::uint32_t color = theme == Theme::light ? colors.light : colors.dark;
    return {static_cast<std::uint8_t>(color >> 16U), static_cast<std::uint8_t>((color >> 8U) & 0xFFU),
            static_cast<std::uint8_t>(color & 0xFFU)};
}

Role transfer_role(Axis axis) {
    switch (axis) {
    case Axis::vertical: return Role::transferVertical;
    case Axis::horizontal: return Role::transferHorizontal;
    case Axis::third: break;
    }
    return Role::transferThird;
}

Texture texture(Role role) {
    switch (role) {
    case Role::sync:
    case Role::waits: return Texture::half_height;
    case Role::launch:
    case Role::backward:
    case Role::weights:
    case Role::update:
    case Role::slicing: return Texture::edged;
    case Role::exposed: return Texture::hatched;
    default: return Texture::plain;
    }
}

Rgb edge(Role role, Theme theme) {
    constexpr double strength = 0.5;
    if (role == Role::backward) {
        return rgb(Role::compute, theme);
    }
    const Rgb inside = rgb(role, theme);
    return {mix(inside.red, 0, strength), mix(inside.green, 0, strength), mix(inside.blue, 0, strength)};
}

Rgb tinted(Role role, Theme theme, double share) {
    const Rgb over = rgb(role, theme);
    const Rgb under = rgb(Role::background, theme);
    const double strength = std::clamp(share, 0.0, 1.0);
    return {mix(over.red, under.red, strength), mix(over.green, under.green, strength),
            mix(over.blue, under.blue, strength)};
}

bool reads_black_on(const Rgb& ground) {
    const auto linear = [](std::uint8_t part) {
        const double share = part / 255.0;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    // Relative luminance and contrast, WCAG 2.1.
    const double light =
        0.2126 * linear(ground.red) + 0.7152 * linear(ground.green) + 0.0722 * linear(ground.blue);
    return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05);
}

} // namespace meshslice
