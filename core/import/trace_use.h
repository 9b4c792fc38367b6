#pragma once

#include "core/import/device_trace.h"
#include "core/run/run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// What a device did in a stretch of time. Each moment counts once, for the first of `device_works` that runs
/// then, so that the parts and `idle_s` add up to `seconds`: communication only where it is exposed.
struct DeviceUse {
    std::string device; ///< empty: of all, on average
    double seconds = 0;
    std::array<double, device_works.size()> parts_s{};
    double idle_s = 0;
    double communication_s = 0; ///< all of it, hidden or not

    [[nodiscard]] double of(DeviceWork work) const { return parts_s[static_cast<std::size_t>(work)]; }
    [[nodiscard]] double hidden_s() const {
        return std::max(0.0, communication_s - of(DeviceWork::communication));
    }
};
/// All events of one kernel in a stretch.
struct KernelUse {
    std::string name;
    DeviceWork work = DeviceWork::other;
    std::int64_t count = 0;
    double seconds = 0;
    double flop_per_s = 0; ///< 0: the trace does not say what it multiplies
};

/// Of every device, in the order of the trace.
[[nodiscard]] std::vector<DeviceUse> device_uses(const DeviceTrace& trace, Stretch stretch);
[[nodiscard]] DeviceUse average(const std::vector<DeviceUse>& uses);
/// By their time, the longest first; events count by what of them lies in the stretch.
[[nodiscard]] std::vector<KernelUse> kernel_uses(const DeviceTrace& trace, Stretch stretch);

/// Of a GPU, which has a number, "device 0" or "device 0 of process 4711"; else as the trace calls it:
/// "/device:TPU:0".
[[nodiscard]] std::string device_words(const std::string& device);

/// The most that a device held in a stretch.
struct MostHeld {
    std::string device;
    double bytes = 0;
    Time at;             ///< from the begin of the stretch on
    double reserved = 0; ///< the most that the allocator had, then or at another time; 0: not said
    double capacity = 0; ///< of the device; 0: the file does not say it
};
/// What a device held in a stretch, with times from its begin on: first what it held there, if that is known.
[[nodiscard]] std::vector<MemoryPoint> held_in(const DeviceMemory& memory, Stretch stretch);
/// By device; without those of which nothing is known in the stretch.
[[nodiscard]] std::vector<MostHeld> most_held(const DeviceTrace& trace, Stretch stretch);

/// The stretch as a run, which begins where the stretch does: a place for each device, a lane for each
/// stream, and a counter of the memory held where the trace has it. Of events that overlap in one lane, the
/// later one begins where the other ends.
[[nodiscard]] RunPtr run_of(const DeviceTrace& trace, Stretch stretch, std::string title);

} // namespace meshslice
