#pragma once

#include "core/base/result.h"
#include "core/plan/inside/plan_run.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// A task of a block, and whether it is one of the forward pass.
struct TaskTurn {
    std::size_t operation = 0; ///< of ChipTasks
    bool forward = true;
    bool again = false; ///< in a backward pass
};
/// What a block does in a pass, in its order.
[[nodiscard]] std::vector<TaskTurn> block_turns(const ChipTasks& block, Recompute recompute, bool forward);

/// One pass of a micro-batch through a chunk of layers.
struct PassOfStage {
    bool forward = true;
    std::int64_t first = 1; ///< layer of the chunk, from 1
    std::int64_t layers = 1;
    bool embedding = false; ///< with it, where it counts and has the place of a layer
    bool ends = false;      ///< with the output head and the loss, where they count
};

/// The blocks of a pass one after the other, by the closed form: each opens into its tasks (block_run).
[[nodiscard]] Result<RunPtr> pass_run(const PlanPtr& plan, const PassOfStage& pass, const std::string& title);

/// The tasks of one block one after the other, as the closed form adds them up: what computes, what waits for
/// memory, and what is exposed of the tensor-parallel group's communication. A task that communicates opens
/// into its collectives, or the GEMMs of its algorithm (task_run). Backward passes begin with what is
/// computed again.
[[nodiscard]] Result<RunPtr> block_run(const PlanPtr& plan, bool forward, const std::string& title);

} // namespace meshslice
