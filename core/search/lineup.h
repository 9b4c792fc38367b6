#pragma once

#include "core/base/run_control.h"
#include "core/step/training_step.h"

#include <string>
#include <vector>

namespace meshslice {

/// One algorithm in a line-up: its run, or the sentence that says why it does not run here.
struct LineupEntry {
    std::string algorithm; ///< id
    std::string title;
    TrainingStep step; ///< one GEMM; empty where there is an objection
    std::string objection;
};

/// Every algorithm on the same GEMM, simulated, in the order of algorithms(), and on a ring of GPUs those for
/// it too: what the paper's Figure 4 tells side by side. The GEMM is the scenario's own, or the `gemm`-th of
/// its model's training step; each algorithm runs it on the scenario's chips, with the scenario's slice count
/// where it can, else with its own best.
[[nodiscard]] Result<std::vector<LineupEntry>> lineup(const Scenario& scenario, std::size_t gemm,
                                                      const RunControl& control = {});

} // namespace meshslice
