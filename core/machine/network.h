#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/sourced.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace meshslice {

/// The links of a chip along one axis of a torus.
struct TorusLinks {
    Sourced<std::int64_t> links;  ///< 2: one neighbour on either side; no other wiring is known here
    Sourced<Bandwidth> bandwidth; ///< of one link, one way

    bool operator==(const TorusLinks&) const = default;
};

/// Chips behind one switch, each as near to every other (an NVLink domain).
struct SwitchedDomain {
    Sourced<std::int64_t> chips;
    Sourced<Bandwidth> bandwidth; ///< of one chip, one way
    Sourced<Time> latency;        ///< of one step
    Sourced<double> efficiency;   ///< share of the bandwidth that a large transfer reaches, (0, 1]

    bool operator==(const SwitchedDomain&) const = default;
};

/// The slower network around all that is further in (InfiniBand, a data centre's network).
struct OuterNetwork {
    Sourced<double> nics;         ///< of one chip; 0.25 where four chips share one
    Sourced<Bandwidth> bandwidth; ///< of one NIC, one way
    Sourced<Time> latency;        ///< of one step
    Sourced<double> efficiency;   ///< share of the bandwidth that a large transfer reaches, (0, 1]

    bool operator==(const OuterNetwork&) const = default;
};

using NetworkLevel = std::variant<TorusLinks, SwitchedDomain, OuterNetwork>;

/// What joins the chips, level by level from the inside out: up to three axes of a torus or one switched
/// domain, then at most one outer network.
struct Network {
    static constexpr int most_torus_axes = 3;
    static constexpr std::size_t most_levels = most_torus_axes + 1;

    std::vector<NetworkLevel> levels;

    /// 0 where the chips do not form a torus.
    [[nodiscard]] int torus_axes() const;
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

/// Refuses levels in another order or number than a network has.
[[nodiscard]] Result<void> checked_levels(const Network& network);

/// A torus whose axes are alike, with nothing around it.
[[nodiscard]] Network torus_network(int axes, const TorusLinks& links);

/// "torus of 2 axes, 45.0 GB/s per link, one way"; "8 chips behind a switch, 450 GB/s per chip, one way; 1
/// NIC per chip, 50.0 GB/s each, one way".
[[nodiscard]] std::string text(const Network& network);

} // namespace meshslice
