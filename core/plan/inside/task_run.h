#pragma once

#include "core/plan/inside/plan_run.h"

#include <cstddef>
#include <optional>

namespace meshslice {

/// The recipe for what is inside a task of a block; none where it does not communicate. `pass`: what it
/// takes.
[[nodiscard]] std::optional<RunKey> task_key(const PlanPtr& plan, std::size_t operation, bool forward,
                                             const LayerPass& pass);

} // namespace meshslice
