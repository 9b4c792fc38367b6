#pragma once

#include "core/figure/chart.h"
#include "core/program/flows/cluster_flows.h"

#include <memory>
#include <string>
#include <vector>

namespace meshslice {

class Run;

/// What a simulation of flows behind switches found.
struct FoundFlows {
    struct Exchange {
        std::string name; ///< "all-reduce of 256 MB among 4"
        ClusterExchange asked;
        double alone_s = 0, together_s = 0;
        double planned_s = 0; ///< as plans count it
    };
    struct Link {
        std::string place, name;
        int tier = 0;
        double rate = 0, bytes = 0, busy_s = 0;
        double use = 0; ///< of its rate, over the whole run
    };
    std::vector<Exchange> exchanges;
    std::vector<Link> links;        ///< that carry something
    std::vector<std::string> tiers; ///< "switch of 8", "outer network", "leaf to spine"
    std::size_t flows = 0;
    double seconds = 0;
    std::shared_ptr<const Run> timeline;

    /// Of a tier; null where nothing passes it.
    [[nodiscard]] const Link* busiest(int tier) const;
    [[nodiscard]] double mean_use(int tier) const;
};

/// Alone, together, and as plans count it.
[[nodiscard]] Chart flow_time_chart(const FoundFlows& found);
/// Of each tier on average and of its busiest link.
[[nodiscard]] Chart flow_use_chart(const FoundFlows& found);

} // namespace meshslice
