#pragma once

#include "core/study/estimated_step.h"

#include <cstddef>
#include <vector>

namespace meshslice {

/// The places in a step of the products that are unlike in shape, where a product and its transpose (M and N
/// exchanged) are alike: of the twelve of a training step the eight of the paper's section 5.1.4. The first
/// of each.
[[nodiscard]] std::vector<std::size_t> distinct_products(const EstimatedStep& step);

} // namespace meshslice
