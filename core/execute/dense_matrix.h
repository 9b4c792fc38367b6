#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// A plain matrix, column after column.
template <class Number>
struct DenseMatrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<Number> data;

    DenseMatrix() = default;
    DenseMatrix(std::int64_t row_count, std::int64_t column_count)
        : rows(row_count), columns(column_count), data(static_cast<std::size_t>(row_count * column_count)) {}

    [[nodiscard]] Number& at(std::int64_t row, std::int64_t column) {
        return data[static_cast<std::size_t>(column * rows + row)];
    }
    [[nodiscard]] const Number& at(std::int64_t row, std::int64_t column) const {
        return data[static_cast<std::size_t>(column * rows + row)];
    }

    bool operator==(const DenseMatrix&) const = default;
};

} // namespace meshslice
