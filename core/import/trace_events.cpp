#include "core/import/trace_events.h"

#include "core/base/say.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace meshslice {
namespace {

/// No trace is longer: 23 days, a quarter of what a Time counts.
constexpr double most_us = 2e12;

} // namespace

void TraceMembers::clear() {
    for (std::string* const one : {&phase, &category, &name, &process, &thread, &given_name, &stream, &device,
                                   &hlo_category, &device_type}) {
        one->clear();
    }
    start_us = length_us = flops = bytes = 0;
    has_start = false;
    allocated.reset();
    reserved = 0;
    counted.clear();
}

namespace {

/// " gpu memory used gb " of "GPUMemory_used [GB]": its words in small letters, a space around each. "GiB" is
/// " gi b ".
std::string words_in(std::string_view name) {
    const auto is_large = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
    const auto is_small = [](char letter) { return letter >= 'a' && letter <= 'z'; };
    std::string made = " ";
    for (std::size_t k = 0; k < name.size(); ++k) {
        const char letter = name[k], before = k > 0 ? name[k - 1] : ' ';
        const bool small_next = k + 1 < name.size() && is_small(name[k + 1]);
        if (is_large(letter) && (is_small(before) || (is_large(before) && small_next))) {
            made += ' ';
        }
        if (is_large(letter)) {
            made += static_cast<char>(letter - 'A' + 'a');
        } else if (is_small(letter) || (letter >= '0' && letter <= '9') || letter == '\'') {
            made += letter;
        } else if (made.back() != ' ') {
            made += ' ';
        }
    }
    return made.back() == ' ' ? made : made + ' ';
}

bool has_one_of(std::string_view words, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(
        parts, [&](std::string_view one) { return words.find(one) != std::string_view::npos; });
}

/// Bytes in the unit that the words of a counter or of its value have; 1: none is said.
double unit_of_counter(const std::string& words) {
    constexpr double k = 1024;
    return has_one_of(words, {" gib ", " gi b "})   ? k * k * k
           : has_one_of(words, {" mib ", " mi b "}) ? k * k
           : has_one_of(words, {" kib ", " ki b "}) ? k
           : has_one_of(words, {" gb "})            ? 1e9
           : has_one_of(words, {" mb "})            ? 1e6
           : has_one_of(words, {" kb ", " k b "})   ? 1e3
                                                    : 1;
}

/// Whether a counter's words say that it is about memory that a device holds: not how fast it is read, and
/// not what is free or only reserved.
bool is_of_memory_held(const std::string& words) {
    return has_one_of(words, {"memory", " hbm ", " bytes in use ", " allocated "}) &&
           !has_one_of(words, {"bandwidth", " util ", "utilization", " rate ", "throughput", "traffic",
                               " read ", " reads ", " write ", " writes ", " clock ", " host ", " cpu ",
                               " fragment ", " fragments ", "fragmentation", " s ", " percent "}) &&
           (!has_one_of(words, {" free ", " reserved ", " available "}) ||
            has_one_of(words, {" allocated ", " used ", " in use "}));
}

} // namespace

void ProfilerEvents::take(const TraceMembers& event) {
    if (event.phase == "M") {
        if (event.name == "process_name") {
            processes_[event.process] = event.given_name;
        } else if (event.name == "thread_name") {
            threads_[{event.process, event.thread}] = event.given_name;
        }
        return;
    }
    if (event.phase == "i" || event.phase == "I") {
        take_memory(event);
        return;
    }
    if (event.phase == "C") {
        take_counter(event);
        return;
    }
    if (event.phase != "X" || !event.has_start || !(std::abs(event.start_us) < 1e18) ||
        !(event.length_us >= 0) || !(event.length_us < most_us)) {
        return;
    }
    static constexpr std::string_view step = "ProfilerStep#";
    if (event.name.starts_with(step)) {
        kineto_ = true;
        take_step(event.name, event.start_us, event.length_us, event.category == "gpu_user_annotation");
        return;
    }
    static constexpr std::array gpu_categories = {"kernel", "gpu_memcpy", "gpu_memset"};
    static constexpr std::array of_host = {
        "cpu_op", "cuda_runtime", "cuda_driver",         "python_function", "user_annotation",  "fwdbwd",
        "ac2g",   "Trace",        "gpu_user_annotation", "overhead",        "cpu_instant_event"};
    const auto is = [&](const char* category) { return event.category == category; };
    if (std::ranges::any_of(of_host, is)) {
        kineto_ = true;
        return;
    }
    const bool gpu = std::ranges::any_of(gpu_categories, is);
    gpus_ = gpus_ || gpu;
    const std::uint32_t lane = gpu ? lane_of(event.device.empty() ? event.process : event.device,
                                             event.stream.empty() ? event.thread : event.stream, true)
                                   : lane_of(event.process, event.thread, false);
    events_.push_back({event.start_us, event.length_us, kernel_of(event), lane, gpu});
}

/// What Kineto writes whenever an allocator gives or takes: "[memory]", with all that is allocated then.
void ProfilerEvents::take_memory(const TraceMembers& event) {
    if (event.name == "[memory]" && event.has_start && std::abs(event.start_us) < 1e18 && event.allocated &&
        event.device_type != "0") {
        memory_[event.device.empty() ? "0" : event.device].push_back(
            {event.start_us, *event.allocated, event.reserved});
    }
}

/// A counter that says how much memory is held: by its name, with one value, or one that is allocated or
/// used.
void ProfilerEvents::take_counter(const TraceMembers& event) {
    const std::string name = words_in(event.name);
    if (!event.has_start || !(std::abs(event.start_us) < 1e18) || event.name.find('%') != std::string::npos ||
        !is_of_memory_held(name)) {
        return;
    }
    const std::pair<std::string, double>* found = event.counted.size() == 1 ? &event.counted[0] : nullptr;
    for (const auto& one : event.counted) {
        const bool is =
            has_one_of(words_in(one.first), {" alloc ", " allocated ", " in use ", " used ", " held "});
        found = found == nullptr && is ? &one : found;
    }
    if (found == nullptr || !(found->second >= 0) ||
        has_one_of(words_in(found->first), {" free ", " reserved ", " available "})) {
        return;
    }
    auto its = std::ranges::find_if(counters_, [&](const RawCounter& one) {
        return one.process == event.process && one.name == event.name;
    });
    if (its == counters_.end()) {
        counters_.push_back({event.process, event.name, {}});
        its = counters_.end() - 1;
    }
    its->points.push_back(
        {event.start_us, found->second * unit_of_counter(name + words_in(found->first)), 0});
}

std::vector<DeviceMemory> ProfilerEvents::memory(const std::function<Time(double)>& time) const {
    std::vector<DeviceMemory> all;
    const auto add = [&](std::string device, const std::vector<RawMemory>& points) {
        if (std::ranges::find(all, device, &DeviceMemory::device) != all.end()) {
            return; // the first counter of a device counts
        }
        const auto capacity = capacities_.find(device);
        DeviceMemory made{std::move(device), {}, capacity == capacities_.end() ? 0 : capacity->second};
        for (const RawMemory& one : points) {
            made.points.push_back({time(one.at_us), one.held, one.reserved});
        }
        std::ranges::stable_sort(made.points, {}, &MemoryPoint::at);
        all.push_back(std::move(made));
    };
    for (const auto& [device, points] : memory_) {
        add(device, points);
    }
    for (const RawCounter& one : memory_.empty() ? counters_ : std::vector<RawCounter>()) {
        const auto process = processes_.find(one.process);
        add(process == processes_.end() ? one.process : process->second, one.points);
    }
    return all;
}

void ProfilerEvents::take_step(std::string name, double start_us, double length_us, bool of_device) {
    (of_device ? device_steps_ : host_steps_).push_back({std::move(name), start_us, length_us});
}

Result<DeviceTrace> ProfilerEvents::trace(const std::string& origin) {
    DeviceTrace trace;
    const auto devices = tpu_lanes();
    trace.predicted = predicted_;
    trace.writer = writer_ != TraceWriter::other ? writer_
                   : gpus_ && kineto_            ? TraceWriter::kineto
                   : gpus_ || devices.empty()    ? TraceWriter::other
                                                 : TraceWriter::xprof;
    const auto kept = [&](const RawEvent& event) {
        return gpus_ ? event.of_gpu : devices.empty() || devices.contains(event.lane);
    };
    double first_us = std::numeric_limits<double>::max();
    for (const RawEvent& event : events_) {
        if (kept(event)) {
            first_us = std::min(first_us, event.start_us);
        }
    }
    if (first_us == std::numeric_limits<double>::max()) {
        return refuse(say("{} has no complete event (\"ph\": \"X\") of an accelerator; expected what a "
                          "profiler wrote that recorded one, such as PyTorch's with CUDA activities.",
                          origin));
    }
    const auto time = [&](double at_us) {
        return Time(
            static_cast<std::int64_t>(std::llround(std::clamp(at_us - first_us, -most_us, most_us) * 1e6)));
    };
    std::vector<std::vector<DeviceEvent>> events(lanes_.size());
    for (const RawEvent& event : events_) {
        if (kept(event)) {
            const Time end = time(event.start_us + event.length_us);
            events[event.lane].push_back({time(event.start_us), end, event.kernel});
            trace.end = std::max(trace.end, end);
        }
    }
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
        if (!events[k].empty()) {
            std::ranges::stable_sort(events[k], {}, &DeviceEvent::start);
            trace.lanes.push_back(named(lanes_[k], std::move(events[k])));
        }
    }
    std::ranges::stable_sort(trace.lanes, {}, &DeviceLane::device);
    trace.memory = memory(time);
    trace.kernels = std::move(kernels_);
    trace.steps_of_device = !device_steps_.empty() || trace.writer == TraceWriter::xprof;
    if (trace.writer == TraceWriter::xprof) {
        device_steps_ = steps_of_tpu();
    }
    for (const RawStep& one : device_steps_.empty() ? host_steps_ : device_steps_) {
        trace.steps.push_back({one.name, time(one.start_us), time(one.start_us + one.length_us)});
    }
    std::ranges::stable_sort(trace.steps, {}, &TraceStep::start);
    // A step that several lanes say is one.
    trace.steps.erase(std::unique(trace.steps.begin(), trace.steps.end(),
                                  [](const TraceStep& a, const TraceStep& b) { return a.name == b.name; }),
                      trace.steps.end());
    return trace;
}

std::uint32_t ProfilerEvents::lane_of(const std::string& process, const std::string& thread, bool gpu) {
    key_.assign(1, gpu ? 'g' : 'p').append(process).append(1, '\0').append(thread);
    const auto [found, added] = lane_numbers_.try_emplace(key_, static_cast<std::uint32_t>(lanes_.size()));
    if (added) {
        lanes_.push_back({process, thread});
    }
    return found->second;
}

std::uint32_t ProfilerEvents::kernel_of(const TraceMembers& event) {
    const auto [found, added] =
        kernel_numbers_.try_emplace(event.name, static_cast<std::uint32_t>(kernels_.size()));
    if (added) {
        DeviceWork work = work_of(event.name);
        if (work == DeviceWork::other && !event.hlo_category.empty()) { // a fusion of XLA
            work = work_of(event.hlo_category);
        }
        if (event.category == "gpu_memcpy" || event.category == "gpu_memset") {
            work = DeviceWork::copy;
        }
        kernels_.push_back({event.name, work});
    }
    kernels_[found->second].flops += event.flops;
    kernels_[found->second].bytes += event.bytes;
    return found->second;
}

std::string ProfilerEvents::process_name(const RawLane& lane) const {
    const auto found = processes_.find(lane.process);
    return found == processes_.end() ? std::string() : found->second;
}

std::string ProfilerEvents::thread_name(const RawLane& lane) const {
    const auto found = threads_.find(ThreadKey(lane.process, lane.thread));
    return found == threads_.end() ? std::string() : found->second;
}

/// Lanes on which XProf shows the operations of TPUs and GPUs.
std::map<std::uint32_t, bool> ProfilerEvents::tpu_lanes() const {
    std::map<std::uint32_t, bool> found;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
        const std::string thread = thread_name(lanes_[k]);
        if (process_name(lanes_[k]).starts_with("/device:") &&
            (thread == "XLA Ops" || thread == "Async XLA Ops" || thread.starts_with("Stream #"))) {
            found[static_cast<std::uint32_t>(k)] = true;
        }
    }
    return found;
}

std::vector<ProfilerEvents::RawStep> ProfilerEvents::steps_of_tpu() const {
    std::vector<RawStep> steps;
    for (const RawEvent& event : events_) {
        if (thread_name(lanes_[event.lane]) == "Steps") {
            steps.push_back({kernels_of_steps(event), event.start_us, event.length_us});
        }
    }
    return steps;
}

std::string ProfilerEvents::kernels_of_steps(const RawEvent& event) const {
    for (const auto& [words, number] : kernel_numbers_) {
        if (number == event.kernel) {
            return "step " + words;
        }
    }
    return {};
}

DeviceLane ProfilerEvents::named(const RawLane& lane, std::vector<DeviceEvent> events) const {
    if (gpus_) {
        return {lane.process, "stream " + lane.thread, std::move(events)};
    }
    const std::string process = process_name(lane);
    const std::string thread = thread_name(lane);
    return {process.empty() ? lane.process : process, thread.empty() ? lane.thread : thread,
            std::move(events)};
}

} // namespace meshslice
