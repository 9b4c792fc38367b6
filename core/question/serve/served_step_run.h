#pragma once

#include "core/question/serve/replica.h"
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
/// The recipe for that.
[[nodiscard]] RunKey served_step_key(const ReplicaPtr& replica, const StepBatch& batch,
                                     const std::string& title);

} // namespace meshslice
