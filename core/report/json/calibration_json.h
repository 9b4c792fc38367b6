#pragma once

#include "core/base/json/tree.h"
#include "core/calibrate/calibration.h"

namespace meshslice {

/// A calibration for other programs: the constants in base units with their standard errors (null
/// where they are not known), how well each fit meets what was measured, and the hardware with them, as in
/// its file.
[[nodiscard]] Tree calibration_values(const Calibration& calibration);

} // namespace meshslice
