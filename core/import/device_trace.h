#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/run_control.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What a profiler recorded of accelerators. Read from the JSON of Chrome's trace viewer ("Trace Event
/// Format"), as PyTorch's profiler (Kineto), XProf and TensorBoard, and this program write it, from the
/// databases that Nsight Systems exports, and from execution traces (chakra_trace.h).

/// What an accelerator does, in the order in which a time counts where several things run at once.
enum class DeviceWork : std::uint8_t { multiply, attention, other, copy, communication };
inline constexpr std::array device_works = {DeviceWork::multiply, DeviceWork::attention, DeviceWork::other,
                                            DeviceWork::copy, DeviceWork::communication};
[[nodiscard]] std::string_view name(DeviceWork work);
/// Guessed from the name of a kernel or of an operation of XLA: "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"
/// is communication, "sm90_xmma_gemm_bf16bf16..." multiplies.
[[nodiscard]] DeviceWork work_of(std::string_view kernel);

/// Who wrote a trace, as its events show.
enum class TraceWriter : std::uint8_t { kineto, xprof, nsight, chakra, meshslice, other };
[[nodiscard]] std::string_view name(TraceWriter writer);

struct DeviceEvent {
    Time start, end;
    std::uint32_t kernel = 0; ///< of DeviceTrace::kernels
};
/// A stream of a GPU, or a line of a TPU.
struct DeviceLane {
    std::string device;              ///< "0", "/device:TPU:0"
    std::string name;                ///< "stream 7", "XLA Ops"
    std::vector<DeviceEvent> events; ///< by their start
};
struct DeviceKernel {
    std::string name;
    DeviceWork work = DeviceWork::other;
    double flops = 0; ///< of all its events, where the writer says it; 0: not known
    double bytes = 0; ///< of memory traffic, the same
};
/// A step of the training loop, as the profiler was called for it.
struct TraceStep {
    std::string name;
    Time start, end;
};
/// From this time on a device holds so many bytes.
struct MemoryPoint {
    Time at;
    double held = 0;     ///< by arrays
    double reserved = 0; ///< by the allocator, for arrays; 0: not said
};
struct DeviceMemory {
    std::string device;
    std::vector<MemoryPoint> points; ///< by time; at least one
    double capacity = 0;             ///< bytes of the device, where the file says them; 0: not said
};
struct DeviceTrace {
    TraceWriter writer = TraceWriter::other;
    bool predicted = false; ///< what this program wrote of a run that it predicts: nothing is measured
    std::vector<DeviceKernel> kernels;
    std::vector<DeviceLane> lanes;    ///< those of a device one after the other
    std::vector<TraceStep> steps;     ///< by their start; may be none
    std::vector<DeviceMemory> memory; ///< by device; empty: the file does not say it
    bool steps_of_device = false;     ///< as the device ran them; else as the host called them
    Time end;                         ///< from the first event of a device on, which is at 0

    [[nodiscard]] std::vector<std::string> devices() const;
};

/// Reads event by event: what a host did is not kept. Refuses what is not JSON, with the place, and what has
/// no event of a device. `origin` names the file in sentences.
[[nodiscard]] Result<DeviceTrace> read_device_trace(std::istream& stream, const std::string& origin,
                                                    const RunControl& control = {});
/// The same of a file, which may be compressed with gzip; or a database of Nsight Systems (nsight_trace.h).
[[nodiscard]] Result<DeviceTrace> read_device_trace_file(const std::string& path,
                                                         const RunControl& control = {});

} // namespace meshslice
