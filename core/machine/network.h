#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/sourced.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The kinds of levels that a network may have; core/cost has a law of each collective for each.
enum class LevelKind : std::uint8_t { rings, switched };
inline constexpr std::array all_level_kinds = {LevelKind::rings, LevelKind::switched};
[[nodiscard]] std::string_view name(LevelKind kind); ///< "rings", "switch", as files have it

/// The links of a chip along one axis of a torus.
struct TorusLinks {
    Sourced<std::int64_t> links;  ///< 2: one neighbour on either side; no other wiring is known here
    Sourced<Bandwidth> bandwidth; ///< of one link, one way

    bool operator==(const TorusLinks&) const = default;
};

/// One level of a network: what joins chips, or units of the level further in.
struct Level {
    LevelKind kind = LevelKind::switched;
    std::vector<TorusLinks> axes{}; ///< of rings: those of a torus, which are one level; none of a switch

    // Of a switch: two dies of a package, an NVLink domain, InfiniBand, the network of a data centre.
    Sourced<std::int64_t> units{};  ///< that it joins, each as near to every other; 0: as many as there are
    Sourced<double> ports{};        ///< links or NICs of one chip; 0.25 where four chips share one
    Sourced<Bandwidth> bandwidth{}; ///< of one port, one way
    Sourced<Time> latency{};        ///< of one step
    Sourced<double> efficiency{};   ///< share of the bandwidth that a large transfer reaches, (0, 1]
    bool reduces = false;           ///< whether it adds up what passes it, for an all-reduce

    /// Bytes/s of a chip that all has its ports to itself, one way.
    [[nodiscard]] double line_rate() const { return bandwidth.value.value() * ports.value; }
    bool operator==(const Level&) const = default;
};
/// A torus whose axes are alike.
[[nodiscard]] Level torus_level(int axes, const TorusLinks& links);

/// What joins the chips, level by level from the inside out.
struct Network {
    static constexpr int most_torus_axes = 3;
    static constexpr std::size_t most_levels = 6;

    std::vector<Level> levels;

    /// Of the torus that the chips themselves form, the innermost level; 0 where they form none.
    [[nodiscard]] int torus_axes() const {
        return levels.empty() ? 0 : static_cast<int>(levels.front().axes.size());
    }
    /// Of an axis that there is, counted from 0.
    [[nodiscard]] const TorusLinks& torus_links(int axis) const;
    [[nodiscard]] TorusLinks& torus_links(int axis);
    [[nodiscard]] Bandwidth link_bandwidth(int axis) const { return torus_links(axis).bandwidth.value; }
    /// Whether the links of all axes are equally fast.
    [[nodiscard]] bool axes_alike() const;
    /// The same on every axis; what is said about its source stays.
    void set_link_bandwidth(Bandwidth bandwidth);

    bool operator==(const Network&) const = default;
};

/// The outermost switch that joins so many and no more, an NVLink domain; null where there is none.
[[nodiscard]] const Level* switched_domain(const Network& network);
/// The switch around all that joins as many as there are; null where there is none.
[[nodiscard]] const Level* outer_network(const Network& network);
/// The chips of one unit of each level but the last, {2, 16} of two dies and a switch of 8 within a network;
/// of rings, where their number is not known, 0.
[[nodiscard]] std::vector<std::int64_t> unit_chips(const Network& network);

/// Refuses levels that do not make a network: none or too many; a torus of more than three axes, or two; a
/// switch that joins any number and has another level around it.
[[nodiscard]] Result<void> checked_levels(const Network& network);

/// A torus whose axes are alike, with nothing around it.
[[nodiscard]] Network torus_network(int axes, const TorusLinks& links);

/// "torus of 2 axes, 45.0 GB/s per link, one way"; "8 chips behind a switch, 450 GB/s per chip, one way; 1
/// NIC per chip, 50.0 GB/s each, one way".
[[nodiscard]] std::string text(const Network& network);
/// What a level is called in tables: "torus", "switch of 8", "outer network".
[[nodiscard]] std::string title(const Level& level);

} // namespace meshslice
