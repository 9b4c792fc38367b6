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
    panel, ///< a quiet area next to the picture
    grid,
    text,
    quietText,
};

} // namespace meshslice
