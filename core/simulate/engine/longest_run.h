#pragma once

#include "core/simulate/machine/plan.h"

namespace meshslice {

/// A bound on how long a run can last, in seconds: every operation after the other, each at the pace of the
/// slowest part, with the longest detour, the latest jitter and the smallest share of a chip's memory.
[[nodiscard]] double longest_run_seconds(const Program& program, const Plans& plans,
                                         const Conditions& conditions);

} // namespace meshslice
