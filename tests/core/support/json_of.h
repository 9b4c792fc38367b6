#pragma once

#include "core/base/json/tree.h"

#include <nlohmann/json_fwd.hpp>

namespace meshslice {

/// Values as another program reads them.
[[nodiscard]] nlohmann::json json_of(const Tree& values);

} // namespace meshslice
