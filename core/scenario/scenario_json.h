#pragma once

#include <nlohmann/json_fwd.hpp>

namespace meshslice {

struct Scenario;

/// What write_scenario() writes, to be part of another file.
[[nodiscard]] nlohmann::ordered_json scenario_json(const Scenario& scenario);

} // namespace meshslice
