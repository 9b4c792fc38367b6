#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Index of a chip: row-major over the axes, so chip (i, j) of a P_r x P_c mesh is i * P_c + j.
using Chip = std::int32_t;

/// Which axis of the torus. On a P_r x P_c mesh, as in the MeshSlice paper (section 2.3.1):
/// `vertical` connects the P_r chips of one column (inter-row transfers, subscript "row"),
/// `horizontal` connects the P_c chips of one row (inter-column transfers, subscript "col").
enum class Axis : std::uint8_t { vertical = 0, horizontal = 1, third = 2 };

/// The two ways along an axis: `forward` to the next higher coordinate (south, east), `backward` to the
/// lower.
enum class Direction : std::uint8_t { forward = 0, backward = 1 };

inline constexpr std::array both_directions = {Direction::forward, Direction::backward};
[[nodiscard]] constexpr Direction opposite(Direction direction) {
    return direction == Direction::forward ? Direction::backward : Direction::forward;
}

struct TorusAxis {
    std::int32_t size = 1;
    bool wraps = true; ///< the axis is a closed ring: a link joins the last chip to the first,
    /// or, where that link is missing, what would cross it travels back over the others: a ring folded onto
    /// a line, whose flows share its links.
    bool folded = false;
    /// Of a ring that winds through a mesh: the axes of the mesh whose links it takes. None: this is an axis
    /// of the mesh itself.
    std::array<bool, 3> through{};

    [[nodiscard]] bool winds() const { return through[0] || through[1] || through[2]; }
    bool operator==(const TorusAxis&) const = default;
};

/// One direction of one physical connection: the link by which `chip` sends along `axis` in `direction`.
struct Link {
    Chip chip = 0;
    Axis axis = Axis::vertical;
    Direction direction = Direction::forward;

    bool operator==(const Link&) const = default;
};

/// Chips joined to their nearest neighbours along one to three axes, each axis a closed ring or an open line.
/// A value: copy it, compare it.
class Torus {
  public:
    /// Above this the picture has no pixels left for a chip and a run no memory for its links.
    static constexpr std::int64_t most_chips = 65'536;

    /// One chip alone.
    Torus() = default;

    /// Refuses no axis, more than three, an axis of no chips, and more than `most_chips` chips.
    [[nodiscard]] static Result<Torus> create(std::vector<TorusAxis> axes);
    /// A torus that wraps on every axis. Shapes such as {32, 8}.
    [[nodiscard]] static Result<Torus> create(const std::vector<std::int32_t>& sizes);

    [[nodiscard]] std::span<const TorusAxis> axes() const {
        return {axes_.data(), static_cast<std::size_t>(axis_count_)};
    }
    [[nodiscard]] int axis_count() const { return axis_count_; }
    /// 1 for an axis this torus does not have.
    [[nodiscard]] std::int32_t size(Axis axis) const { return sizes_[static_cast<std::size_t>(axis)]; }
    [[nodiscard]] bool wraps(Axis axis) const;
    [[nodiscard]] bool folded(Axis axis) const;
    /// Whether the link is one that a folded ring lacks.
    [[nodiscard]] bool missing(const Link& link) const;
    [[nodiscard]] std::int32_t chips() const { return chips_; }

    [[nodiscard]] std::int32_t coordinate(Chip chip, Axis axis) const;
    /// The chip at the other end of `chip`'s link; none at the edge of an open axis or on an axis of one
    /// chip.
    [[nodiscard]] std::optional<Chip> neighbour(Chip chip, Axis axis, Direction direction) const;
    /// The chip with the same other coordinates and `coordinate` along `axis`.
    [[nodiscard]] Chip along(Chip chip, Axis axis, std::int32_t coordinate) const;

    /// Every link there is, in the order chip, axis, direction.
    [[nodiscard]] std::vector<Link> links() const;
    /// Links a chip may own: two per axis. `link_slot` numbers them axis by axis, forward first.
    [[nodiscard]] int link_slots() const { return 2 * axis_count(); }

    bool operator==(const Torus&) const = default;

  private:
    std::array<TorusAxis, 3> axes_{};
    int axis_count_ = 1;
    std::array<std::int32_t, 3> sizes_{1, 1, 1};
    std::array<std::int32_t, 3> strides_{1, 1, 1};
    std::int32_t chips_ = 1;
};

[[nodiscard]] constexpr int link_slot(Axis axis, Direction direction) {
    return 2 * static_cast<int>(axis) + static_cast<int>(direction);
}

/// "vertical", "horizontal", "third".
[[nodiscard]] std::string_view name(Axis axis);
/// "32x8", "4x4x4".
[[nodiscard]] std::string shape_text(const Torus& torus);
/// "32x8"; "ring of 256"; "one chip".
[[nodiscard]] std::string mesh_text(const Torus& torus);
/// "3,5": the coordinates of a chip.
[[nodiscard]] std::string place_text(const Torus& torus, Chip chip);
/// "east link", "north link", "up link": the link by which a chip sends along the axis in that direction.
[[nodiscard]] std::string link_text(Axis axis, Direction direction);
/// "east links".
[[nodiscard]] std::string links_text(Axis axis, Direction direction);
/// Reads "32x8": positive whole numbers joined by x, at most three.
[[nodiscard]] Result<std::vector<std::int32_t>> parse_mesh(const std::string& words);

} // namespace meshslice
