#pragma once

#include "core/work/memory_use.h"

#include <nlohmann/json_fwd.hpp>

namespace meshslice {

/// Bytes by part, and their `total`.
[[nodiscard]] nlohmann::ordered_json memory_json(const MemoryUse& use);

} // namespace meshslice
