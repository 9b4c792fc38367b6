#include "core/import/device_trace.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <streambuf>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <zlib.h>

namespace meshslice {
namespace {

/// No trace is longer: 23 days, a quarter of what a Time counts.
constexpr double most_us = 2e12;

struct RawEvent {
    double start_us = 0, length_us = 0;
    std::uint32_t kernel = 0, lane = 0;
    bool of_kineto = false; ///< a kernel or a copy of a GPU
};
struct RawLane {
    std::string process, thread; ///< as their events say
};

/// The members of an event that count.
struct TraceMembers {
    std::string phase, category, name, process, thread, given_name, stream, device, hlo_category;
    double start_us = 0, length_us = 0, flops = 0, bytes = 0;
    bool has_start = false;

    void clear() {
        for (std::string* const one :
             {&phase, &category, &name, &process, &thread, &given_name, &stream, &device, &hlo_category}) {
            one->clear();
        }
        start_us = length_us = flops = bytes = 0;
        has_start = false;
    }
};

/// What is kept of the events of any writer.
class TraceEvents {
  public:
    void take(const TraceMembers& event) {
        if (event.phase == "M") {
            if (event.name == "process_name") {
                processes_[event.process] = event.given_name;
            } else if (event.name == "thread_name") {
                threads_[{event.process, event.thread}] = event.given_name;
            }
            return;
        }
        if (event.phase != "X" || !event.has_start || !(std::abs(event.start_us) < 1e18) ||
            !(event.length_us >= 0) || !(event.length_us < most_us)) {
            return;
        }
        static constexpr std::string_view step = "ProfilerStep#";
        if (event.name.starts_with(step)) {
            (event.category == "gpu_user_annotation" ? device_steps_ : host_steps_)
                .push_back({event.name, event.start_us, event.length_us});
            return;
        }
        static constexpr std::array of_gpu = {"kernel", "gpu_memcpy", "gpu_memset"};
        static constexpr std::array of_host = {
            "cpu_op", "cuda_runtime", "cuda_driver",         "python_function", "user_annotation",  "fwdbwd",
            "ac2g",   "Trace",        "gpu_user_annotation", "overhead",        "cpu_instant_event"};
        const auto is = [&](const char* category) { return event.category == category; };
        if (std::ranges::any_of(of_host, is)) {
            return;
        }
        const bool gpu = std::ranges::any_of(of_gpu, is);
        kineto_ = kineto_ || gpu;
        const std::uint32_t lane = gpu ? lane_of(event.device.empty() ? event.process : event.device,
                                                 event.stream.empty() ? event.thread : event.stream, true)
                                       : lane_of(event.process, event.thread, false);
        events_.push_back({event.start_us, event.length_us, kernel_of(event), lane, gpu});
    }

    Result<DeviceTrace> trace(const std::string& origin) {
        DeviceTrace trace;
        const auto devices = tpu_lanes();
        trace.writer = kineto_           ? TraceWriter::kineto
                       : devices.empty() ? TraceWriter::other
                                         : TraceWriter::xprof;
        const auto kept = [&](const RawEvent& event) {
            return kineto_ ? event.of_kineto : devices.empty() || devices.contains(event.lane);
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
            return Time(static_cast<std::int64_t>(
                std::llround(std::clamp(at_us - first_us, -most_us, most_us) * 1e6)));
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
        trace.steps.erase(
            std::unique(trace.steps.begin(), trace.steps.end(),
                        [](const TraceStep& a, const TraceStep& b) { return a.name == b.name; }),
            trace.steps.end());
        return trace;
    }

  private:
    struct RawStep {
        std::string name;
        double start_us = 0, length_us = 0;
    };
    using ThreadKey = std::pair<std::string, std::string>;

    std::uint32_t lane_of(const std::string& process, const std::string& thread, bool gpu) {
        key_.assign(1, gpu ? 'g' : 'p').append(process).append(1, '\0').append(thread);
        const auto [found, added] =
            lane_numbers_.try_emplace(key_, static_cast<std::uint32_t>(lanes_.size()));
        if (added) {
            lanes_.push_back({process, thread});
        }
        return found->second;
    }
    std::uint32_t kernel_of(const TraceMembers& event) {
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
    [[nodiscard]] std::string process_name(const RawLane& lane) const {
        const auto found = processes_.find(lane.process);
        return found == processes_.end() ? std::string() : found->second;
    }
    [[nodiscard]] std::string thread_name(const RawLane& lane) const {
        const auto found = threads_.find(ThreadKey(lane.process, lane.thread));
        return found == threads_.end() ? std::string() : found->second;
    }
    /// Lanes on which XProf shows the operations of TPUs and GPUs.
    [[nodiscard]] std::map<std::uint32_t, bool> tpu_lanes() const {
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
    [[nodiscard]] std::vector<RawStep> steps_of_tpu() const {
        std::vector<RawStep> steps;
        for (const RawEvent& event : events_) {
            if (thread_name(lanes_[event.lane]) == "Steps") {
                steps.push_back({kernels_of_steps(event), event.start_us, event.length_us});
            }
        }
        return steps;
    }
    [[nodiscard]] std::string kernels_of_steps(const RawEvent& event) const {
        for (const auto& [words, number] : kernel_numbers_) {
            if (number == event.kernel) {
                return "step " + words;
            }
        }
        return {};
    }
    [[nodiscard]] DeviceLane named(const RawLane& lane, std::vector<DeviceEvent> events) const {
        if (kineto_) {
            return {lane.process, "stream " + lane.thread, std::move(events)};
        }
        const std::string process = process_name(lane);
        const std::string thread = thread_name(lane);
        return {process.empty() ? lane.process : process, thread.empty() ? lane.thread : thread,
                std::move(events)};
    }

    bool kineto_ = false;
    std::vector<RawEvent> events_;
    std::vector<RawLane> lanes_;
    std::vector<DeviceKernel> kernels_;
    std::unordered_map<std::string, std::uint32_t> lane_numbers_, kernel_numbers_;
    std::map<std::string, std::string> processes_;
    std::map<ThreadKey, std::string> threads_;
    std::vector<RawStep> device_steps_, host_steps_;
    std::string key_;
};

/// Follows the JSON text of a trace, which is a list of events or an object with one.
class TraceReader final : public nlohmann::json_sax<nlohmann::json> {
  public:
    TraceReader(TraceEvents& events, const RunControl& control) : events_(events), control_(control) {}

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value), value); }
    bool number_unsigned(number_unsigned_t value) override {
        return number(static_cast<double>(value), value);
    }
    bool number_float(number_float_t value, const string_t& text) override { return number(value, text); }
    bool string(string_t& value) override {
        if (depth_ == event_depth_) {
            if (std::string* const member = text_member(key_)) {
                *member = std::move(value);
            } else if (key_ == "ts" || key_ == "dur") {
                return number(std::strtod(value.c_str(), nullptr), value);
            }
        } else if (in_arguments_ && depth_ == event_depth_ + 1) {
            if (std::string* const member = argument_member(key_)) {
                *member = std::move(value);
            } else if (key_ == "model_flops" || key_ == "bytes_accessed") {
                return number(std::strtod(value.c_str(), nullptr), value);
            }
        }
        return true;
    }
    bool binary(binary_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*size*/) override {
        ++depth_;
        if (depth_ == event_depth_) {
            event_.clear();
        } else if (depth_ == event_depth_ + 1) {
            in_arguments_ = key_ == "args";
        }
        return true;
    }
    bool key(string_t& value) override {
        key_ = std::move(value);
        return true;
    }
    bool end_object() override {
        if (depth_ == event_depth_) {
            events_.take(event_);
            constexpr std::size_t asked_every = 1024;
            if (++count_ % asked_every == 0 && control_.stop.stop_requested()) {
                stopped_ = true;
                return false;
            }
        } else if (depth_ == event_depth_ + 1) {
            in_arguments_ = false;
        }
        --depth_;
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        ++depth_;
        if (depth_ == 1 || (depth_ == 2 && key_ == "traceEvents")) {
            event_depth_ = depth_ + 1;
            listed_ = true;
        }
        return true;
    }
    bool end_array() override {
        if (depth_ + 1 == event_depth_) {
            event_depth_ = no_depth;
        }
        --depth_;
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) override {
        broke_at_ = position;
        return false;
    }

    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] bool listed() const { return listed_; }
    [[nodiscard]] std::optional<std::size_t> broke_at() const { return broke_at_; }

  private:
    static constexpr int no_depth = -10;

    std::string* text_member(std::string_view key) {
        return key == "ph"     ? &event_.phase
               : key == "cat"  ? &event_.category
               : key == "name" ? &event_.name
               : key == "pid"  ? &event_.process
               : key == "tid"  ? &event_.thread
                               : nullptr;
    }
    std::string* argument_member(std::string_view key) {
        return key == "name"           ? &event_.given_name
               : key == "stream"       ? &event_.stream
               : key == "device"       ? &event_.device
               : key == "hlo_category" ? &event_.hlo_category
                                       : nullptr;
    }
    template <typename Words>
    bool number(double value, const Words& words) {
        if (depth_ == event_depth_) {
            if (key_ == "ts") {
                event_.start_us = value;
                event_.has_start = true;
            } else if (key_ == "dur") {
                event_.length_us = value;
            } else if (std::string* const member = text_member(key_)) {
                *member = fmt::format("{}", words);
            }
        } else if (in_arguments_ && depth_ == event_depth_ + 1) {
            if (key_ == "model_flops") {
                event_.flops = std::max(0.0, value);
            } else if (key_ == "bytes_accessed") {
                event_.bytes = std::max(0.0, value);
            } else if (std::string* const member = argument_member(key_)) {
                *member = fmt::format("{}", words);
            }
        }
        return true;
    }

    TraceEvents& events_;
    const RunControl& control_;
    TraceMembers event_;
    std::string key_;
    int depth_ = 0, event_depth_ = no_depth;
    bool in_arguments_ = false, stopped_ = false, listed_ = false;
    std::size_t count_ = 0;
    std::optional<std::size_t> broke_at_;
};

/// A file through zlib, which hands over plain text as it is.
class GzipBuffer final : public std::streambuf {
  public:
    /// `progress`: where to say how much of its bytes has been read; null: nowhere.
    GzipBuffer(const std::string& path, std::atomic<double>* progress)
        : file_(gzopen(path.c_str(), "rb")), part_(256u << 10), progress_(progress) {
        std::error_code unknown;
        bytes_ = static_cast<double>(std::filesystem::file_size(path, unknown));
    }

    [[nodiscard]] bool opened() const { return file_ != nullptr; }
    [[nodiscard]] bool broken() const { return broken_; }

  protected:
    int_type underflow() override {
        const int got = gzread(file_.get(), part_.data(), static_cast<unsigned>(part_.size()));
        if (got <= 0) {
            int code = Z_OK;
            gzerror(file_.get(), &code);
            broken_ = got < 0 || (code != Z_OK && code != Z_STREAM_END);
            return traits_type::eof();
        }
        if (progress_ != nullptr && bytes_ > 0) {
            progress_->store(std::min(1.0, static_cast<double>(gzoffset(file_.get())) / bytes_));
        }
        setg(part_.data(), part_.data(), part_.data() + got);
        return traits_type::to_int_type(part_.front());
    }

  private:
    struct Close {
        void operator()(gzFile file) const { gzclose(file); }
    };
    std::unique_ptr<gzFile_s, Close> file_;
    std::vector<char> part_;
    std::atomic<double>* progress_;
    double bytes_ = 0;
    bool broken_ = false;
};

} // namespace

std::vector<std::string> DeviceTrace::devices() const {
    std::vector<std::string> all;
    for (const DeviceLane& lane : lanes) {
        if (all.empty() || all.back() != lane.device) {
            all.push_back(lane.device);
        }
    }
    return all;
}

Result<DeviceTrace> read_device_trace(std::istream& stream, const std::string& origin,
                                      const RunControl& control) {
    TraceEvents events;
    TraceReader reader(events, control);
    if (!nlohmann::json::sax_parse(stream, &reader)) {
        return reader.stopped() ? Result<DeviceTrace>(cancelled())
                                : refuse(say("{} is broken at byte {}; expected the JSON of a trace.", origin,
                                             reader.broke_at().value_or(0)));
    }
    if (!reader.listed()) {
        return refuse(
            say("{} has no list \"traceEvents\"; expected a trace as Chrome's viewer reads it.", origin));
    }
    return events.trace(origin);
}

Result<DeviceTrace> read_device_trace_file(const std::string& path, const RunControl& control) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) {
        return refuse(std::filesystem::exists(path, unknown)
                          ? fmt::format("{} is a directory; expected a file.", path)
                          : fmt::format("There is no file {}.", path));
    }
    GzipBuffer buffer(path, control.progress);
    if (!buffer.opened()) {
        return refuse(fmt::format("{} cannot be read; check its permissions.", path));
    }
    std::istream stream(&buffer);
    Result<DeviceTrace> trace = read_device_trace(stream, path, control);
    if (buffer.broken()) {
        return refuse(
            fmt::format("{} broke off while it was read: its gzip stream is damaged or cut.", path));
    }
    return trace;
}

} // namespace meshslice
