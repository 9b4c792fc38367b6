#pragma once

#include "core/base/result.h"
#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace meshslice {

/// Told beside estimates of a scenario with faults.
inline constexpr const char* estimates_are_of_a_healthy_machine =
    "Estimates are of a healthy machine: the faults are left out of them.";

/// The command line's flags that describe a scenario, as they were typed. Empty: not given.
struct ScenarioOptions {
    std::string scenario, model, hardware, mesh, wrap, batch, sequence, algorithm, dataflow, slices, block,
        packets, decompose, prefetch, ring, chip, measured, data_type, gemm, jitter, seed;
    std::vector<std::string> faults;

    /// Declares the flags on a command.
    void declare(CLI::App& command);

    /// The scenario they describe: a file's or the default one, changed by every flag that was given.
    [[nodiscard]] Result<Scenario> read() const;
    /// What it reads, where those are files; some are names of presets, or empty.
    [[nodiscard]] std::vector<std::string> files() const { return {scenario, model, hardware, measured}; }
};

/// The hardware that a flag names: a preset, or a hardware file.
[[nodiscard]] Result<Hardware> named_hardware(const std::string& words);

} // namespace meshslice
