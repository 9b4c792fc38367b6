#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/run/run.h"

#include <string>

namespace meshslice {

/// Goes into a run along names of bars, "stage 1 forward 1/layer 1/FF2": each the first bar of this name, or
/// of this place and name, that has something inside. Refuses a name that no such bar has, with some that
/// there are, and what a recipe refuses.
[[nodiscard]] Result<RunPtr> open_path(RunPtr run, const std::string& path, const RunControl& control = {});

} // namespace meshslice
