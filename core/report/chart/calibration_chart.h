#pragma once

#include "core/calibrate/calibration.h"
#include "core/figure/chart.h"

namespace meshslice {

/// How far the fit is from each measured time: a panel for the collectives, one for the GEMMs. Whatever the
/// model misses shows as a slope or a step; noise does not.
[[nodiscard]] Chart calibration_chart(const Calibration& calibration);

} // namespace meshslice
