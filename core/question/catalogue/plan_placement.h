#pragma once

#include "core/plan/search/space.h"
#include "core/question/question.h"

namespace meshslice {

/// What --placement says: "8,1,1,1", or level by level "2,1,1,1/8,1,1,1". Of what was not said, nothing.
[[nodiscard]] Result<Placed> placement_asked(const Asked& asked);

} // namespace meshslice
