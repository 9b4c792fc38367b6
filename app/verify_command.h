#pragma once

#include "app/scenario_options.h"

#include <string>

namespace meshslice {

/// `meshslice verify`: one product on real matrices.
struct VerifyCommand {
    ScenarioOptions scenario;
    std::string numbers = "integers";
    std::string seed = "1";
    bool json = false;

    /// Declares the subcommand on the program.
    CLI::App* declare(CLI::App& program);
    /// Runs it and prints; whether the product is right.
    [[nodiscard]] Result<bool> run() const;
};

} // namespace meshslice
