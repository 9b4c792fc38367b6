#pragma once

#include "core/execute/dense_matrix.h"
#include "core/program/program.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// One piece of each of the equal blocks of a matrix along a dimension: of every block, cut into `pieces`,
/// the `piece`-th.
struct BlockPieces {
    Dimension dimension = Dimension::rows;
    std::int64_t blocks = 1;
    std::int64_t piece = 0;
    std::int64_t pieces = 1;
};

/// Visits `(row and column of the whole, row and column of the pieces joined)` of every element of the
/// pieces, column after column.
template <class Visit>
void for_each_of(const BlockPieces& of, std::int64_t rows, std::int64_t columns, Visit visit) {
    const bool by_rows = of.dimension == Dimension::rows;
    const std::int64_t each = (by_rows ? rows : columns) / of.blocks / of.pieces;
    std::vector<std::int64_t> in_whole; ///< by place among the pieces joined
    for (std::int64_t block = 0; block < of.blocks; ++block) {
        for (std::int64_t k = 0; k < each; ++k) {
            in_whole.push_back((block * of.pieces + of.piece) * each + k);
        }
    }
    const std::int64_t joined_rows = by_rows ? rows / of.pieces : rows;
    const std::int64_t joined_columns = by_rows ? columns : columns / of.pieces;
    for (std::int64_t column = 0; column < joined_columns; ++column) {
        for (std::int64_t row = 0; row < joined_rows; ++row) {
            visit(by_rows ? in_whole[static_cast<std::size_t>(row)] : row,
                  by_rows ? column : in_whole[static_cast<std::size_t>(column)], row, column);
        }
    }
}

/// The pieces of all blocks, one after the other along the dimension.
template <class Number>
DenseMatrix<Number> joined(const DenseMatrix<Number>& whole, const BlockPieces& of) {
    const bool by_rows = of.dimension == Dimension::rows;
    DenseMatrix<Number> pieces(by_rows ? whole.rows / of.pieces : whole.rows,
                               by_rows ? whole.columns : whole.columns / of.pieces);
    for_each_of(of, whole.rows, whole.columns,
                [&](std::int64_t row, std::int64_t column, std::int64_t r, std::int64_t c) {
                    pieces.at(r, c) = whole.at(row, column);
                });
    return pieces;
}

/// The other way.
template <class Number>
void put(const DenseMatrix<Number>& pieces, DenseMatrix<Number>& whole, const BlockPieces& of) {
    for_each_of(of, whole.rows, whole.columns,
                [&](std::int64_t row, std::int64_t column, std::int64_t r, std::int64_t c) {
                    whole.at(row, column) = pieces.at(r, c);
                });
}

} // namespace meshslice
