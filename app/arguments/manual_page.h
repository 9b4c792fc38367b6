#pragma once

#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// A page for the program `man`, made of what the program says of itself.
struct ManualPage {
    std::string program;  ///< "meshslice"
    std::string version;  ///< "meshslice 0.1.0"
    std::string name;     ///< what it is, in one line
    std::string synopsis; ///< "meshslice COMMAND [flags]"
    std::string description;
    std::vector<std::pair<std::string, std::string>> entries = {};  ///< names, each with a sentence
    std::vector<std::pair<std::string, std::string>> sections = {}; ///< headings with text in lines
    std::string see_also = {};                                      ///< another program's page
};

/// In roff, man(7).
[[nodiscard]] std::string roff(const ManualPage& page);

} // namespace meshslice
