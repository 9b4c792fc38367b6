#pragma once

#include "core/base/result.h"

#include <string>

namespace CLI {
class App;
}

namespace meshslice {

/// `meshslice calibrate`: the constants of a machine from what was measured on it.
struct CalibrateCommand {
    std::string collectives, gemms; ///< CSV files; at least one
    std::string hardware = "tpu-v4-paper";
    std::string ring = "both";
    std::string data_type = "bf16";
    std::string out, name, residuals; ///< empty: no file, the base's name, no file
    bool json = false;

    /// Declares the command with its flags.
    CLI::App* declare(CLI::App& app);
    /// Fits, prints the fit and writes the hardware file.
    [[nodiscard]] Result<void> run() const;
};

} // namespace meshslice
