#pragma once

#include "core/program/program.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Parts of matrices as the plain runs of elements that links carry. A part has rows(), cols(), and its
/// elements by (row, column).
namespace meshslice::runs {

/// The elements column after column.
template <class Part>
std::vector<typename Part::Scalar> flat(const Part& part) {
    std::vector<typename Part::Scalar> elements;
    elements.reserve(static_cast<std::size_t>(part.rows() * part.cols()));
    for (std::ptrdiff_t column = 0; column < part.cols(); ++column) {
        for (std::ptrdiff_t row = 0; row < part.rows(); ++row) {
            elements.push_back(part(row, column));
        }
    }
    return elements;
}
/// The packets, one after the other, put back in the same order.
template <class Number, class Part>
void unflatten(const std::vector<std::vector<Number>>& packets, Part part) {
    std::ptrdiff_t at = 0;
    for (const std::vector<Number>& packet : packets) {
        for (const Number& number : packet) {
            part(at % part.rows(), at / part.rows()) = number;
            ++at;
        }
    }
}

/// Cuts the elements into as many equal packets as there are chunks.
template <class Number>
void cut(const std::vector<Number>& whole, std::vector<std::vector<Number>>& packets) {
    const std::size_t size = whole.size() / packets.size();
    for (std::size_t k = 0; k < packets.size(); ++k) {
        const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(k * size);
        packets[k].assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
}

/// The elements in the order in which a part of the dimension is contiguous: column after column, or row
/// after row.
template <class Part>
std::vector<typename Part::Scalar> along(Dimension dimension, const Part& matrix) {
    if (dimension == Dimension::columns) {
        return flat(matrix);
    }
    std::vector<typename Part::Scalar> elements;
    for (std::ptrdiff_t row = 0; row < matrix.rows(); ++row) {
        for (std::ptrdiff_t column = 0; column < matrix.cols(); ++column) {
            elements.push_back(matrix(row, column));
        }
    }
    return elements;
}
template <class Number, class Part>
void put_along(Dimension dimension, const std::vector<Number>& elements, Part part) {
    const bool columns = dimension == Dimension::columns;
    const std::ptrdiff_t run = columns ? part.rows() : part.cols();
    std::ptrdiff_t at = 0;
    for (const Number& number : elements) {
        part(columns ? at % run : at / run, columns ? at / run : at % run) = number;
        ++at;
    }
}

/// The columns (or rows) of a shard that make up its `number`-th slice (Algorithm 2).
[[nodiscard]] inline std::vector<std::int64_t> slice_indices(const Slicing& slicing, std::int64_t size,
                                                             std::int64_t number) {
    std::vector<std::int64_t> indices;
    for (std::int64_t begin = number * slicing.block; begin < size; begin += slicing.count * slicing.block) {
        for (std::int64_t offset = 0; offset < slicing.block; ++offset) {
            indices.push_back(begin + offset);
        }
    }
    return indices;
}

} // namespace meshslice::runs
