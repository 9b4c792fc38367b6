#include "core/machine/faster.h"

#include "core/machine/fields.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

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

/// 1: more is faster; -1: less is; 0: neither always. By the key of a number in files, so that one that is
/// new there has no direction until it gets one here.
int faster_with_more(std::string_view key) {
    constexpr std::array<std::string_view, 10> more = {
        "vector_rate_in_flop_per_s",     "effective_fraction_of_peak",
        "attention_fraction_of_peak",    "hbm_capacity_in_bytes",
        "hbm_bandwidth_in_bytes_per_s",  "pcie_in_bytes_per_s",
        "link_bandwidth_in_bytes_per_s", "ports_per_chip",
        "port_bandwidth_in_bytes_per_s", "efficiency"};
    constexpr std::array<std::string_view, 2> less = {"sync_in_s", "latency_in_s"};
    const bool peak = key.starts_with("peak_");
    return peak || std::ranges::find(more, key) != more.end()                         ? 1
           : key.starts_with("launch_") || std::ranges::find(less, key) != less.end() ? -1
                                                                                      : 0;
}

std::optional<double> number_of(const FieldValue& value) {
    if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* const real = std::get_if<double>(&value);
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

/// Which of the numbers that were looked at are faster or slower than those of another machine.
struct Compared {
    bool faster = false, slower = false, unclear = false;

    template <class T>
    void add(const std::vector<Field<T>>& fields, const T& ours, const T& theirs) {
        for (const Field<T>& field : fields) {
            const bool counts = field.sourced || field.kind == FieldKind::flag; // else a name
            const FieldValue one = counts ? field.get(ours) : FieldValue();
            const FieldValue other = counts ? field.get(theirs) : FieldValue();
            if (one == other) {
                continue;
            }
            const std::optional<double> now = number_of(one), then = number_of(other);
            const int more = faster_with_more(field.key);
            // A rate of 0 is one that is not known.
            if (more == 0 || !now || !then || (more > 0 && (*now == 0 || *then == 0))) {
                unclear = true;
            } else {
                ((*now > *then) == (more > 0) ? faster : slower) = true;
            }
        }
    }

    void add(const Level& ours, const Level& theirs) {
        if (ours.kind != theirs.kind || ours.axes.size() != theirs.axes.size()) {
            unclear = true;
            return;
        }
        for (std::size_t axis = 0; axis < ours.axes.size(); ++axis) {
            add(link_fields(), ours.axes[axis], theirs.axes[axis]);
        }
        if (ours.kind == LevelKind::switched) {
            add(switch_fields(), ours, theirs);
        }
    }
};

} // namespace

MachineAgainst against(const Machine& machine, const Machine& other) {
    const std::vector<Level>&ours = machine.network.levels, &theirs = other.network.levels;
    Compared found;
    found.add(machine_fields(), machine, other);
    found.unclear = found.unclear || ours.size() != theirs.size();
    for (std::size_t k = 0; k < std::min(ours.size(), theirs.size()); ++k) {
        found.add(ours[k], theirs[k]);
    }
    return found.unclear || (found.faster && found.slower) ? MachineAgainst::either
           : found.slower                                  ? MachineAgainst::no_faster
           : found.faster                                  ? MachineAgainst::no_slower
                                                           : MachineAgainst::same;
}

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
