#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"

#include <cstdint>

namespace meshslice {

/// A GEMM on one chip, done tile by tile (MeshSlice paper, section 4.1): a tile of the output stays in the
/// scratchpad of a core while strips of both inputs, one systolic array deep, are fetched from HBM ahead of
/// the strips that multiply; a finished tile is written back while the next one begins. The cores of a chip
/// split the columns of the result, or its rows where that moves fewer bytes.
struct TiledProduct {
    Time time;   ///< with the whole HBM to itself
    Bytes bytes; ///< read from HBM and written to it

    bool operator==(const TiledProduct&) const = default;
};

/// Rows, and columns, of the tile that one core keeps: the size that the hardware file gives, otherwise the
/// largest multiple of the systolic array for which two tiles of sums (4 bytes an element) and two strips of
/// each input fit into the core's scratchpad. 0 where the hardware has no tile size and no scratchpad, or a
/// scratchpad too small for a tile.
[[nodiscard]] std::int64_t output_tile(const Machine& hardware, DataType type);

/// What makes small and thin GEMMs slow, by mechanism: sides are padded to the systolic array; a tile takes
/// the longer of multiplying and of moving its bytes; no core multiplies before the first strips have come,
/// or while the last tile is written. What the tiles do not explain is in the effective fraction of the peak:
/// no GEMM is faster than that. `accumulate`: the output is read before it is written. For hardware with an
/// output tile.
[[nodiscard]] TiledProduct tiled_product(const GemmShape& shape, bool accumulate, const Machine& hardware,
                                         DataType type);

/// Rows, or columns, that HBM hands over in one piece: a TPU keeps 8 x 128 elements together (MeshSlice
/// paper, section 3.1.2).
inline constexpr std::int64_t rows_in_one_piece = 8;

/// HBM bytes of copying `elements` out of (or back into) blocks of `block` rows: each is read and written;
/// where blocks are not contiguous, whole pieces are moved though only the block is wanted.
[[nodiscard]] Bytes copied_bytes(std::int64_t elements, std::int64_t block, DataType type);

} // namespace meshslice
