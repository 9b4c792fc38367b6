#pragma once

#include "core/base/quantity.h"
#include "core/base/run_control.h"
#include "core/program/flows/cluster_flows.h"
#include "core/run/listed_run.h"
#include "core/simulate/cluster/cluster_links.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace meshslice {

/// When flows of a cluster went over its links. A flow waits for those before it, then for the latency of the
/// level that it crosses; then its bytes go over all links of its route at once, each of which its flows
/// share max-min fair.
struct ClusterOutcome {
    struct FlowTimes {
        Time begins; ///< to send, after its latency
        Time ends;
    };
    Time end;
    std::vector<Time> exchange_ends; ///< by exchange
    std::vector<FlowTimes> flows;
    std::vector<double> bytes; ///< by link
    std::vector<Time> busy;    ///< by link: how long anything uses it

    /// Of a link's rate, over all of the run.
    [[nodiscard]] double use(const ClusterLink& link, std::size_t number) const {
        return end.value() == 0 || link.rate == 0 ? 0 : bytes[number] / (link.rate * in_seconds(end));
    }
};

/// Runs end by then: 46 days, in picoseconds well within what Time holds.
inline constexpr double most_cluster_seconds = 4e6;

/// Refused when the caller stops it, and where it would last longer than that.
[[nodiscard]] Result<ClusterOutcome>
run_cluster(const ClusterLinks& links, const std::vector<ClusterFlow>& flows, const RunControl& control);

/// A lane for each link that carries something, a bar as long as the same exchanges use it.
[[nodiscard]] std::shared_ptr<const Run> cluster_timeline(const ClusterLinks& links,
                                                          const std::vector<ClusterFlow>& flows,
                                                          const ClusterOutcome& outcome,
                                                          const std::vector<std::string>& exchange_names,
                                                          std::string title);

} // namespace meshslice
