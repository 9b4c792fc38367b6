#pragma once

#include "core/base/result.h"

#include <string>

namespace CLI {
class App;
}

namespace meshslice {

/// `meshslice reproduce`: the paper's evaluation anew, claim by claim. A deviation is a result, not a
/// failure.
struct ReproduceCommand {
    std::string name = "all"; ///< of a study
    std::string hardware = "tpu-v4-paper";
    std::string out; ///< a folder for tables (CSV) and charts (SVG); empty for none
    bool json = false;
    bool fit = false; ///< fits the hardware to the paper's numbers first

    /// Declares the command with its flags.
    CLI::App* declare(CLI::App& app);
    /// Runs the studies and prints them.
    [[nodiscard]] Result<void> run() const;
};

} // namespace meshslice
