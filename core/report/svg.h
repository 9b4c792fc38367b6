#pragma once

#include "core/report/box.h"
#include "core/report/palette.h"
#include "core/report/text_width.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A text as it stands in XML: markup escaped; what XML 1.0 cannot hold, or is not UTF-8, as U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

/// How a shape is painted.
struct Paint {
    Rgb color;
    bool filled = true;  ///< else an outline
    double stroke = 0;   ///< width of the outline; of a filled shape 0
    std::string title{}; ///< what a browser says under the pointer; empty for nothing
};

/// Where a text stands to its point: it begins, has its middle or ends there.
enum class Anchor : std::uint8_t { start, middle, end };

/// A picture as SVG 1.1, written shape by shape, later ones over earlier ones; plain shapes and texts only,
/// so that browsers, office programs and printers show the same. Lengths are pixels with at most two
/// decimals; the same calls give the same bytes.
class Svg {
  public:
    /// With a title and a description for people who do not see it, on a background.
    Svg(double width, double height, std::string_view title, std::string_view description, Rgb background);

    void rectangle(const Box& box, const Paint& paint);
    void circle(const Box& box, const Paint& paint); ///< inscribed
    void polygon(const std::vector<Point>& corners, const Paint& paint);
    void line(const Point& from, const Point& to, Rgb color, double width);
    /// One line of text whose small letters have their middle at the height of `at`; turned, it reads upward.
    void text(const Point& at, Anchor anchor, std::string_view words, const Letters& letters, Rgb color,
              bool turned = false);

    /// The whole document.
    [[nodiscard]] std::string document() const;

  private:
    void shape(const std::string& element, const Paint& paint);

    std::string out_;
};

} // namespace meshslice
