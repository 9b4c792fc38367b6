#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>

namespace meshslice {

/// A local product of matrices is done in parts of about so many multiply-adds: some 10 ms. Between two parts
/// it can be stopped.
inline constexpr std::int64_t most_products_of_a_part = std::int64_t{1} << 24;

/// Calls `visit(first, count)` for columns one stretch after the other, until it is stopped; a column takes
/// so many multiply-adds.
template <class Visit>
void in_parts(std::int64_t columns, std::int64_t products_of_a_column, const std::stop_token& stop,
              Visit visit) {
    const std::int64_t part =
        std::max<std::int64_t>(1, most_products_of_a_part / std::max<std::int64_t>(1, products_of_a_column));
    for (std::int64_t first = 0; first < columns && !stop.stop_requested(); first += part) {
        visit(first, std::min(part, columns - first));
    }
}

} // namespace meshslice
