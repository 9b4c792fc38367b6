#pragma once

#include "core/scenario/project.h"

#include <string>
#include <vector>

namespace meshslice {

/// A project that comes with the program, to show something: a scenario with an algorithm to compare, or two
/// variants.
struct ExampleProject {
    std::string file;  ///< "gpt3-32x8.json"
    std::string point; ///< what it shows, in two or three sentences
    Project project;
};

/// All of resources/examples, with what resources/docs/examples.md says of each.
[[nodiscard]] const std::vector<ExampleProject>& example_projects();

} // namespace meshslice
