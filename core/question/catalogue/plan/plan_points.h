#pragma once

#include "core/question/sweep.h"

namespace meshslice {

/// How points that are plans of whole training runs are shown, expected times before ideal ones, and what
/// they show; without what asks for them. A point's numbers are `expected_s`, `time_low_s`, `time_high_s` and
/// `expected_flop_utilization` where something is expected of it, `time_s`, `flop_utilization`, `flop` and
/// `plan`; and how well its ratio to others is known.
[[nodiscard]] SweptQuestion shown_plan_points();

} // namespace meshslice
