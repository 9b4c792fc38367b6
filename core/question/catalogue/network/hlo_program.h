#pragma once

#include "core/base/run_control.h"
#include "core/question/answer.h"
#include "core/question/catalogue/network/hlo_collective.h"
#include "core/sharding/notation.h"

#include <optional>
#include <string>

namespace meshslice {

/// What a program of XLA holds in memory while it runs, and what it communicates; `mesh` names the axes,
/// `chip` has the memory.
[[nodiscard]] Result<Answer> hlo_program_answer(const std::string& path, const std::optional<NamedMesh>& mesh,
                                                const HloChip& chip, const RunControl& control);

} // namespace meshslice
