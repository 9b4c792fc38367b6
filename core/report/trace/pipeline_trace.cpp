#include "core/report/trace/pipeline_trace.h"

#include "core/base/say.h"
#include "core/report/trace/trace_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace meshslice {
namespace {

constexpr std::array pipeline_rows = {PipelineRow::compute, PipelineRow::sends, PipelineRow::data,
                                      PipelineRow::waits};

/// "forward 3", "forward 3 of chunk 1", "gather weights of layer 2", "bubble".
std::string label(const PipelineInterval& interval, bool several_chunks) {
    std::string words(name(interval.activity));
    const bool of_layer = interval.activity == PipelineActivity::gather_weights ||
                          interval.activity == PipelineActivity::reduce_gradients;
    const bool of_pass =
        interval.activity < PipelineActivity::gather_weights && interval.activity != PipelineActivity::update;
    if (of_pass) {
        words += fmt::format(" {}", interval.micro_batch);
    }
    if (of_layer) {
        words += fmt::format(" of layer {}", interval.layer);
    }
    if (several_chunks && (of_pass || of_layer)) {
        words += fmt::format("{} chunk {}", of_layer ? "," : " of", interval.chunk);
    }
    return words;
}

std::string arguments(const PipelineInterval& interval) {
    std::string out;
    const auto add = [&](const char* key, std::int32_t value) {
        if (value >= 0) {
            out += fmt::format(R"({}"{}":{})", out.empty() ? "" : ",", key, value);
        }
    };
    add("micro_batch", interval.micro_batch);
    add("chunk", interval.chunk);
    add("layer", interval.chunk >= 0 ? interval.layer : -1);
    return out;
}

bool carries(const PipelineRun& run, PipelineRow row) {
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        if (!run.intervals(stage, row).empty()) {
            return true;
        }
    }
    return row == PipelineRow::compute;
}

bool has_several_chunks(const PipelineRun& run) {
    return std::ranges::any_of(run.intervals(0, PipelineRow::compute),
                               [](const PipelineInterval& interval) { return interval.chunk > 0; });
}

void write_memory(const PipelineRun& run, std::size_t stage, TraceEvents& emit) {
    const auto count = [&](Time at, Bytes bytes) {
        emit(fmt::format(
            R"({{"ph":"C","name":"memory held, bytes","pid":{},"tid":0,"ts":{},"args":{{"held":{}}}}})",
            stage, trace_microseconds(at), bytes.value()));
    };
    for (const MemoryHeld& held : run.memory(stage)) {
        count(held.from, held.bytes);
    }
    if (!run.memory(stage).empty() && run.memory(stage).back().from < run.time()) {
        count(run.time(), run.memory(stage).back().bytes); // Viewers end a counter at its last value.
    }
}

} // namespace

Result<void> exportable(const PipelineRun& run) {
    if (run.interval_count() > most_exported_intervals) {
        return refuse(say("A trace of this pipeline would hold {} intervals; at most {} are written out. "
                          "Simulate fewer micro-batches.",
                          run.interval_count(), most_exported_intervals));
    }
    return {};
}

void write_chrome_trace(const PipelineRun& run, std::ostream& out, const std::stop_token& stop) {
    out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    TraceEvents emit(out);
    const bool chunks = has_several_chunks(run);
    for (std::size_t stage = 0; stage < run.stages() && !stop.stop_requested(); ++stage) {
        const int process = static_cast<int>(stage);
        emit.name_process(process, fmt::format("stage {}", stage), process);
        for (const PipelineRow row : pipeline_rows) {
            if (!carries(run, row)) {
                continue;
            }
            const int thread = static_cast<int>(row);
            emit.name_thread(process, thread, name(row), thread);
            for (const PipelineInterval& interval : run.intervals(stage, row)) {
                emit(fmt::format(
                    R"({{"ph":"X","name":"{}","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
                    label(interval, chunks),
                    row == PipelineRow::waits     ? std::string_view("wait")
                    : row != PipelineRow::compute ? "transfer"
                                                  : name(interval.activity),
                    process, thread, trace_microseconds(interval.start),
                    trace_microseconds(interval.end - interval.start), arguments(interval)));
            }
        }
        write_memory(run, stage, emit);
    }
    out << "\n]}\n";
}

} // namespace meshslice
