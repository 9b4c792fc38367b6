#include "core/report/trace/chrome_trace.h"

#include "core/base/say.h"
#include "core/report/trace/trace_event.h"
#include "core/run/trace_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace meshslice {
namespace {

void append(std::string& out, const RunLabel::Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        fmt::format_to(std::back_inserter(out), "{}", *number);
    } else if (const auto* share = std::get_if<double>(&value)) {
        fmt::format_to(std::back_inserter(out), "{:.3f}", *share);
    } else {
        out += trace_text(std::get<std::string>(value));
    }
}

std::string arguments(const RunLabel& label) {
    std::string out;
    for (const auto& [key, value] : label.arguments) {
        fmt::format_to(std::back_inserter(out), R"({}"{}":)", out.empty() ? "" : ",", key);
        append(out, value);
    }
    return out;
}

/// Writes one run, whose first place is process `first`.
class RunTrace {
  public:
    RunTrace(const Run& run, int first, std::string prefix, TraceEvents& emit, const std::stop_token& stop)
        : run_(run), first_(first), prefix_(std::move(prefix)), emit_(emit), stop_(stop) {
        for (std::size_t lane = 0; lane < run.lane_count(); ++lane) {
            lanes_.push_back(run.lane(lane));
        }
    }

    /// How many arrows are left out; `id` is that of the next one of the trace.
    std::size_t write(std::int64_t& id) {
        name_places();
        std::size_t left_out = 0;
        const std::vector<Stretch> parts = run_.parts();
        for (std::size_t part = 0; part < parts.size() && !stop_.stop_requested(); ++part) {
            for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
                if (lanes_[lane].kind != LaneKind::counter) {
                    write_bars(lane, parts[part]);
                }
            }
            left_out += run_.arrows(part, [&](const RunArrow& arrow) { write_arrow(arrow, id++); });
        }
        write_counters();
        return left_out;
    }

    void write_note(const RunNote& note) {
        const auto lane = std::ranges::find_if(lanes_, [&](const Lane& one) {
            return one.place == note.place && one.name == note.lane && one.kind != LaneKind::counter;
        });
        const bool there = lane != lanes_.end();
        emit_(fmt::format(R"({{"ph":"i","s":"{}","name":{},"cat":"note","pid":{},"tid":{},"ts":{}}})",
                          there ? "t" : "g", trace_text(note.words), there ? process(*lane) : first_,
                          there ? lane->number : 0, trace_microseconds(note.at)));
    }

  private:
    [[nodiscard]] int process(const Lane& lane) const { return first_ + static_cast<int>(lane.at); }

    void name_place(const Lane& lane) {
        emit_.name_process(process(lane), prefix_ + lane.place, process(lane));
    }

    /// Those with bars, each with its lanes from top to bottom; a place that only counts is named with what
    /// it counts.
    void name_places() {
        std::vector<const Lane*> sorted;
        for (const Lane& lane : lanes_) {
            if (lane.kind != LaneKind::counter) {
                sorted.push_back(&lane);
            }
        }
        std::ranges::stable_sort(sorted, [](const Lane* one, const Lane* other) {
            return std::pair(one->at, one->order) < std::pair(other->at, other->order);
        });
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            const Lane& lane = *sorted[k];
            if (k == 0 || sorted[k - 1]->at != lane.at) {
                name_place(lane);
            }
            emit_.name_thread(process(lane), lane.number, lane.name, lane.order);
        }
    }

    void write_bars(std::size_t number, Stretch part) {
        const Lane& lane = lanes_[number];
        run_.visit(number, part, 0, [&](std::span<const RunSlice> some) {
            for (const RunSlice& one : some) {
                if (stop_.stop_requested()) {
                    return;
                }
                const RunLabel label = run_.label(number, one.item);
                emit_(fmt::format(
                    R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
                    trace_text(label.name), label.category, process(lane), lane.number,
                    trace_microseconds(one.start), trace_microseconds(one.end - one.start),
                    arguments(label)));
            }
        });
    }

    void write_arrow(const RunArrow& arrow, std::int64_t id) {
        for (const bool start : {true, false}) {
            const Lane& lane = lanes_[start ? arrow.from_lane : arrow.to_lane];
            emit_(fmt::format(
                R"({{"ph":"{}",{}"id":{},"name":"arrives","cat":"flow","pid":{},"tid":{},"ts":{}}})",
                start ? "s" : "f", start ? "" : R"("bp":"e",)", id, process(lane), lane.number,
                trace_microseconds(start ? arrow.from : arrow.to)));
        }
    }

    void write_counters() {
        for (std::size_t number = 0; number < lanes_.size() && !stop_.stop_requested(); ++number) {
            const Lane& lane = lanes_[number];
            if (lane.kind != LaneKind::counter) {
                continue;
            }
            const bool alone = std::ranges::none_of(lanes_, [&](const Lane& other) {
                return other.at == lane.at && (other.kind != LaneKind::counter || &other < &lane);
            });
            if (alone) {
                name_place(lane);
            }
            const bool bytes = lane.counted == Counted::bytes;
            for (const RunValue& value : run_.values(number, {Time(0), run_.end()})) {
                emit_(
                    fmt::format(R"({{"ph":"C","name":"{}, {}","pid":{},"tid":0,"ts":{},"args":{{"{}":{}}}}})",
                                lane.name, bytes ? "bytes" : "%", process(lane),
                                trace_microseconds(value.from), bytes ? "held" : "busy",
                                bytes ? fmt::format("{}", std::llround(value.value))
                                      : fmt::format("{:.1f}", value.value)));
            }
        }
    }

    const Run& run_;
    int first_;
    std::string prefix_;
    TraceEvents& emit_;
    const std::stop_token& stop_;
    std::vector<Lane> lanes_;
};

} // namespace

Result<void> exportable(std::span<const RunPtr> runs) {
    std::size_t intervals = 0;
    for (const RunPtr& run : runs) {
        intervals += run->slice_count();
    }
    if (intervals > most_exported_intervals) {
        return refuse(say("A trace of this run would hold {} intervals; at most {} are written out. Take "
                          "fewer chips, slices or micro-batches, or one GEMM alone.",
                          intervals, most_exported_intervals));
    }
    return {};
}

void write_chrome_trace(std::span<const RunPtr> runs, std::ostream& out, const std::stop_token& stop,
                        std::span<const RunNote> notes) {
    out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    TraceEvents emit(out);
    int first = 0;
    std::int64_t id = 1;
    std::size_t left_out = 0;
    for (std::size_t number = 0; number < runs.size() && !stop.stop_requested(); ++number) {
        const RunPtr& run = runs[number];
        RunTrace trace(*run, first, runs.size() > 1 ? run->title() + ": " : std::string(), emit, stop);
        left_out += trace.write(id);
        for (const RunNote& note : notes) {
            if (note.run == number) {
                trace.write_note(note);
            }
        }
        first += static_cast<int>(run->place_count());
    }
    const bool measured = // one prediction among them, and what reads them must not take it for a measurement
        !runs.empty() &&
        std::ranges::all_of(runs, [](const RunPtr& run) { return run->reading() == RunReading::measured; });
    out << fmt::format("\n],\"otherData\":{{\"{}\":\"{}\",\"{}\":\"{}\",\"flows_left_out\":{}}}}}\n",
                       trace_notes::writer, trace_notes::program, trace_notes::runs,
                       measured ? trace_notes::measurement : trace_notes::prediction, left_out);
}

} // namespace meshslice
