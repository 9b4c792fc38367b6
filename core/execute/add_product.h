#pragma once

#include <cstdint>

namespace meshslice {

/// Adds the product of `left`, rows x inner, and `right`, inner x columns, to `result`, rows x columns. All
/// are column after column without gaps, so that some columns of a matrix are one too. For std::int64_t,
/// float and double: translating a product takes seconds, so that it is done once for each.
template <class Number>
void add_product(const Number* left, const Number* right, Number* result, std::int64_t rows,
                 std::int64_t inner, std::int64_t columns);

} // namespace meshslice
