#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The letters of a text in a picture. Sized in pixels, so that a picture looks the same everywhere.
struct Letters {
    double pixels = 11;
    bool bold = false;
};

/// How wide a UTF-8 text is in such letters, in pixels. A window asks its fonts, a file has none to ask.
using TextWidth = std::function<double(std::string_view text, const Letters& letters)>;

/// The width in DejaVu Sans, to 1/1000 of the letters' size; characters beyond ASCII count as wide as its
/// widest digits or signs. What is laid out by it has room in Verdana, which is as wide, and in Helvetica and
/// Arial, which are narrower.
[[nodiscard]] double dejavu_width(std::string_view text, const Letters& letters);

/// The text, or as much of it as fits with an ellipsis behind; empty where not even one letter does.
[[nodiscard]] std::string fitted(const std::string& text, double width, const Letters& letters,
                                 const TextWidth& measure);

/// Lines of at most `width`, broken between words; a word that is wider has a line of its own. No lines for
/// no words.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double width, const Letters& letters,
                                               const TextWidth& measure);
/// As `wrapped`, but where the parts between "; " fit into lines as they are, lines end there.
[[nodiscard]] std::vector<std::string> wrapped_by_parts(std::string_view text, double width,
                                                        const Letters& letters, const TextWidth& measure);

} // namespace meshslice
