#pragma once

#include "core/scenario/file/project.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A project that comes with the program, to show something: a scenario with an algorithm to compare, or two
/// variants.
struct ExampleProject {
    std::string file;  ///< "gpt3-32x8.json"
    std::string point; ///< what it shows, in two or three sentences
    Project project;   ///< its variants are named in English
};

/// All of resources/examples, with what resources/docs/examples.md says of each.
[[nodiscard]] const std::vector<ExampleProject>& example_projects();

/// Whether a file of this name with this text is one of them, as it came.
[[nodiscard]] bool is_example(std::string_view file, std::string_view text);

/// What the name of a variant is in the language, where nobody has made it up: "Variant 2", the name of an
/// example's variant, and these with a letter, "A (sliced)". Any other name is what it is. Files and tables
/// have the name itself.
[[nodiscard]] std::string shown_name(const std::string& variant);

} // namespace meshslice
