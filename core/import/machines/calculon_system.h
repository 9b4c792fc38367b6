#pragma once

#include "core/base/result.h"
#include "core/import/machines/machine_draft.h"

#include <string>
#include <string_view>

namespace meshslice {

/// A system of Calculon (github.com/calculon-ai/calculon, systems/*.json): peaks, memory, and networks from
/// the inside out. Efficiencies by size are read as those of the largest size. What it has no number for is
/// the chip's own. Refuses what is not such a file, and a network whose size is not a multiple of that
/// within.
[[nodiscard]] Result<MachineDraft> machine_of_calculon(std::string_view json, const Machine& chip,
                                                       const std::string& origin);

} // namespace meshslice
