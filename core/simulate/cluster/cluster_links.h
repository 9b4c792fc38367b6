#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/machine.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// Which of several links from a leaf switch to the spine a flow takes.
enum class SpineRouting : std::uint8_t {
    spread,        ///< all of them evenly, as adaptive routing and packet spraying come near to
    by_destination ///< the one that its receiver's number names (d-mod-k), on rails that of its domain
};

/// How the network around the domains is wired.
struct ClusterWiring {
    std::int64_t chips = 2;
    std::int64_t leaf = 0;       ///< chips whose ports meet in one leaf switch; 0: one switch joins all
    double oversubscription = 1; ///< ports of a leaf over its links to the spine
    bool rails = false; ///< a leaf joins the same chip of each domain; else all chips of neighbouring domains
    SpineRouting routing = SpineRouting::spread;

    bool operator==(const ClusterWiring&) const = default;
};

/// A port that is slower than this is to be called dead: a thousandth is less than any link falls back to.
inline constexpr double least_port_speed = 1e-3;

/// A chip whose port to the network around its domain is slow, or dead.
struct PortFault {
    std::int64_t chip = 0;
    double speed = 1; ///< share of its rate: 0, or `least_port_speed` to 1

    bool operator==(const PortFault&) const = default;
};

/// A link of a cluster, one way.
struct ClusterLink {
    std::string place; ///< "chip 3", "leaf 1"
    std::string name;  ///< "outer network out", "uplink 2 in"
    double rate = 0;   ///< bytes/s that it reaches
    int tier = 0;      ///< level of the network, from the inside out; the spine is one more
};

/// The links of a cluster of switches: at each level every chip has its ports to itself, one way out and one
/// way in; where a level has fewer ports than chips, neighbours share one, and all ports together have the
/// rate that plans count. Leaf switches have links to a spine that is never short.
class ClusterLinks {
  public:
    /// Refuses machines that have another kind of level than switches, more chips than they join, leaves
    /// that do not divide the chips, faults of one chip twice, and domains without any port that is alive.
    [[nodiscard]] static Result<ClusterLinks> of(const Machine& machine, const ClusterWiring& wiring,
                                                 const std::vector<PortFault>& faults);

    [[nodiscard]] const std::vector<ClusterLink>& all() const { return links_; }
    /// The links over which bytes go from one chip to another. From a chip whose port is dead they go by way
    /// of the next chip of its domain that has one.
    [[nodiscard]] std::vector<std::uint32_t> route(std::int64_t from, std::int64_t to) const;
    /// Of the first byte: the level's that the two have in common.
    [[nodiscard]] Time latency(std::int64_t from, std::int64_t to) const;
    /// Chips within the outermost level's units: what it joins.
    [[nodiscard]] std::int64_t domain() const { return domain_; }

  private:
    struct Tier {
        std::int64_t unit = 0;  ///< chips of one unit around; those of all at the outermost
        std::int64_t share = 1; ///< chips that share a port
        std::uint32_t first = 0;
        Time latency;
    };
    [[nodiscard]] std::size_t common(std::int64_t from, std::int64_t to) const;
    [[nodiscard]] std::uint32_t port(std::size_t tier, std::int64_t chip, bool in) const;
    [[nodiscard]] std::int64_t leaf_of(std::int64_t chip) const;
    [[nodiscard]] std::int64_t stand_in(std::int64_t chip) const;
    Result<void> add_faults(const std::vector<PortFault>& faults);
    Result<void> add_leaves();

    ClusterWiring wiring_;
    std::int64_t domain_ = 1;
    std::vector<ClusterLink> links_;
    std::vector<Tier> tiers_;
    std::vector<bool> dead_;         ///< by port of the outermost level
    std::uint32_t first_uplink_ = 0; ///< of leaves; each has `uplinks_` out and as many in
    std::int64_t uplinks_ = 0;       ///< of a leaf
};

} // namespace meshslice
