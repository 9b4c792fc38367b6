#pragma once

#include "core/base/result.h"

#include <string>

namespace CLI {
class App;
}

namespace meshslice {

/// `meshslice presets`: the hardware, models and algorithms that come with the program, as tables.
struct PresetsCommand {
    std::string kind; ///< hardware, models or algorithms; empty: all

    /// Declares the subcommand on the program.
    CLI::App* declare(CLI::App& program);
    /// Prints; refuses an unknown kind.
    [[nodiscard]] Result<void> run() const;
};

} // namespace meshslice
