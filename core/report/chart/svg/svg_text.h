#pragma once

#include "core/report/chart/svg/palette.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Pixels that a text takes in an SVG picture, about: its font is not known here.
[[nodiscard]] double svg_width(std::string_view text, double size);
/// The text in lines of about this width, broken between words.
[[nodiscard]] std::vector<std::string> svg_lines(std::string_view text, double width, double size);
/// "#0072b2".
[[nodiscard]] std::string hex(const Rgb& color);

} // namespace meshslice
