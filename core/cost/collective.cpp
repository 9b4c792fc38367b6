#include "core/cost/collective.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/hardware/cluster.h"

#include <algorithm>

namespace meshslice {

Result<GroupNetwork> GroupNetwork::of(const Hardware& hardware, ModelRules rules) {
    const SwitchedDomain* domain = switched_domain(hardware.network);
    const OuterNetwork* outer = outer_network(hardware.network);
    if (outer == nullptr || hardware.network.torus_axes() > 0) {
        return refuse(
            say("{} is not a cluster that plans can be made for: it needs fast domains within an outer "
                "network, such as b200-nvs8 has.",
                hardware.title));
    }
    GroupNetwork network;
    network.rules_ = rules;
    network.far_rate_ = outer->bandwidth.value.value() * outer->efficiency.value;
    network.far_latency_ = in_seconds(outer->latency.value);
    network.nics_ = outer->nics.value;
    if (domain != nullptr) {
        network.domain_ = domain->chips.value;
        network.near_rate_ = domain->bandwidth.value.value() * domain->efficiency.value;
        network.near_latency_ = in_seconds(domain->latency.value);
    } else {
        network.near_rate_ = network.far_rate_ * network.nics_;
        network.near_latency_ = network.far_latency_;
    }
    return network;
}

double GroupNetwork::seconds(Collective what, double bytes, ChipGroup group) const {
    if (bytes == 0 || group.chips <= 1) {
        return 0;
    }
    const auto chips = static_cast<double>(group.chips);
    const auto near = static_cast<double>(group.near);
    // A panel that is broadcast passes every link whole; of what is gathered, each chip has its part already.
    const bool whole = what == Collective::broadcast || what == Collective::reduce;
    const double moved = whole ? bytes : bytes * (chips - 1) / chips;
    // An all-reduce is a reduce-scatter and an all-gather; the published one sends twice only across domains
    // that have several of its chips, and takes its steps once.
    const double twice = what == Collective::all_reduce ? 2 : 1;
    const double rounds = rules_.has(Slip::single_all_reduce) ? 1 : twice;
    if (group.near == 1) {
        const double nics = rules_.has(Slip::one_nic) ? 1 : nics_;
        return (far_latency_ * (chips - 1) + moved / (nics * far_rate_)) * rounds;
    }
    const std::int64_t domains = group.chips / group.near;
    if (domains == 1) {
        return (near_latency_ * (chips - 1) + moved / near_rate_) * rounds;
    }
    const double leaving = moved / (nics_ * near * far_rate_);
    const double inside = moved / near_rate_;
    const double steps = far_latency_ * static_cast<double>(domains - 1) +
                         near_latency_ * (chips - static_cast<double>(domains));
    return std::max(leaving, inside) * twice + steps * rounds;
}

double GroupNetwork::seconds_to_one(double bytes, bool near) const {
    if (bytes == 0) {
        return 0;
    }
    if (near) {
        return near_latency_ + bytes / near_rate_;
    }
    const double nics = rules_.has(Slip::one_nic) ? 1 : nics_;
    return far_latency_ + bytes / (far_rate_ * nics);
}

} // namespace meshslice
