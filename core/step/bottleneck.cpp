#include "core/step/bottleneck.h"

#include "core/cost/link_bandwidth.h"
#include "core/estimate/estimate.h"
#include "core/machine/faster.h"

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
    switch (part) {
    case Part::compute: return faster(hardware, MachineRate::compute, times);
    case Part::memory: return faster(hardware, MachineRate::memory, times);
    case Part::latency: return faster(hardware, MachineRate::latency, times);
    case Part::links: break;
    default: return with_faster_links(hardware, machine_axes(hardware.network, torus, axis_of(part)), times);
    }
    Machine all = hardware;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        const auto links = static_cast<Part>(static_cast<int>(Part::vertical_links) + axis);
        all = has_part(torus, links) ? with_times(all, torus, links, times) : all;
    }
    return all;
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
