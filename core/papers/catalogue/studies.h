#pragma once

#include "core/papers/study.h"

#include <string_view>
#include <vector>

namespace meshslice {

/// The studies of all publications, in the order of the publications and of their figures.
[[nodiscard]] const std::vector<Study>& studies();
/// By id; the error lists the ids there are. The pointer stays valid.
[[nodiscard]] Result<const Study*> study(std::string_view id);

} // namespace meshslice
