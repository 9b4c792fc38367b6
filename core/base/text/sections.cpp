#include "core/base/text/sections.h"

#include <algorithm>

namespace meshslice {

std::vector<Section> sections(std::string_view markdown) {
    constexpr std::string_view heading = "## ";
    std::vector<Section> found;
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.starts_with(heading)) {
            found.push_back({std::string(line.substr(heading.size())), {}});
        } else if (!found.empty() && !line.empty()) {
            found.back().lines.emplace_back(line);
        }
    }
    return found;
}

} // namespace meshslice
