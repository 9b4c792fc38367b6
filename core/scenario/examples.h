#pragma once

#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace meshslice {

/// A scenario that comes with the program, to show something.
struct ExampleScenario {
    std::string file;  ///< "gpt3-32x8.json"
    std::string point; ///< what it shows, in two or three sentences
    Scenario scenario;
};

/// All of resources/examples, with what resources/docs/examples.md says of each.
[[nodiscard]] const std::vector<ExampleScenario>& example_scenarios();

} // namespace meshslice
