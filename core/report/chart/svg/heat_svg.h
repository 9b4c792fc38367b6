#pragma once

#include "core/figure/heat_map.h"

#include <string>
#include <string_view>

namespace meshslice {

/// A heat map as one SVG 1.1 picture in the light theme, 1000 pixels wide: plain shapes and texts. The
/// pointer over a cell shows what it is. `description` is for people who do not see it. The same map gives
/// the same bytes.
[[nodiscard]] std::string heat_svg(const HeatMap& map, std::string_view description);

} // namespace meshslice
