#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <array>
#include <cstdint>
#include <vector>

namespace meshslice {

/// A torus of k x k x 2k or k x 2k x 2k chips whose short axes close with a twist: what leaves a short axis
/// at its end comes back half of each long axis further on, so that the way along the long axes is shortened.
/// The lattices FCC and BCC (Camarero, Martinez, Beivide: Lattice Graphs for High-Scale Interconnection
/// Topologies, 2015), which TPU v4 takes for such slices (Jouppi et al., arXiv 2304.01433). Every chip sees
/// the same, and so does every link: traffic of every chip to every other loads all links alike.
class TwistedTorus {
  public:
    /// Refuses a machine without cubes behind optical switches, which make the twist, and other shapes.
    /// Axes may come in any order.
    [[nodiscard]] static Result<TwistedTorus> create(const std::vector<std::int32_t>& mesh,
                                                     const Machine& machine);
    /// Whether a mesh is k x k x 2k or k x 2k x 2k.
    [[nodiscard]] static bool has_shape(std::vector<std::int32_t> mesh);

    [[nodiscard]] std::int32_t chips() const { return sizes_[0] * sizes_[1] * sizes_[2]; }
    /// The chip across the link forward or backward along an axis. Axes are the short ones first.
    [[nodiscard]] std::int32_t neighbour(std::int32_t chip, int axis, bool forward) const;
    /// Links on the shortest way from chip 0, by chip.
    [[nodiscard]] std::vector<std::int32_t> distances() const;

    /// Links from a chip to the one that is furthest.
    [[nodiscard]] std::int32_t longest_way() const { return longest_; }
    /// Links to all chips together.
    [[nodiscard]] std::int64_t all_ways() const { return all_; }
    /// The same on a torus of this shape without the twist.
    [[nodiscard]] std::int64_t all_straight_ways() const;
    /// How much faster every chip sends to every other than on a torus without the twist, where the links
    /// along the long axes are the busiest.
    [[nodiscard]] double all_to_all_gain() const;

  private:
    explicit TwistedTorus(std::array<std::int32_t, 3> sizes);

    std::array<std::int32_t, 3> sizes_; ///< ascending
    int short_axes_ = 1;
    std::int32_t longest_ = 0;
    std::int64_t all_ = 0;
};

} // namespace meshslice
