#pragma once

#include "core/figure/role.h"
#include "core/torus/torus.h"

#include <cstdint>

namespace meshslice {

enum class Theme : std::uint8_t { light, dark };

/// A colour in sRGB.
struct Rgb {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    bool operator==(const Rgb&) const = default;
};

/// What tells a role from others without its colour.
enum class Texture : std::uint8_t {
    plain,
    half_height, ///< the lower half of a bar
    edged,       ///< a darker line around it
    hatched
};
[[nodiscard]] Texture texture(Role role);
/// The colour of the line around a bar whose texture has one.
[[nodiscard]] Rgb edge(Role role, Theme theme);

/// What travels along an axis.
[[nodiscard]] Role transfer_role(Axis axis);

/// The one place where colours are named.
[[nodiscard]] Rgb rgb(Role role, Theme theme);
/// The colour with only `share` (0 to 1) of its strength over the background, opaque, so that every file
/// format shows it alike.
[[nodiscard]] Rgb tinted(Role role, Theme theme, double share);

/// Whether black, not white, is the text that can be read on the colour.
[[nodiscard]] bool reads_black_on(const Rgb& ground);

} // namespace meshslice
