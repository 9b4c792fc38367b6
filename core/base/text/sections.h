#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A part of a Markdown text that begins with a heading of the second level.
struct Section {
    std::string title;
    std::vector<std::string> lines; ///< below it, none of them empty

    bool operator==(const Section&) const = default;
};

/// What stands before the first such heading is left out.
[[nodiscard]] std::vector<Section> sections(std::string_view markdown);

} // namespace meshslice
