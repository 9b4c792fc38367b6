#pragma once

#include <cstdint>
#include <vector>

namespace meshslice {

/// An axis of a grid of chips, each joined to the next one by a link for each direction.
struct GridAxis {
    std::int64_t chips = 1;
    bool ring = false; ///< the last is joined to the first; of two chips by a second pair of links
    double rate = 1;   ///< bytes/s of one link, one way
};
using Grid = std::vector<GridAxis>;
[[nodiscard]] std::int64_t chips_of(const Grid& grid);

/// Where a chip stands along each axis, from 0.
using GridPlace = std::vector<std::int64_t>;
/// All places, the last axis changing fastest.
[[nodiscard]] GridPlace place_of(const Grid& grid, std::int64_t chip);

/// The links of a shortest way.
[[nodiscard]] std::int64_t hops_between(const Grid& grid, const GridPlace& from, const GridPlace& to);

/// From chip to chip, both ends included.
using GridWay = std::vector<GridPlace>;
/// Shortest ways between two chips, as many as there are that share no link (Menger, 1927): at most as many
/// as links lead from one towards the other. Where that is possible each goes along axis after axis.
[[nodiscard]] std::vector<GridWay> shortest_ways(const Grid& grid, const GridPlace& from,
                                                 const GridPlace& to);
/// Bytes/s of the slowest link of a way.
[[nodiscard]] double rate_of(const Grid& grid, const GridWay& way);

/// Where bytes from all chips of a grid, equally many from each, meet the narrowest place on their way to one
/// of them.
struct InwardCut {
    std::int64_t chips = 0; ///< whose bytes have to pass
    std::int64_t links = 0; ///< that lead in
    double rate = 0;        ///< bytes/s of these together

    /// For so many bytes from each chip.
    [[nodiscard]] double seconds(double bytes_of_each) const {
        return static_cast<double>(chips) * bytes_of_each / rate;
    }
};
/// By maximum flow: no way to send is faster than its narrowest place allows, and one is as fast (Ford and
/// Fulkerson, 1956). The links into the target are the narrowest place of most grids, but not next to the end
/// of a line.
[[nodiscard]] InwardCut narrowest_cut(const Grid& grid, const GridPlace& target);

} // namespace meshslice
