#pragma once

#include "app/scenario_options.h"

#include <string>
#include <vector>

namespace meshslice {

/// `meshslice tune`: the autotuner, as a ranked table.
struct TuneCommand {
    ScenarioOptions scenario;
    std::vector<std::string> algorithms;
    std::string chips, top = "12", simulate, csv;
    bool fits_memory = false;
    bool dataflows = false;
    bool json = false;

    /// Declares the subcommand on the program.
    CLI::App* declare(CLI::App& program);
    /// Runs it and prints; refuses with a sentence.
    [[nodiscard]] Result<void> run() const;
};

} // namespace meshslice
