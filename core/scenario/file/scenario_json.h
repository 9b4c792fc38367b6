#pragma once

#include "core/base/json/tree.h"

namespace meshslice {

struct Scenario;

/// What write_scenario() writes, to be part of another file.
[[nodiscard]] Tree scenario_json(const Scenario& scenario);

} // namespace meshslice
