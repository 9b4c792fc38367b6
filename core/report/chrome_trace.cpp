#include "core/report/chrome_trace.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/explain/run_links.h"
#include "core/step/density.h"
#include "core/step/step_stretch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

/// Thread numbers within a chip: the core first, then the links in slot order, the core's waits, and the two
/// streams of its memory.
int thread_of(const Row& row) {
    return row.is_core ? 0 : 1 + link_slot(row.axis, row.direction);
}
constexpr int waits_thread = 7;
int thread_of(MemoryStream stream) {
    return waits_thread + 1 + static_cast<int>(stream);
}

constexpr auto unknown_count = static_cast<std::size_t>(-1);

/// Calls `visit(result, timeline, row)` for every row of the chips in every GEMM of the step, one after
/// the other; the copies of a GEMM repeat its timeline and are written once.
template <class Visit>
void for_each_row(const TracedRun& run, Visit visit) {
    for (const GemmResult& result : run.step->gemms) {
        if (!result.timeline) {
            continue;
        }
        const std::vector<Row>& rows = result.timeline->rows();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (std::ranges::binary_search(run.chips, rows[row].chip)) {
                visit(result, *result.timeline, row);
            }
        }
    }
}

/// The same for every busy interval: `visit(result, timeline, row, interval)`.
template <class Visit>
void for_each_interval(const TracedRun& run, Visit visit) {
    for_each_row(run, [&](const GemmResult& result, const Timeline& timeline, std::size_t row) {
        for (const Interval& interval : timeline.intervals(row)) {
            visit(result, timeline, timeline.rows()[row], interval);
        }
    });
}

/// Calls `visit(result, timeline, chip, stream)` for every stream of every memory of the chips that was
/// recorded.
template <class Visit>
void for_each_stream(const TracedRun& run, Visit visit) {
    for (const GemmResult& result : run.step->gemms) {
        if (!result.timeline || !result.timeline->records_memory()) {
            continue;
        }
        for (const Chip chip : run.chips) {
            for (const MemoryStream stream : memory_streams) {
                visit(result, *result.timeline, chip, stream);
            }
        }
    }
}

std::size_t stretch_count(const TracedRun& run) {
    std::size_t stretches = 0;
    for_each_stream(run, [&](const GemmResult&, const Timeline& timeline, Chip chip, MemoryStream stream) {
        stretches += timeline.served(chip, stream).size();
    });
    return stretches;
}

/// Of cores and links.
std::size_t interval_count(const TracedRun& run) {
    std::size_t intervals = 0;
    for_each_row(run, [&](const GemmResult&, const Timeline& timeline, std::size_t row) {
        intervals += timeline.intervals(row).size();
    });
    return intervals;
}

Result<void> exportable(std::size_t intervals) {
    if (intervals > most_exported_intervals) {
        return refuse(
            say("A trace of this run would hold {} busy intervals; at most {} are written out. Take "
                "fewer chips, fewer slices or one GEMM alone.",
                intervals, most_exported_intervals));
    }
    return {};
}

/// All chips of a step.
TracedRun whole_run(const TrainingStep& step, const Scenario* scenario) {
    TracedRun run{&step, scenario, {}};
    for (Chip chip = 0; chip < step.torus.chips(); ++chip) {
        run.chips.push_back(chip);
    }
    return run;
}

/// Of the counters; a small trace is not mostly counters.
std::size_t counted_parts(const TracedRun& run) {
    return std::clamp<std::size_t>(interval_count(run) / 16, 4, 500);
}

/// Names the processes of the chips, chip 0 being process `first`, and their threads.
void name_chips(const TracedRun& run, const std::string& prefix, int first, TraceEvents& emit) {
    if (run.step->gemms.empty() || !run.step->gemms.front().timeline) {
        return;
    }
    const Timeline& timeline = *run.step->gemms.front().timeline;
    for (const Row& row : timeline.rows()) {
        if (!std::ranges::binary_search(run.chips, row.chip)) {
            continue;
        }
        const int process = first + row.chip;
        const auto name_thread = [&](int thread, const std::string& name, int place) {
            emit.name_thread(process, thread, name, place);
        };
        if (row.is_core) {
            emit.name_process(process, prefix + "chip " + place_text(timeline.torus(), row.chip), process);
            name_thread(0, resource_name(timeline.torus(), row), 0);
            name_thread(waits_thread, "core waits", 1);
            for (const MemoryStream stream : memory_streams) {
                if (timeline.records_memory()) {
                    name_thread(thread_of(stream), stream_name(stream), thread_of(stream));
                }
            }
        } else {
            name_thread(thread_of(row), resource_name(timeline.torus(), row), 1 + thread_of(row));
        }
    }
}

void write_intervals(const TracedRun& run, int first, TraceEvents& emit, const std::stop_token& stop) {
    for_each_interval(run, [&](const GemmResult& result, const Timeline& timeline, const Row& row,
                               const Interval& interval) {
        if (stop.stop_requested()) {
            return;
        }
        emit(fmt::format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                         R"("args":{{"layer":{},"pass":"{}","slice":{},"step":{},"bytes":{}}}}})",
                         trace_text(fmt::format("{} {}", timeline.operations()[interval.operation].name,
                                                name(interval.activity))),
                         name(interval.activity), first + row.chip, thread_of(row),
                         trace_microseconds(result.start + interval.start),
                         trace_microseconds(interval.end - interval.start), trace_text(result.gemm.layer),
                         name(result.gemm.pass), interval.iteration, interval.step,
                         timeline.bytes(row, interval).value()));
    });
}

void write_memories(const TracedRun& run, int first, TraceEvents& emit, const std::stop_token& stop) {
    for_each_stream(run, [&](const GemmResult& result, const Timeline& timeline, Chip chip,
                             MemoryStream stream) {
        for (const MemoryStretch& one : timeline.served(chip, stream)) {
            if (stop.stop_requested()) {
                return;
            }
            emit(fmt::format(
                R"({{"ph":"X","name":{},"cat":"memory","pid":{},"tid":{},"ts":{},"dur":{},)"
                R"("args":{{"layer":{},"pass":"{}","slice":{},"step":{},"bytes":{},"share":{:.3f}}}}})",
                trace_text(fmt::format("{} {}", timeline.operations()[one.use.operation].name,
                                       access_name(one.use))),
                first + chip, thread_of(stream), trace_microseconds(result.start + one.start),
                trace_microseconds(one.end - one.start), trace_text(result.gemm.layer),
                name(result.gemm.pass), one.use.iteration, one.use.step, std::llround(one.bytes), one.share));
        }
    });
}

/// `id`: of the next flow of the trace. How many flows are left out.
std::size_t write_links(const TracedRun& run, const GemmResult& result, int first, std::int64_t& id,
                        TraceEvents& emit, const std::stop_token& stop) {
    static const Scenario unknown;
    const Timeline& timeline = *result.timeline;
    GemmResult without = result;
    without.program = nullptr; // nobody knows what waited for what
    const RunLinks links = run.scenario != nullptr
                               ? run_links(result, run.step->algorithm, *run.scenario, run.chips, stop)
                               : run_links(without, run.step->algorithm, unknown, run.chips, stop);
    const auto interval_at = [&](const BarPlace& bar) -> const Interval& {
        return timeline.intervals(bar.row)[bar.index];
    };
    for (const RunWait& wait : links.waits) {
        std::string name = "waits";
        std::string until;
        if (wait.until) {
            const Interval& last = interval_at(*wait.until);
            name = fmt::format("waits for {} {}", timeline.operations()[last.operation].name,
                               meshslice::name(last.activity));
            until = part_name(timeline.torus(), timeline.rows()[wait.until->row]);
        }
        emit(fmt::format(R"({{"ph":"X","name":{},"cat":"wait","pid":{},"tid":{},"ts":{},"dur":{},)"
                         R"("args":{{"layer":{},"pass":"{}","until":{}}}}})",
                         trace_text(name), first + timeline.rows()[wait.row].chip, waits_thread,
                         trace_microseconds(result.start + wait.start),
                         trace_microseconds(wait.end - wait.start), trace_text(result.gemm.layer),
                         meshslice::name(result.gemm.pass), trace_text(until)));
    }
    for (const RunFlow& flow : links.flows) {
        // In the middle, so that no viewer takes the bar before or after it.
        for (const bool start : {true, false}) {
            const BarPlace& bar = start ? flow.from : flow.to;
            const Interval& interval = interval_at(bar);
            const Row& row = timeline.rows()[bar.row];
            emit(fmt::format(
                R"({{"ph":"{}",{}"id":{},"name":"arrives","cat":"flow","pid":{},"tid":{},"ts":{}}})",
                start ? "s" : "f", start ? "" : R"("bp":"e",)", id, first + row.chip, thread_of(row),
                trace_microseconds(result.start + interval.start +
                                   Time((interval.end - interval.start).value() / 2))));
        }
        ++id;
    }
    return links.left_out;
}

std::string all_chips_text(const Torus& torus) {
    return torus.chips() == 1 ? std::string("the chip") : fmt::format("all {} chips", torus.chips());
}

void write_counters(const TracedRun& run, const std::string& prefix, int process, TraceEvents& emit) {
    const std::size_t parts = counted_parts(run);
    const Stretch whole{Time(0), run.step->time};
    const StepDensity busy = density(*run.step, whole, parts);
    if (busy.cores.empty()) {
        return;
    }
    const std::string of = all_chips_text(run.step->torus);
    emit.name_process(process, prefix + of, process);
    const std::array<std::pair<const char*, const std::vector<float>*>, 2> counters = {
        {{"cores that multiply, %", &busy.cores}, {"links that are busy, %", &busy.links}}};
    for (const auto& [what, shares] : counters) {
        for (std::size_t part = 0; part <= parts; ++part) {
            const Time at(static_cast<std::int64_t>(static_cast<double>(whole.end.value()) *
                                                    static_cast<double>(part) / static_cast<double>(parts)));
            emit(fmt::format(R"({{"ph":"C","name":"{}","pid":{},"tid":0,"ts":{},"args":{{"busy":{:.1f}}}}})",
                             what, process, trace_microseconds(at),
                             part < parts ? 100 * (*shares)[part] : 0.0));
        }
    }
}

/// Transfers to one of the chips, which flows can begin at, by the chip that sends.
struct FlowCount {
    std::size_t inside = 0;  ///< from a chip of the trace
    std::size_t outside = 0; ///< from another one
};

FlowCount about_flows(const TracedRun& run, const std::stop_token& stop) {
    FlowCount flows;
    for (const GemmResult& result : run.step->gemms) {
        if (run.scenario == nullptr || !result.timeline) {
            continue;
        }
        const Timeline& timeline = *result.timeline;
        std::vector<std::size_t> transfers(timeline.classes().count() * 6, unknown_count);
        for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
            const Row& own = timeline.rows()[row];
            const auto receiver =
                own.is_core ? std::nullopt : timeline.torus().neighbour(own.chip, own.axis, own.direction);
            if (stop.stop_requested() || !receiver || !std::ranges::binary_search(run.chips, *receiver)) {
                continue;
            }
            std::size_t& count = transfers[timeline.classes().of(own.chip) * 6 +
                                           static_cast<std::size_t>(link_slot(own.axis, own.direction))];
            if (count == unknown_count) { // alike chips do the same
                count = static_cast<std::size_t>(
                    std::ranges::count(timeline.intervals(row), Activity::transfer, &Interval::activity));
            }
            (std::ranges::binary_search(run.chips, own.chip) ? flows.inside : flows.outside) += count;
        }
    }
    return flows;
}

std::size_t wait_count(const TracedRun& run, const std::stop_token& stop) {
    std::size_t waits = 0;
    for_each_row(run, [&](const GemmResult&, const Timeline& timeline, std::size_t row) {
        if (!timeline.rows()[row].is_core || stop.stop_requested()) {
            return;
        }
        Time busy_until;
        for (const Interval& interval : timeline.intervals(row)) {
            waits += interval.start > busy_until ? 1 : 0;
            busy_until = std::max(busy_until, interval.end);
        }
    });
    return waits;
}

} // namespace

Result<std::vector<TracedRun>> traced_runs(std::span<const TrainingStep> steps,
                                           std::span<const Scenario* const> scenarios,
                                           const TraceChips& chips) {
    std::vector<TracedRun> runs;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        auto chosen = traced_chips(chips, steps[step]);
        if (!chosen) {
            return refuse(chosen.error());
        }
        runs.push_back({&steps[step], scenarios[step], *std::move(chosen)});
    }
    return runs;
}

TraceSize about_trace_size(const std::vector<TracedRun>& runs, const std::stop_token& stop) {
    constexpr std::int64_t per_interval = 173;
    constexpr std::int64_t per_stretch = 200;
    constexpr std::int64_t per_wait = 175;
    constexpr std::int64_t per_flow = 180; // both ends
    constexpr std::int64_t per_row = 210;  // its name and its place
    constexpr std::int64_t per_count = 95;
    std::int64_t bytes = 0;
    std::size_t left_out = 0;
    const auto add = [&](std::size_t count, std::int64_t each) {
        bytes += static_cast<std::int64_t>(count) * each;
    };
    for (const TracedRun& run : runs) {
        if (stop.stop_requested()) {
            break;
        }
        const FlowCount flows = about_flows(run, stop);
        left_out += flows.outside;
        add(interval_count(run), per_interval);
        add(stretch_count(run), per_stretch);
        add(wait_count(run, stop), per_wait);
        add(flows.inside, per_flow);
        add(2 * (counted_parts(run) + 1), per_count);
        if (!run.step->gemms.empty() && run.step->gemms.front().timeline) {
            const auto& rows = run.step->gemms.front().timeline->rows();
            const std::size_t each = rows.size() / static_cast<std::size_t>(run.step->torus.chips());
            const bool memories = run.step->gemms.front().timeline->records_memory();
            add(run.chips.size() * (each + (memories ? 4 : 2)), per_row);
        }
    }
    return {Bytes(bytes), left_out};
}

Result<void> exportable(const TrainingStep& step) {
    return exportable(std::vector{whole_run(step, nullptr)});
}

Result<void> exportable(const std::vector<TracedRun>& runs) {
    std::size_t intervals = 0;
    for (const TracedRun& run : runs) {
        intervals += interval_count(run) + stretch_count(run);
    }
    return exportable(intervals);
}

void write_chrome_trace(const TrainingStep& step, std::ostream& out) {
    write_chrome_trace({whole_run(step, nullptr)}, out);
}

void write_chrome_trace(const std::vector<TracedRun>& runs, std::ostream& out, const std::stop_token& stop) {
    out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    TraceEvents emit(out);
    int first = 0;
    std::int64_t id = 1;
    std::size_t left_out = 0;
    for (const TracedRun& run : runs) {
        const std::string prefix = runs.size() > 1 ? title(*run.step) + ": " : std::string();
        name_chips(run, prefix, first, emit);
        write_intervals(run, first, emit, stop);
        write_memories(run, first, emit, stop);
        for (const GemmResult& result : run.step->gemms) {
            if (result.timeline && !stop.stop_requested()) {
                left_out += write_links(run, result, first, id, emit, stop);
            }
        }
        first += run.step->torus.chips();
        write_counters(run, prefix, first++, emit);
    }
    out << fmt::format("\n],\"otherData\":{{\"flows_left_out\":{}}}}}\n", left_out);
}

void write_timeline_csv(const TrainingStep& step, std::ostream& out) {
    out << "chip,resource,kind,start_ps,end_ps,bytes,slice,layer,pass,memory_share\r\n";
    for_each_interval(whole_run(step, nullptr), [&](const GemmResult& result, const Timeline& timeline,
                                                    const Row& row, const Interval& interval) {
        out << fmt::format("\"{}\",{},{},{},{},{},{},{},{},\r\n", place_text(timeline.torus(), row.chip),
                           resource_name(timeline.torus(), row), name(interval.activity),
                           (result.start + interval.start).value(), (result.start + interval.end).value(),
                           timeline.bytes(row, interval).value(), interval.iteration, result.gemm.layer,
                           name(result.gemm.pass));
    });
    for_each_stream(whole_run(step, nullptr), [&](const GemmResult& result, const Timeline& timeline,
                                                  Chip chip, MemoryStream stream) {
        for (const MemoryStretch& one : timeline.served(chip, stream)) {
            out << fmt::format("\"{}\",{},{},{},{},{},{},{},{},{:.6g}\r\n",
                               place_text(timeline.torus(), chip), stream_name(stream), access_name(one.use),
                               (result.start + one.start).value(), (result.start + one.end).value(),
                               std::llround(one.bytes), one.use.iteration, result.gemm.layer,
                               name(result.gemm.pass), one.share);
        }
    });
}

} // namespace meshslice
