#pragma once

#include "core/work/work.h"

#include <string_view>

namespace meshslice {

/// Forward pass, backward pass and Adam's update.
extern const Workload training;

// Tasks of a block, by name; those of its matrices are in core/model/block.h.
inline constexpr std::string_view attention_task = "attention"; ///< both products and the softmax
inline constexpr std::string_view activation_task = "activation";
// And at both ends of a stack:
inline constexpr std::string_view embedding_task = "embedding";
inline constexpr std::string_view head_task = "head";

} // namespace meshslice
