#pragma once

#include "core/base/run_control.h"
#include "core/scenario/scenario.h"
#include "core/tune/dataflow.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A dataflow for every layer of a block and what it makes of the training step, by estimate.
struct DataflowPlan {
    std::vector<LayerDataflow> layers;
    std::vector<Time> times; ///< of each layer: its three passes, all copies
    Time time;               ///< of all layers; transpositions cost none here
    std::vector<std::size_t> transpositions;

    bool operator==(const DataflowPlan&) const = default;
};

/// A dataflow that a scenario can ask for: the same for every layer, or none, where the largest matrix of
/// each layer stays. Nothing is transposed.
struct SharedDataflow {
    std::optional<Stationary> stationary;
    Time time; ///< of all layers, by estimate

    bool operator==(const SharedDataflow&) const = default;
};

/// Phase 1 of the autotuner (paper, section 3.2.1) next to the exact answer, on the scenario's mesh.
struct DataflowSearch {
    std::string algorithm; ///< id
    std::vector<std::int32_t> mesh;
    std::vector<FullyConnectedLayer> layers;
    DataflowPlan heuristic;    ///< the paper's: the largest matrix stays
    DataflowPlan y_everywhere; ///< what a framework does by default: nothing is ever transposed (Table 2)
    DataflowPlan fastest;      ///< of all 6^layers plans, of equals the one with fewest transpositions
    DataflowPlan untransposed; ///< the fastest without any transposition between layers
    std::vector<SharedDataflow> shared; ///< the fastest first; of equals the one that leaves it open
};

/// Estimates every layer in all three rows of Table 1 and their transposed versions, with the best slice
/// counts, and adds them up in every combination, on a healthy machine. Refused for one GEMM alone, for
/// algorithms with a rule of their own, and where some plan does not divide over the mesh.
[[nodiscard]] Result<DataflowSearch> search_dataflows(const Scenario& scenario,
                                                      const RunControl& control = {});

} // namespace meshslice
