#pragma once

#include "core/search/landscape.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice {

/// A mesh or a slice count as two landscapes, A and B, have it: its row or column in each; none where that
/// one does not try it.
struct InBoth {
    std::optional<std::size_t> a;
    std::optional<std::size_t> b;

    bool operator==(const InBoth&) const = default;
};

/// One candidate, a mesh with a slice count, in A and in B; null where it is not tried or does not run.
struct DifferenceCell {
    const LandscapeCell* a = nullptr;
    const LandscapeCell* b = nullptr;

    [[nodiscard]] bool in_both() const { return a != nullptr && b != nullptr; }
    [[nodiscard]] bool fits() const { return (a == nullptr || a->fits) && (b == nullptr || b->fits); }
    /// The time of B over that of A; there are both.
    [[nodiscard]] double times() const { return ratio(b->time, a->time); }
};

/// The candidates of two landscapes next to each other: all meshes and slice counts of either, B's in its
/// order, then those that A alone has. Rings are alike where they have as many chips; what has no slice count
/// of its own stands in the column of the best.
struct LandscapeDifference {
    std::vector<InBoth> meshes; ///< the rows
    std::vector<InBoth> slices; ///< the columns: the best of every GEMM, then ascending
};
[[nodiscard]] LandscapeDifference landscape_difference(const Landscape& a, const Landscape& b);

/// A cell of the two landscapes that `difference` was made of, to which it points.
[[nodiscard]] DifferenceCell difference_cell(const Landscape& a, const Landscape& b,
                                             const LandscapeDifference& difference, std::size_t row,
                                             std::size_t column);

/// How B does next to A on the meshes, each with the best slice count of either. What it says of times is
/// about meshes on which both run.
struct DifferenceSummary {
    std::size_t both = 0; ///< meshes on which both run; `faster`, `slower` and the rest are the same
    std::size_t faster = 0;
    std::size_t slower = 0;
    std::size_t misfits = 0; ///< on which both run on paper, and one does not fit into a chip's memory
    std::size_t only_a = 0;
    std::size_t only_b = 0;
    std::optional<std::size_t>
        most_faster; ///< the row with the largest share less; none without a faster one
    std::optional<std::size_t> most_slower;
};
/// Times that are printed alike count as the same.
[[nodiscard]] DifferenceSummary summary(const Landscape& a, const Landscape& b,
                                        const LandscapeDifference& difference);

} // namespace meshslice
