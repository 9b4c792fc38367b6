#include "core/cost/collective.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/hardware/cluster.h"

#include <algorithm>

namespace meshslice {

std::string_view name(ModelRules rules) {
    return rules == ModelRules::exact ? "exact" : "reference";
}

Result<ModelRules> parse_model_rules(std::string_view words) {
    for (const ModelRules rules : {ModelRules::exact, ModelRules::reference}) {
        if (words == name(rules)) {
            return rules;
        }
    }
    return refuse(say("The rules are \"{}\"; exact or reference was expected.", shortened(words)));
}

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
    const bool reference = rules_ == ModelRules::reference;
    const auto chips = static_cast<double>(group.chips);
    const auto near = static_cast<double>(group.near);
    // A panel that is broadcast passes every link whole; of what is gathered, each chip has its part already.
    const bool whole = what == Collective::broadcast || what == Collective::reduce;
    const double moved = whole ? bytes : bytes * (chips - 1) / chips;
    // An all-reduce is a reduce-scatter and an all-gather; the published one is so only across domains.
    const double rounds = what == Collective::all_reduce ? 2 : 1;
    if (reference && group.near == 1) {
        return far_latency_ * (chips - 1) + moved / far_rate_;
    }
    const std::int64_t domains = group.chips / group.near;
    if (domains == 1) {
        return (near_latency_ * (chips - 1) + moved / near_rate_) * (reference ? 1 : rounds);
    }
    const double leaving = moved / (nics_ * near * far_rate_);
    const double inside = group.near == 1 ? 0 : moved / near_rate_;
    const double steps = far_latency_ * static_cast<double>(domains - 1) +
                         near_latency_ * (chips - static_cast<double>(domains));
    return std::max(leaving, inside) * rounds + steps * (reference ? 1 : rounds);
}

double GroupNetwork::seconds_to_one(double bytes, bool near) const {
    if (bytes == 0) {
        return 0;
    }
    if (near) {
        return near_latency_ + bytes / near_rate_;
    }
    const double nics = rules_ == ModelRules::reference ? 1 : nics_;
    return far_latency_ + bytes / (far_rate_ * nics);
}

} // namespace meshslice
