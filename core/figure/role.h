#pragma once

#include <cstddef>
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
    exposed,  ///< drawn as a hatch over the bar
    backward, ///< a backward pass, next to forward ones in the colour of computation
    weights,  ///< gradients of weights that are made apart from the backward pass
    update,   ///< the optimizer's step
    waits,    ///< for another part of the machine
    background,
    panel, ///< a quiet area next to the picture
    grid,
    text,
    quietText,
};
/// Those of bars, which come first.
inline constexpr std::size_t bar_roles = 12;

} // namespace meshslice
