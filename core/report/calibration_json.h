#pragma once

#include "core/calibrate/calibration.h"

#include <string>

namespace meshslice {

/// A calibration as JSON for other programs: the constants in base units with their standard errors (null
/// where they are not known), how well each fit meets what was measured, and the hardware with them, as in
/// its file.
[[nodiscard]] std::string calibration_json(const Calibration& calibration);

} // namespace meshslice
