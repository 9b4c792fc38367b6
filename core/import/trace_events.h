#pragma once

#include "core/base/result.h"
#include "core/import/device_trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace meshslice {

/// The members of an event that count, as Chrome's trace viewer has them.
struct TraceMembers {
    std::string phase, category, name, process, thread, given_name, stream, device, hlo_category;
    double start_us = 0, length_us = 0, flops = 0, bytes = 0;
    bool has_start = false;
    std::string device_type;                             ///< 0: the host's memory
    std::optional<double> allocated;                     ///< bytes of an event about memory
    double reserved = 0;                                 ///< the same
    std::vector<std::pair<std::string, double>> counted; ///< of a counter

    void clear();
};

/// What is kept of the events of any writer.
class ProfilerEvents {
  public:
    void take(const TraceMembers& event);
    /// A step of the loop, as the host or a device had it.
    void take_step(std::string name, double start_us, double length_us, bool of_device);
    /// Where the events themselves do not show it.
    void written_by(TraceWriter writer) { writer_ = writer; }
    /// The bytes that a GPU has.
    void take_capacity(std::string device, double bytes) { capacities_[std::move(device)] = bytes; }
    /// Where the file says that PyTorch's profiler wrote it.
    void of_kineto() { kineto_ = true; }
    /// By this program, of a run that it predicts.
    void predicted() { predicted_ = true; }

    [[nodiscard]] Result<DeviceTrace> trace(const std::string& origin);

  private:
    struct RawEvent {
        double start_us = 0, length_us = 0;
        std::uint32_t kernel = 0, lane = 0;
        bool of_gpu = false; ///< a kernel or a copy of a GPU
    };
    struct RawLane {
        std::string process, thread; ///< as their events say
    };
    struct RawStep {
        std::string name;
        double start_us = 0, length_us = 0;
    };
    struct RawMemory {
        double at_us = 0, held = 0, reserved = 0;
    };
    struct RawCounter {
        std::string process, name;
        std::vector<RawMemory> points;
    };
    using ThreadKey = std::pair<std::string, std::string>;

    void take_memory(const TraceMembers& event);
    void take_counter(const TraceMembers& event);
    [[nodiscard]] std::vector<DeviceMemory> memory(const std::function<Time(double)>& time) const;

    std::uint32_t lane_of(const std::string& process, const std::string& thread, bool gpu);
    std::uint32_t kernel_of(const TraceMembers& event);
    [[nodiscard]] std::string process_name(const RawLane& lane) const;
    [[nodiscard]] std::string thread_name(const RawLane& lane) const;
    [[nodiscard]] std::map<std::uint32_t, bool> tpu_lanes() const;
    [[nodiscard]] std::vector<RawStep> steps_of_tpu() const;
    [[nodiscard]] std::string kernels_of_steps(const RawEvent& event) const;
    [[nodiscard]] DeviceLane named(const RawLane& lane, std::vector<DeviceEvent> events) const;

    bool gpus_ = false, predicted_ = false, kineto_ = false;
    TraceWriter writer_ = TraceWriter::other;
    std::vector<RawEvent> events_;
    std::vector<RawLane> lanes_;
    std::vector<DeviceKernel> kernels_;
    std::unordered_map<std::string, std::uint32_t> lane_numbers_, kernel_numbers_;
    std::map<std::string, std::vector<RawMemory>> memory_; ///< by GPU
    std::vector<RawCounter> counters_;                     ///< of memory, as they appear
    std::map<std::string, double> capacities_;
    std::map<std::string, std::string> processes_;
    std::map<ThreadKey, std::string> threads_;
    std::vector<RawStep> device_steps_, host_steps_;
    std::string key_;
};

} // namespace meshslice
