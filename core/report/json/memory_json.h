#pragma once

#include "core/base/json/tree.h"
#include "core/work/memory_use.h"

namespace meshslice {

/// Bytes by part, and their `total`.
[[nodiscard]] Tree memory_json(const MemoryUse& use);

} // namespace meshslice
