#pragma once

#include "core/base/result.h"
#include "core/program/flows/cluster_flows.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace meshslice::parity {

/// A cluster as SimGrid gets it: a zone for each domain and one for the network around them.
struct ClusterZones {
    std::int64_t chips = 2;
    std::int64_t domain = 1;                  ///< chips of a star zone; 1: the network around alone
    double inner_rate = 0;                    ///< bytes/s of a chip's link in its domain, one way
    double inner_latency = 0;                 ///< s
    double outer_rate = 0, outer_latency = 0; ///< the same of the network around
    std::int64_t leaf = 0;                    ///< chips below a leaf switch; 0: a star zone
    std::int64_t spines = 0;                  ///< of a fat-tree zone: links of a leaf upwards
    bool rails = false;                       ///< below a leaf the same chip of neighbouring domains
    bool one_uplink = false; ///< leaves are star zones in another star zone, with one link up and down
    /// Of chips whose link to the network around is slow: the share of its rate. Of star zones.
    std::map<std::int64_t, double> slow = {};
};

/// The flows in these zones, by SimGrid's own routes: seconds until all of each exchange have ended. Each
/// flow is an actor that waits for those before it, sleeps for the latency, and sends. In a process of its
/// own, as run_on_simgrid() is.
[[nodiscard]] Result<std::vector<double>>
cluster_on_simgrid(const ClusterZones& zones, const std::vector<ClusterFlow>& flows, std::size_t exchanges);

} // namespace meshslice::parity
