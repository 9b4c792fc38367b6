#pragma once

#include <cstdint>

namespace meshslice {

/// What a colour stands for. A role keeps its colour in every chart, view and export; meaning is never colour
/// alone.
enum class Role : std::uint8_t {
    compute,
    transferHorizontal,
    transferVertical,
    transferThird,
    sync,
    launch,
    slicing,
    exposed, ///< drawn as a hatch over the bar
    background,
    panel, ///< a quiet area beside the picture
    grid,
    text,
    quietText,
};

enum class Theme : std::uint8_t { light, dark };

/// A colour in sRGB.
struct Rgb {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    bool operator==(const Rgb&) const = default;
};

/// The one place where colours are named.
[[nodiscard]] Rgb rgb(Role role, Theme theme);
/// The colour with only `share` (0 to 1) of its strength over the background, opaque, so that every file
/// format shows it alike.
[[nodiscard]] Rgb tinted(Role role, Theme theme, double share);

} // namespace meshslice
