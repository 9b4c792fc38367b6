#include "core/import/trace_use.h"

#include "core/base/say.h"
#include "core/run/listed_run.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

struct Busy {
    Time start, end;
};

/// Sorts and joins them; how long they last together.
double joined_seconds(std::vector<Busy>& intervals) {
    std::ranges::sort(intervals, {}, &Busy::start);
    std::vector<Busy> joined;
    double seconds = 0;
    for (const Busy& one : intervals) {
        if (joined.empty() || joined.back().end < one.start) {
            joined.push_back(one);
        } else {
            joined.back().end = std::max(joined.back().end, one.end);
        }
    }
    for (const Busy& one : joined) {
        seconds += in_seconds(one.end - one.start);
    }
    intervals = std::move(joined);
    return seconds;
}

Busy within(const DeviceEvent& event, Stretch stretch) {
    return {std::max(event.start, stretch.begin), std::min(event.end, stretch.end)};
}

Role role_of(DeviceWork work) {
    switch (work) {
    case DeviceWork::multiply: return Role::compute;
    case DeviceWork::attention: return Role::backward;
    case DeviceWork::other: return Role::update;
    case DeviceWork::copy: return Role::slicing;
    case DeviceWork::communication: return Role::transferHorizontal;
    }
    return Role::compute;
}

} // namespace

std::vector<DeviceUse> device_uses(const DeviceTrace& trace, Stretch stretch) {
    std::vector<DeviceUse> uses;
    for (const std::string& device : trace.devices()) {
        DeviceUse use{device, in_seconds(stretch.end - stretch.begin), {}, 0, 0};
        std::array<std::vector<Busy>, device_works.size()> intervals;
        for (const DeviceLane& lane : trace.lanes) {
            if (lane.device != device) {
                continue;
            }
            for (const DeviceEvent& event : lane.events) {
                const Busy one = within(event, stretch);
                if (one.start < one.end) {
                    intervals[static_cast<std::size_t>(trace.kernels[event.kernel].work)].push_back(one);
                }
            }
        }
        use.communication_s = joined_seconds(intervals[static_cast<std::size_t>(DeviceWork::communication)]);
        std::vector<Busy> together;
        double before = 0;
        for (const DeviceWork work : device_works) {
            const auto k = static_cast<std::size_t>(work);
            together.insert(together.end(), intervals[k].begin(), intervals[k].end());
            const double now = joined_seconds(together);
            use.parts_s[k] = now - before;
            before = now;
        }
        use.idle_s = use.seconds - before;
        uses.push_back(use);
    }
    return uses;
}

DeviceUse average(const std::vector<DeviceUse>& uses) {
    DeviceUse sum;
    const double share = uses.empty() ? 0 : 1 / static_cast<double>(uses.size());
    for (const DeviceUse& one : uses) {
        sum.seconds += one.seconds * share;
        sum.idle_s += one.idle_s * share;
        sum.communication_s += one.communication_s * share;
        for (std::size_t k = 0; k < sum.parts_s.size(); ++k) {
            sum.parts_s[k] += one.parts_s[k] * share;
        }
    }
    return sum;
}

std::vector<KernelUse> kernel_uses(const DeviceTrace& trace, Stretch stretch) {
    std::vector<KernelUse> uses(trace.kernels.size());
    std::vector<double> whole(trace.kernels.size(), 0);
    for (const DeviceLane& lane : trace.lanes) {
        for (const DeviceEvent& event : lane.events) {
            whole[event.kernel] += in_seconds(event.end - event.start);
            const Busy one = within(event, stretch);
            if (one.start < one.end) {
                uses[event.kernel].count += 1;
                uses[event.kernel].seconds += in_seconds(one.end - one.start);
            }
        }
    }
    for (std::size_t k = 0; k < uses.size(); ++k) {
        uses[k].name = trace.kernels[k].name;
        uses[k].work = trace.kernels[k].work;
        uses[k].flop_per_s = whole[k] > 0 ? trace.kernels[k].flops / whole[k] : 0;
    }
    std::erase_if(uses, [](const KernelUse& one) { return one.count == 0; });
    std::ranges::stable_sort(uses, std::greater(), &KernelUse::seconds);
    return uses;
}

std::vector<MemoryPoint> held_in(const DeviceMemory& memory, Stretch stretch) {
    const std::vector<MemoryPoint>& all = memory.points;
    const auto after =
        std::ranges::partition_point(all, [&](const MemoryPoint& one) { return one.at <= stretch.begin; });
    std::vector<MemoryPoint> points;
    for (auto one = after == all.begin() ? after : std::prev(after);
         one != all.end() && one->at < stretch.end; ++one) {
        points.push_back(*one);
        points.back().at = std::max(one->at - stretch.begin, Time(0));
    }
    return points;
}

std::string device_words(const std::string& device) {
    constexpr std::string_view of_process = " of process ";
    const auto is_number = [](std::string_view words) {
        return !words.empty() && words.find_first_not_of("0123456789") == std::string_view::npos;
    };
    const std::string_view words = device;
    const std::size_t at = words.find(of_process); // "0", or "0 of process 4711"
    const bool numbered = is_number(words.substr(0, at)) &&
                          (at == std::string_view::npos || is_number(words.substr(at + of_process.size())));
    return numbered || device.empty() ? say("device {}", device) : device;
}

std::vector<MostHeld> most_held(const DeviceTrace& trace, Stretch stretch) {
    std::vector<MostHeld> all;
    for (const DeviceMemory& one : trace.memory) {
        const std::vector<MemoryPoint> points = held_in(one, stretch);
        if (points.empty()) {
            continue;
        }
        const auto most = std::ranges::max_element(points, {}, &MemoryPoint::held);
        all.push_back({one.device, most->held, most->at,
                       std::ranges::max_element(points, {}, &MemoryPoint::reserved)->reserved, one.capacity});
    }
    return all;
}

RunPtr run_of(const DeviceTrace& trace, Stretch stretch, std::string title) {
    auto run = std::make_shared<ListedRun>(std::move(title), RunReading::measured);
    const std::vector<std::string> devices = trace.devices();
    std::vector<int> lanes_at(devices.size(), 0);
    for (const DeviceLane& one : trace.lanes) {
        const auto at = static_cast<std::size_t>(std::ranges::find(devices, one.device) - devices.begin());
        Lane lane;
        lane.place = "device " + one.device;
        lane.name = one.name;
        lane.at = at;
        lane.number = lane.order = lanes_at[at]++;
        const std::size_t number = run->add_lane(lane);
        Time free(0);
        for (const DeviceEvent& event : one.events) {
            const Busy seen = within(event, stretch);
            const Time start = std::max(seen.start - stretch.begin, free);
            const Time end = seen.end - stretch.begin;
            if (seen.start < seen.end && start < end) {
                const DeviceKernel& kernel = trace.kernels[event.kernel];
                run->add(number,
                         {start, end, role_of(kernel.work), {kernel.name, std::string(name(kernel.work))}});
                free = end;
            }
        }
    }
    for (const DeviceMemory& one : trace.memory) {
        const auto at = static_cast<std::size_t>(std::ranges::find(devices, one.device) - devices.begin());
        const std::vector<MemoryPoint> points = held_in(one, stretch);
        if (at == devices.size() || points.empty()) {
            continue;
        }
        Lane lane;
        lane.place = "device " + one.device;
        lane.name = said("memory held");
        lane.at = at;
        lane.number = lane.order = lanes_at[at]++;
        lane.kind = LaneKind::counter;
        std::vector<RunValue> values;
        for (const MemoryPoint& point : points) {
            values.push_back({point.at, point.held});
        }
        run->count(run->add_lane(lane), std::move(values));
    }
    return run;
}

} // namespace meshslice
