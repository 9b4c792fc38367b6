#include "core/step/bottleneck.h"

#include "core/cost/link_bandwidth.h"
#include "core/estimate/estimate.h"

#include <algorithm>

namespace meshslice {
namespace {

Axis axis_of(Part links) {
    return static_cast<Axis>(static_cast<int>(links) - static_cast<int>(Part::vertical_links));
}

} // namespace

double counted(Part part, double saves) {
    return part == Part::links ? saves / 2 : saves;
}

std::optional<Part> largest(const std::array<double, part_count>& saves) {
    const auto counts = [&](Part part) { return counted(part, saves[static_cast<std::size_t>(part)]); };
    const Part most = *std::ranges::max_element(all_parts, {}, counts);
    return counts(most) > 0 ? std::optional(most) : std::nullopt;
}

std::string_view id(Part part) {
    constexpr std::array<std::string_view, part_count> ids = {
        "compute", "memory", "vertical_links", "horizontal_links", "third_links", "latency", "links"};
    return ids[static_cast<std::size_t>(part)];
}

Part of_mesh(Part part, const Torus& torus) {
    if (part < Part::vertical_links || part > Part::third_links) {
        return part;
    }
    const auto which = static_cast<std::size_t>(axis_of(part));
    if (which >= torus.axes().size() || !torus.axes()[which].winds()) {
        return part;
    }
    const auto& through = torus.axes()[which].through;
    const auto first = std::ranges::find(through, true) - through.begin();
    return std::ranges::count(through, true) > 1
               ? Part::links
               : static_cast<Part>(static_cast<int>(Part::vertical_links) + static_cast<int>(first));
}

bool is_links(Part part) {
    return part == Part::links || (part >= Part::vertical_links && part <= Part::third_links);
}

bool has_part(const Torus& torus, Part part) {
    if (!is_links(part)) {
        return true;
    }
    if (part == Part::links) {
        return std::ranges::count_if(torus.axes(), [](const TorusAxis& axis) { return axis.size > 1; }) > 1;
    }
    const auto axis = static_cast<std::size_t>(axis_of(part));
    return axis < torus.axes().size() && torus.axes()[axis].size > 1;
}

Part Bottleneck::largest_wait() const {
    const auto most = std::ranges::max_element(links_busy) - links_busy.begin();
    return static_cast<Part>(static_cast<int>(Part::vertical_links) + static_cast<int>(most));
}

Machine with_times(const Machine& hardware, const Torus& torus, Part part, double times) {
    const auto shorter = [&](Time time) {
        return Time(static_cast<std::int64_t>(static_cast<double>(time.value()) / times));
    };
    Machine faster = hardware;
    switch (part) {
    case Part::compute:
        for (auto& peak : faster.peak.of) {
            peak.value = FlopRate(times * peak.value.value());
        }
        for (MeasuredProduct& measured : faster.measured_products.value) {
            measured.time = std::max(Time(1), shorter(measured.time));
        }
        break;
    case Part::memory:
        faster.hbm_bandwidth.value = Bandwidth(times * hardware.hbm_bandwidth.value.value());
        break;
    case Part::latency:
        faster.sync.value = shorter(hardware.sync.value);
        for (Sourced<Time>* launch : faster.launch.all()) {
            launch->value = shorter(launch->value);
        }
        if (faster.ring_stores) {
            faster.ring_stores->link_flight.value = shorter(faster.ring_stores->link_flight.value);
        }
        break;
    case Part::links:
        for (int axis = 0; axis < torus.axis_count(); ++axis) {
            const auto links = static_cast<Part>(static_cast<int>(Part::vertical_links) + axis);
            faster = has_part(torus, links) ? with_times(faster, torus, links, times) : faster;
        }
        break;
    case Part::vertical_links:
    case Part::horizontal_links:
    case Part::third_links:
        for (const int axis : machine_axes(hardware.network, torus, axis_of(part))) {
            Bandwidth& bandwidth = faster.network.torus_links(axis).bandwidth.value;
            bandwidth = Bandwidth(times * bandwidth.value());
        }
        break;
    }
    return faster;
}

Machine with_twice(const Machine& hardware, const Torus& torus, Part part) {
    return with_times(hardware, torus, part, 2);
}

Bottleneck bottleneck(const Program& program, const Machine& hardware, const Schedule& schedule) {
    const Estimate now = estimate(program, hardware, schedule);
    Bottleneck found;
    found.nothing_overlaps = now.communication() > Time(0) && now.overlapped == Time(0);
    for (const Part part : all_parts) {
        if (has_part(program.torus, part) && now.total > Time(0)) {
            const Time then = estimate(program, with_twice(hardware, program.torus, part), schedule).total;
            found.saves[static_cast<std::size_t>(part)] = std::max(0.0, ratio(now.total - then, now.total));
        }
    }
    for (std::size_t axis = 0; axis < core_engine && now.total > Time(0); ++axis) {
        found.links_busy[axis] = ratio(now.busy[axis], now.total);
    }
    found.part = largest(found.saves);
    return found;
}

Bottleneck together(const std::vector<TimedBottleneck>& runs) {
    Bottleneck all;
    Time time;
    Time in_turn;
    for (const TimedBottleneck& run : runs) {
        time += run.time;
        in_turn += run.bottleneck.nothing_overlaps ? run.time : Time(0);
    }
    for (const TimedBottleneck& run : runs) {
        for (std::size_t part = 0; part < part_count && time > Time(0); ++part) {
            all.saves[part] += run.bottleneck.saves[part] * ratio(run.time, time);
        }
        for (std::size_t axis = 0; axis < core_engine && time > Time(0); ++axis) {
            all.links_busy[axis] += run.bottleneck.links_busy[axis] * ratio(run.time, time);
        }
    }
    all.part = largest(all.saves);
    all.nothing_overlaps = time > Time(0) && in_turn == time;
    return all;
}

} // namespace meshslice
