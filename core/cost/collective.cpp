#include "core/cost/collective.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/catalogue.h"

#include <algorithm>
#include <cstddef>

namespace meshslice {

namespace {

constexpr std::int64_t most_torus_chips = std::int64_t{1} << 24; ///< where the size of a pod is not known

} // namespace

Result<GroupNetwork> GroupNetwork::of_torus(const Machine& hardware) {
    if (!hardware.network.axes_alike()) {
        return refuse(say("{} has torus axes of different bandwidth; plans are made for axes that are alike.",
                          hardware.title));
    }
    const auto launch = [&](Collective kind) { return in_seconds(hardware.launch_time(kind)); };
    GroupNetwork network;
    network.torus_ = true;
    network.domain_ = hardware.pod.chips.value > 0 ? hardware.pod.chips.value : most_torus_chips;
    network.link_rate_ = hardware.network.link_bandwidth(0).value();
    network.sync_ = in_seconds(hardware.sync.value);
    network.gather_launch_ = launch(Collective::all_gather);
    network.scatter_launch_ = launch(Collective::reduce_scatter);
    network.send_launch_ = launch(Collective::send_receive);
    return network;
}

Result<GroupNetwork> GroupNetwork::of(const Machine& hardware, ModelRules rules) {
    const bool torus_alone = hardware.network.torus_axes() > 0 && outer_network(hardware.network) == nullptr;
    if (torus_alone && rules != ModelRules::exact) {
        return refuse(say("{} is a torus, for which no rules were published; the exact rules have it.",
                          hardware.title));
    }
    if (torus_alone) {
        return of_torus(hardware);
    }
    const SwitchedDomain* domain = switched_domain(hardware.network);
    const OuterNetwork* outer = outer_network(hardware.network);
    if (outer == nullptr || hardware.network.torus_axes() > 0) {
        return refuse(
            say("{} is not a cluster that plans can be made for: it needs fast domains within an outer "
                "network, as b200-nvs8 has, or a torus, as tpu-v5p has.",
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
    if (torus_) {
        return seconds_on_torus(what, bytes, group);
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

double GroupNetwork::seconds_on_torus(Collective what, double bytes, const ChipGroup& group) const {
    if (what == Collective::all_reduce) {
        return seconds_on_torus(Collective::reduce_scatter, bytes, group) +
               seconds_on_torus(Collective::all_gather, bytes, group);
    }
    const bool scatters = what == Collective::reduce_scatter || what == Collective::reduce;
    const double launch = scatters ? scatter_launch_ : gather_launch_;
    std::array<AlongAxis, 3> axes{};
    std::size_t count = 0;
    for (const AlongAxis& axis : group.along) {
        if (axis.chips > 1) {
            axes[count++] = axis;
        }
    }
    // Of an all-gather; a reduce-scatter is the same backwards.
    std::array<double, 3> held{}; // of each part, by one chip
    held.fill(bytes / static_cast<double>(count) / static_cast<double>(group.chips));
    const bool whole = what == Collective::broadcast || what == Collective::reduce;
    double time = 0;
    for (std::size_t phase = 0; phase < count; ++phase) {
        double slowest = 0;
        for (std::size_t part = 0; part < count; ++part) {
            const AlongAxis& axis = axes[(part + phase) % count];
            const double steps = axis.chips - 1;
            const double stride = axis.stride;
            const double ways = axis.ring ? 2 : 1;
            const double moved = whole ? bytes / static_cast<double>(count) : held[part] * steps;
            slowest = std::max(slowest, steps * stride * sync_ + moved * stride / (ways * link_rate_));
            held[part] *= axis.chips;
        }
        time += launch + slowest;
    }
    return time;
}

double GroupNetwork::seconds_over(double bytes, std::int64_t hops) const {
    const auto links = static_cast<double>(hops);
    return bytes == 0 ? 0 : send_launch_ + links * (sync_ + bytes / link_rate_);
}

double GroupNetwork::seconds_to_one(double bytes, bool near) const {
    if (bytes == 0) {
        return 0;
    }
    if (torus_) {
        return seconds_over(bytes, 1);
    }
    if (near) {
        return near_latency_ + bytes / near_rate_;
    }
    const double nics = rules_.has(Slip::one_nic) ? 1 : nics_;
    return far_latency_ + bytes / (far_rate_ * nics);
}

} // namespace meshslice
