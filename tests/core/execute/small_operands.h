#pragma once

// Matrices whose products can be worked out by hand, for tests of execution.

#include "core/execute/dense_matrix.h"

#include <cstdint>
#include <random>
#include <type_traits>

namespace meshslice {

/// Small numbers, so that sums of integers are exact and sums of floats are not.
template <class Number>
DenseMatrix<Number> small_operand(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    DenseMatrix<Number> made(rows, columns);
    for (Number& one : made.data) {
        const auto whole = static_cast<std::int64_t>(random() % 19) - 9;
        one = std::is_integral_v<Number> ? static_cast<Number>(whole)
                                         : static_cast<Number>(whole) / static_cast<Number>(7);
    }
    return made;
}

/// By definition, one sum for each element.
inline DenseMatrix<std::int64_t> product_by_hand(const DenseMatrix<std::int64_t>& a,
                                                 const DenseMatrix<std::int64_t>& b) {
    DenseMatrix<std::int64_t> c(a.rows, b.columns);
    for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t column = 0; column < b.columns; ++column) {
            for (std::int64_t k = 0; k < a.columns; ++k) {
                c.at(row, column) += a.at(row, k) * b.at(k, column);
            }
        }
    }
    return c;
}

} // namespace meshslice
