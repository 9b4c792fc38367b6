#pragma once

#include "core/base/short_list.h"
#include "core/torus/torus.h"

#include <array>
#include <cstdint>

namespace meshslice {

/// Some of a torus's axes, in an order.
using Axes = ShortList<Axis, 3>;

/// How a matrix lies on a torus: over which axes its rows and its columns are cut, the major axis first.
/// Along an axis that is not named every chip holds a copy. (Scaling book, chapter 3: A[I_XY, J_Z] with its
/// mesh axes as subscripts.)
struct Layout {
    Axes rows;
    Axes columns;
    bool transposed =
        false;      ///< the matrix is stored as its transpose; rows and columns are those of the stored one
    Axes sums = {}; ///< along these every chip holds a partial sum: {U_Z}

    bool operator==(const Layout&) const = default;
};

/// The layouts of A, B and C of one product.
using Layouts = std::array<Layout, 3>;

/// Into how many parts the axes cut a dimension.
[[nodiscard]] std::int64_t parts(const Torus& torus, const Axes& axes);
/// Which of these parts a chip holds.
[[nodiscard]] std::int64_t part_of(const Torus& torus, const Axes& axes, Chip chip);

} // namespace meshslice
