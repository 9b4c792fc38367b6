#include "tests/cli/support/chrome_trace_checker.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace meshslice::test {
namespace {

using nlohmann::json;

struct Span {
    std::int64_t start = 0; ///< ps
    std::int64_t end = 0;
    std::size_t event = 0; ///< its place in traceEvents
};

using Thread = std::pair<std::int64_t, std::int64_t>; ///< pid, tid

class Checker {
  public:
    CheckedTrace check(std::string_view text, std::optional<double> expected_end_s) {
        const json trace = json::parse(text, nullptr, false);
        if (trace.is_discarded()) {
            say("The trace is not valid JSON.");
            return std::move(result_);
        }
        if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array()) {
            say("There is no array \"traceEvents\".");
            return std::move(result_);
        }
        const json& events = trace["traceEvents"];
        for (std::size_t k = 0; k < events.size(); ++k) {
            read(events[k], k);
        }
        check_names();
        check_overlaps();
        check_flows();
        check_range(expected_end_s);
        return std::move(result_);
    }

  private:
    void say(std::string finding) { result_.findings.push_back(std::move(finding)); }

    void read(const json& event, std::size_t place) {
        if (!event.is_object() || !event.contains("ph") || !event["ph"].is_string()) {
            return say(fmt::format("Event {} has no \"ph\".", place));
        }
        for (const char* key : {"pid", "tid"}) {
            if (!event.contains(key) || !event[key].is_number_integer()) {
                return say(fmt::format("Event {} has no whole number \"{}\".", place, key));
            }
        }
        if (!event.contains("name") || !event["name"].is_string() || event["name"] == "") {
            return say(fmt::format("Event {} has no \"name\".", place));
        }
        if (event["ph"] == "M") {
            read_metadata(event, place);
        } else if (event["ph"] == "X") {
            read_complete(event, place);
        } else if (event["ph"] == "s" || event["ph"] == "f") {
            read_flow(event, place);
        } else if (event["ph"] == "C") {
            read_count(event, place);
        } else {
            say(fmt::format("Event {} is neither \"M\" nor \"X\", \"s\", \"f\" or \"C\".", place));
        }
    }

    void read_flow(const json& event, std::size_t place) {
        if (!event.contains("id") || !event["id"].is_number_integer() || !event.contains("ts") ||
            !event["ts"].is_number()) {
            return say(
                fmt::format("Event {} is a flow without whole number \"id\" and number \"ts\".", place));
        }
        auto& ends = event["ph"] == "s" ? flow_starts_ : flow_ends_;
        const FlowEnd end{{event["pid"], event["tid"]}, picoseconds(event["ts"])};
        if (!ends.emplace(event["id"].get<std::int64_t>(), end).second) {
            say(fmt::format("Event {} is the same end of a flow as another.", place));
        }
    }

    void read_count(const json& event, std::size_t place) {
        ++result_.counts;
        const bool counts = event.contains("ts") && event["ts"].is_number() && event.contains("args") &&
                            event["args"].is_object() && event["args"].size() == 1 &&
                            event["args"].begin()->is_number();
        if (!counts) {
            say(fmt::format("Event {} counts nothing.", place));
        }
        counting_.insert(event["pid"].get<std::int64_t>());
    }

    /// The X event at an end of a flow; null where there is none. The spans are in order.
    [[nodiscard]] const Span* span_at(const Thread& thread, std::int64_t at) const {
        const auto spans = spans_.find(thread);
        if (spans == spans_.end()) {
            return nullptr;
        }
        const auto after = std::ranges::upper_bound(spans->second, at, {}, &Span::start);
        return after == spans->second.begin() || std::prev(after)->end < at ? nullptr : &*std::prev(after);
    }

    void check_flows() {
        result_.flows = static_cast<std::int64_t>(flow_starts_.size());
        for (const auto& [id, start] : flow_starts_) {
            const auto end = flow_ends_.find(id);
            if (end == flow_ends_.end()) {
                say(fmt::format("Flow {} ends nowhere.", id));
                continue;
            }
            const Span* from = span_at(start.thread, start.at);
            const Span* to = span_at(end->second.thread, end->second.at);
            if (from == nullptr || to == nullptr) {
                say(fmt::format("Flow {} does not lead from bar to bar.", id));
            } else if (to->start < from->end) {
                say(fmt::format("Flow {} leads to a bar that begins before the first one ends.", id));
            }
        }
        for (const auto& [id, end] : flow_ends_) {
            if (!flow_starts_.contains(id)) {
                say(fmt::format("Flow {} begins nowhere.", id));
            }
        }
        for (const std::int64_t process : counting_) {
            if (!process_names_.contains(process)) {
                say(fmt::format("Process {}, which counts, has no name.", process));
            }
        }
    }

    void read_metadata(const json& event, std::size_t place) {
        const bool process = event["name"] == "process_name";
        if (!process && event["name"] != "thread_name") {
            return;
        }
        if (!event.contains("args") || !event["args"].is_object() || !event["args"].contains("name") ||
            !event["args"]["name"].is_string() || event["args"]["name"] == "") {
            return say(fmt::format("Event {} names nothing.", place));
        }
        const std::int64_t pid = event["pid"];
        const bool first =
            process ? process_names_.emplace(pid, event["args"]["name"]).second
                    : thread_names_.emplace(Thread(pid, event["tid"]), event["args"]["name"]).second;
        if (!first) {
            say(fmt::format("Event {} names what has a name.", place));
        }
    }

    void read_complete(const json& event, std::size_t place) {
        ++(event.contains("cat") && event["cat"] == "wait" ? result_.waits : result_.complete_events);
        for (const char* key : {"ts", "dur"}) {
            if (!event.contains(key) || !event[key].is_number()) {
                return say(fmt::format("Event {} has no number \"{}\".", place, key));
            }
            if (event[key] < 0) {
                return say(fmt::format("Event {} has a negative \"{}\".", place, key));
            }
        }
        const std::int64_t start = picoseconds(event["ts"]);
        spans_[{event["pid"], event["tid"]}].push_back({start, start + picoseconds(event["dur"]), place});
    }

    static std::int64_t picoseconds(double microseconds) { return std::llround(microseconds * 1e6); }

    void check_names() {
        for (const auto& [thread, spans] : spans_) {
            if (!process_names_.contains(thread.first)) {
                say(fmt::format("Process {} has no name.", thread.first));
            }
            if (!thread_names_.contains(thread)) {
                say(fmt::format("Thread {} of process {} has no name.", thread.second, thread.first));
            }
        }
    }

    void check_overlaps() {
        for (auto& [thread, spans] : spans_) {
            std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
                return std::tie(a.start, a.end) < std::tie(b.start, b.end);
            });
            for (std::size_t k = 1; k < spans.size(); ++k) {
                if (spans[k].start < spans[k - 1].end) {
                    say(fmt::format("Events {} and {} overlap on thread {} of process {}.",
                                    spans[k - 1].event, spans[k].event, thread.second, thread.first));
                }
                // The longest so far stays the one to be clear of.
                spans[k].end = std::max(spans[k].end, spans[k - 1].end);
            }
        }
    }

    void check_range(std::optional<double> expected_end_s) {
        if (spans_.empty()) {
            return say("There is no complete (\"X\") event.");
        }
        std::int64_t first = spans_.begin()->second.front().start;
        for (const auto& [thread, spans] : spans_) {
            first = std::min(first, spans.front().start);
            result_.end_ps = std::max(result_.end_ps, spans.back().end);
        }
        if (first != 0) {
            say(fmt::format("The first event starts at {} ps, not at 0.", first));
        }
        if (expected_end_s && std::llround(*expected_end_s * 1e12) != result_.end_ps) {
            say(fmt::format("The last event ends at {} ps, not at {:.12f} s.", result_.end_ps,
                            *expected_end_s));
        }
    }

    CheckedTrace result_;
    std::map<Thread, std::vector<Span>> spans_;
    struct FlowEnd {
        Thread thread;
        std::int64_t at = 0; ///< ps
    };
    std::map<std::int64_t, FlowEnd> flow_starts_; ///< by id
    std::map<std::int64_t, FlowEnd> flow_ends_;
    std::set<std::int64_t> counting_; ///< processes
    std::map<Thread, std::string> thread_names_;
    std::map<std::int64_t, std::string> process_names_;
};

} // namespace

CheckedTrace check_chrome_trace(std::string_view json, std::optional<double> expected_end_s) {
    return Checker().check(json, expected_end_s);
}

} // namespace meshslice::test
