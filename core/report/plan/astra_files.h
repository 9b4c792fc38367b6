#pragma once

#include "core/report/plan/step_graph.h"

#include <string>

namespace meshslice {

// What ASTRA-sim 2 reads with the traces of a plan (astra-sim.github.io: system, network and communicator
// groups of its analytical backends).

/// {"1": [0, 1, 2, 3], ...}
[[nodiscard]] std::string astra_groups(const StepGraph& graph);
/// The levels that the plan's chips stand on, from the inside out: rings of a torus and switches, with what a
/// chip sends over each, one way, and the latency of a step. ASTRA-sim passes two links at a switch.
[[nodiscard]] std::string astra_network(const PlanModel& model, const StepGraph& graph);
/// One ring algorithm for each level. Tasks take the time that the traces say; with "roofline-enabled" 1 they
/// take that of their FLOP and bytes.
[[nodiscard]] std::string astra_system(const PlanModel& model, const StepGraph& graph);

} // namespace meshslice
