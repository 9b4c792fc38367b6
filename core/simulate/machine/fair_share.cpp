#include "core/simulate/machine/fair_share.h"

#include <algorithm>
#include <limits>

namespace meshslice {

void FairShare::advance(Time now) {
    const double passed = in_seconds(now - since_);
    for (Flow& flow : flows_) {
        flow.left = std::max(0.0, flow.left - flow.rate * passed);
    }
    since_ = now;
}

const std::vector<FairShare::Completion>& FairShare::shared(Time now) {
    // All rates rise together. Round by round either the link with the least room for each of its flows is
    // full, or the flow that takes least has it before; those flows are settled.
    std::vector<double> room = capacities_;
    std::vector<std::size_t> waiting(capacities_.size());
    std::vector<bool> settled(flows_.size());
    for (const Flow& flow : flows_) {
        for (const std::uint32_t link : flow.links) {
            ++waiting[link];
        }
    }
    for (std::size_t left = flows_.size(); left > 0;) {
        double least = std::numeric_limits<double>::infinity();
        std::uint32_t narrowest = 0;
        for (std::uint32_t link = 0; link < room.size(); ++link) {
            if (waiting[link] > 0 && room[link] / static_cast<double>(waiting[link]) < least) {
                least = room[link] / static_cast<double>(waiting[link]);
                narrowest = link;
            }
        }
        double most = unheld;
        for (std::size_t k = 0; k < flows_.size(); ++k) {
            most = settled[k] ? most : std::min(most, flows_[k].most);
        }
        const double rate = std::min(least, most);
        for (std::size_t k = 0; k < flows_.size(); ++k) {
            Flow& flow = flows_[k];
            const bool ready = most <= least ? flow.most == most
                                             : std::ranges::find(flow.links, narrowest) != flow.links.end();
            if (settled[k] || !ready) {
                continue;
            }
            settled[k] = true;
            --left;
            flow.rate = rate;
            for (const std::uint32_t link : flow.links) {
                room[link] = std::max(0.0, room[link] - rate);
                --waiting[link];
            }
        }
    }
    completions_.clear();
    for (const Flow& flow : flows_) {
        completions_.push_back({flow.name, now + seconds(flow.left / flow.rate)});
    }
    return completions_;
}

const std::vector<FairShare::Completion>&
FairShare::start(Time now, std::uint32_t flow, std::vector<std::uint32_t> links, double bytes, double most) {
    advance(now);
    flows_.push_back({flow, std::move(links), bytes, most});
    return shared(now);
}

const std::vector<FairShare::Completion>& FairShare::end(Time now, std::uint32_t flow) {
    advance(now);
    std::erase_if(flows_, [&](const Flow& one) { return one.name == flow; });
    return shared(now);
}

} // namespace meshslice
