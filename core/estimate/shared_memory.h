#pragma once

#include "core/base/quantity.h"
#include "core/estimate/closed_form.h"
#include "core/estimate/stages.h"
#include "core/program/dependencies.h"
#include "core/program/program.h"

#include <vector>

namespace meshslice {

/// Whether all that may run at the same time ever wants more than the memory has, in bytes/s.
[[nodiscard]] bool shares_memory(const Program& program, const std::vector<Stages>& stages, Bandwidth memory);

/// One chip, which stands for all, followed from change to change. Its engines take their operations in turn;
/// what stages move in memory at the same time has its max-min fair part of it, so that rates change only
/// when a stage begins or ends. Once a turn of the loop begins to multiply with the chip as it was a turn
/// before, the turns that follow are alike and are not followed.
[[nodiscard]] LoopTime run_sharing_memory(const Program& program, const std::vector<Stages>& stages,
                                          const std::vector<Dependency>& needs, Bandwidth memory);

} // namespace meshslice
