#pragma once

#include "core/figure/chart.h"

#include <string>
#include <string_view>

namespace meshslice {

/// A text as it stands in XML: markup escaped; what XML 1.0 cannot hold, or is not UTF-8, as U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

/// A chart as one SVG 1.1 picture in the light theme, `width` pixels wide: plain shapes and texts, so that
/// browsers, office programs and printers show the same. Nothing is drawn outside of a panel's axes; the
/// pointer over a mark shows its value. `description` is for people who do not see it. Panels
/// stand under each other where the picture is narrow, and so do a plot and its legend where it is as narrow
/// as a phone. The same chart gives the same bytes.
[[nodiscard]] std::string chart_svg(const Chart& chart, std::string_view description, double width = 1000);

/// How wide a picture of it has to be, in pixels, to be read on a phone: as wide as that, or more where names
/// of bars need it.
[[nodiscard]] double narrow_width(const Chart& chart);

} // namespace meshslice
