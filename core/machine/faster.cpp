#include "core/machine/faster.h"

#include <algorithm>

namespace meshslice {
namespace {

template <class Quantity>
void scale(Quantity& quantity, double times) {
    quantity = Quantity(quantity.value() * times);
}

void shorten(Time& time, double times) {
    time = Time(static_cast<std::int64_t>(static_cast<double>(time.value()) / times));
}

void compute_faster(Machine& hardware, double times) {
    for (auto& peak : hardware.peak.of) {
        scale(peak.value, times);
    }
    scale(hardware.vector_rate.value, times);
    for (MeasuredProduct& measured : hardware.measured_products.value) {
        shorten(measured.time, times);
        measured.time = std::max(Time(1), measured.time);
    }
}

void shorten_latencies(Machine& hardware, double times) {
    shorten(hardware.sync.value, times);
    for (Sourced<Time>* launch : hardware.launch.all()) {
        shorten(launch->value, times);
    }
    if (hardware.ring_stores) {
        shorten(hardware.ring_stores->link_flight.value, times);
    }
    for (Level& level : hardware.network.levels) {
        shorten(level.latency.value, times);
    }
}

void switch_faster(Machine& hardware, bool domains, double times) {
    for (Level& level : hardware.network.levels) {
        if (level.kind == LevelKind::switched && (level.units.value > 0) == domains) {
            scale(level.bandwidth.value, times);
        }
    }
}

} // namespace

Machine with_faster_links(Machine hardware, const std::vector<int>& axes, double times) {
    for (const int axis : axes) {
        scale(hardware.network.torus_links(axis).bandwidth.value, times);
    }
    return hardware;
}

Machine faster(Machine hardware, MachineRate rate, double times) {
    switch (rate) {
    case MachineRate::compute: compute_faster(hardware, times); break;
    case MachineRate::memory: scale(hardware.hbm_bandwidth.value, times); break;
    case MachineRate::latency: shorten_latencies(hardware, times); break;
    case MachineRate::links:
        for (Level& level : hardware.network.levels) {
            for (TorusLinks& axis : level.axes) {
                scale(axis.bandwidth.value, times);
            }
        }
        break;
    case MachineRate::domains: switch_faster(hardware, true, times); break;
    case MachineRate::network: switch_faster(hardware, false, times); break;
    }
    return hardware;
}

} // namespace meshslice
