#pragma once

#include "core/scenario/scenario.h"

#include <string>

namespace meshslice {

/// Which axes of the mesh have no wrap-around link on this machine although the scenario leaves them closed,
/// and why: "TPU v5e has no wrap-around links along the vertical and horizontal axes of 4x4: ...". Empty
/// where all rings close.
[[nodiscard]] std::string ring_note(const Scenario& scenario);

/// Which numbers of the hardware are assumed or estimated, not measured or published, by what their sources
/// say: "Assumed or estimated: launch, all gather (5.00 us), ...". Empty where none are. Of a plan those that
/// no plan depends on are left out, which their sources say too.
enum class AssumedFor : std::uint8_t { gemms, plans };
[[nodiscard]] std::string assumed_note(const Machine& hardware, AssumedFor what = AssumedFor::gemms);

/// Which numbers differ from the preset that the hardware came from: "The hardware is TPU v4 with HBM
/// bandwidth 615 GB/s instead of 1.23 TB/s (x 0.5)." Empty where none do.
[[nodiscard]] std::string edited_note(const Machine& hardware);

} // namespace meshslice
