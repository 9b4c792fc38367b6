#pragma once

#include "core/question/serve/replica/replica.h"
#include "core/run/run.h"
#include "core/run/run_key.h"

#include <cstddef>
#include <memory>
#include <string>

namespace meshslice {

/// A replica, and the machine whose network joins its chips.
struct ReplicaOnMachine {
    Replica one;
    Machine machine;
};
using ReplicaPtr = std::shared_ptr<const ReplicaOnMachine>;

/// A kind of operation of a step, in words.
[[nodiscard]] std::string operation_word(std::size_t kind);

/// A step of one chip, layer by layer: what it takes of each kind is spread evenly over the layers, as the
/// law gives their sum. An exchange of tensor-parallel chips is the all-reduces of a layer, which open link
/// by link.
[[nodiscard]] RunPtr served_step_run(const ReplicaPtr& replica, const StepBatch& batch,
                                     const std::string& title);
/// A batch from its prompts to its last tokens: the prefill, the first decode steps one by one, and then more
/// and more of them together, each of which opens as served_step_run() of its middle step; below, what they
/// consist of. `prompts`: at once in the prefill; where the two phases have pools of their own, `moved`
/// seconds of transfer come between them.
[[nodiscard]] RunPtr served_batch_run(const ReplicaPtr& replica, double prompts, double moved,
                                      const std::string& title);
/// The recipe for that.
[[nodiscard]] RunKey served_step_key(const ReplicaPtr& replica, const StepBatch& batch,
                                     const std::string& title);

} // namespace meshslice
