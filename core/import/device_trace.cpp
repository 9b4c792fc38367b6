#include "core/import/device_trace.h"

#include "core/base/json/stream_letters.h"
#include "core/base/say.h"
#include "core/import/chakra_trace.h"
#include "core/import/gzip_file.h"
#include "core/import/nsight_trace.h"
#include "core/import/trace_events.h"
#include "core/run/trace_notes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace meshslice {
namespace {

/// Follows the JSON text of a trace, which is a list of events or an object with one.
class TraceReader final : public nlohmann::json_sax<nlohmann::json> {
  public:
    TraceReader(ProfilerEvents& events, const RunControl& control) : events_(events), control_(control) {}

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
        } else if (in_other_data_ && depth_ == 2) {
            take_note(value);
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
        } else if (depth_ == 2) {
            in_other_data_ = key_ == other_data;
        }
        return true;
    }
    bool key(string_t& value) override {
        key_ = std::move(value);
        if (depth_ == 1 && (key_ == "schemaVersion" || key_ == "deviceProperties")) {
            events_.of_kineto();
        }
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
        } else if (in_properties_ && depth_ == 3) {
            events_.take_capacity(std::move(property_device_), property_bytes_);
            property_bytes_ = 0;
        } else if (depth_ == 2) {
            in_other_data_ = false;
        }
        --depth_;
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        ++depth_;
        in_properties_ = in_properties_ || (depth_ == 2 && key_ == "deviceProperties");
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
        in_properties_ = in_properties_ && depth_ != 2;
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
    static constexpr std::string_view other_data = "otherData"; ///< what the viewer shows of the whole file

    /// What this program says of the runs that it writes.
    void take_note(std::string_view value) {
        if (key_ == trace_notes::writer && value == trace_notes::program) {
            events_.written_by(TraceWriter::meshslice);
        } else if (key_ == trace_notes::runs && value == trace_notes::prediction) {
            events_.predicted();
        }
    }

    /// Of an event about memory, or of a counter.
    void take_amount(double value) {
        if (key_ == "Total Allocated") {
            event_.allocated = std::max(0.0, value);
        } else if (key_ == "Total Reserved") {
            event_.reserved = std::max(0.0, value);
        }
        constexpr std::size_t most = 16;
        if (event_.counted.size() < most) {
            event_.counted.emplace_back(key_, value);
        }
    }

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
               : key == "Device Id"    ? &event_.device
               : key == "Device Type"  ? &event_.device_type
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
        } else if (in_properties_ && depth_ == 3) {
            if (key_ == "id") {
                property_device_ = fmt::format("{}", words);
            } else if (key_ == "totalGlobalMem") {
                property_bytes_ = value;
            }
        } else if (in_arguments_ && depth_ == event_depth_ + 1) {
            if (event_.phase != "X") {
                take_amount(value);
            }
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

    ProfilerEvents& events_;
    const RunControl& control_;
    TraceMembers event_;
    std::string key_;
    std::string property_device_; ///< of a list of what the devices are
    double property_bytes_ = 0;
    int depth_ = 0, event_depth_ = no_depth;
    bool in_arguments_ = false, in_other_data_ = false, in_properties_ = false, stopped_ = false,
         listed_ = false;
    std::size_t count_ = 0;
    std::optional<std::size_t> broke_at_;
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
    ProfilerEvents events;
    TraceReader reader(events, control);
    StreamLetters letters(*stream.rdbuf());
    if (!nlohmann::json::sax_parse(letters.begin(), StreamLetters::end(), &reader)) {
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
    const auto first = read_through_gzip(path, {}, [](std::istream& stream) -> Result<std::string> {
        std::string bytes(128, '\0');
        stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<std::size_t>(stream.gcount()));
        return bytes;
    });
    if (first && is_sqlite(*first)) {
        return read_nsight_file(path, control);
    }
    if (first && is_chakra(*first)) {
        return read_chakra_file(path, control).and_then([&](const ChakraTrace& trace) {
            return device_trace_of(trace, path);
        });
    }
    return read_through_gzip(path, control, [&](std::istream& stream) -> Result<DeviceTrace> {
        return read_device_trace(stream, path, control);
    });
}

} // namespace meshslice
