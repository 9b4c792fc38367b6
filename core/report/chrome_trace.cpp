#include "core/report/chrome_trace.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

/// Picoseconds as microseconds, exact: Chrome's `ts` and `dur` are microseconds whatever displayTimeUnit
/// says.
std::string microseconds(Time time) {
    return fmt::format("{}.{:06}", time.value() / 1'000'000, time.value() % 1'000'000);
}

/// Titles and labels are ours and plain, but a name may come from a file.
std::string quoted(const std::string& words) {
    std::string out = "\"";
    for (const char letter : words) {
        if (letter == '"' || letter == '\\') {
            out += '\\';
        }
        out += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
    return out + "\"";
}

/// Thread numbers within a chip: the core first, then the links in slot order.
int thread_of(const Row& row) {
    return row.is_core ? 0 : 1 + link_slot(row.axis, row.direction);
}

std::string metadata(const char* what, const Row& row, const std::string& key, const std::string& value) {
    return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"{}":{}}}}})", what, row.chip,
                       thread_of(row), key, value);
}

/// Calls `visit(result, timeline, row, interval)` for every busy interval of the step, product after product;
/// the copies of a product repeat its timeline and are written once.
template <class Visit>
void for_each_interval(const TrainingStep& step, Visit visit) {
    for (const GemmResult& result : step.gemms) {
        if (!result.timeline) {
            continue;
        }
        const Timeline& timeline = *result.timeline;
        for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
            for (const Interval& interval : timeline.intervals(row)) {
                visit(result, timeline, timeline.rows()[row], interval);
            }
        }
    }
}

} // namespace

Result<void> exportable(const TrainingStep& step) {
    std::size_t intervals = 0;
    for (const GemmResult& result : step.gemms) {
        intervals += result.timeline ? result.timeline->interval_count() : 0;
    }
    if (intervals > most_exported_intervals) {
        return refuse(
            fmt::format("A trace of this run would hold {} busy intervals; at most {} are written out. Take "
                        "fewer chips, fewer slices or one GEMM alone.",
                        intervals, most_exported_intervals));
    }
    return {};
}

void write_chrome_trace(const TrainingStep& step, std::ostream& out) {
    out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    const char* separator = "\n";
    const auto emit = [&](const std::string& event) {
        out << separator << event;
        separator = ",\n";
    };
    if (!step.gemms.empty() && step.gemms.front().timeline) {
        const Timeline& timeline = *step.gemms.front().timeline;
        for (const Row& row : timeline.rows()) {
            if (row.is_core) {
                emit(metadata("process_name", row, "name",
                              quoted("chip " + place_text(timeline.torus(), row.chip))));
                emit(metadata("process_sort_index", row, "sort_index", std::to_string(row.chip)));
            }
            emit(metadata("thread_name", row, "name", quoted(resource_name(timeline.torus(), row))));
            emit(metadata("thread_sort_index", row, "sort_index", std::to_string(thread_of(row))));
        }
    }
    for_each_interval(step, [&](const GemmResult& result, const Timeline& timeline, const Row& row,
                                const Interval& interval) {
        emit(fmt::format(
            R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
            R"("args":{{"layer":{},"pass":"{}","slice":{},"step":{},"bytes":{}}}}})",
            quoted(fmt::format("{} {}", timeline.operations()[interval.operation].name,
                               name(interval.activity))),
            name(interval.activity), row.chip, thread_of(row), microseconds(result.start + interval.start),
            microseconds(interval.end - interval.start), quoted(result.gemm.layer), name(result.gemm.pass),
            interval.iteration, interval.step, timeline.bytes(row, interval).value()));
    });
    out << "\n]}\n";
}

void write_timeline_csv(const TrainingStep& step, std::ostream& out) {
    out << "chip,resource,kind,start_ps,end_ps,bytes,slice,layer,pass\r\n";
    for_each_interval(step, [&](const GemmResult& result, const Timeline& timeline, const Row& row,
                                const Interval& interval) {
        out << fmt::format("\"{}\",{},{},{},{},{},{},{},{}\r\n", place_text(timeline.torus(), row.chip),
                           resource_name(timeline.torus(), row), name(interval.activity),
                           (result.start + interval.start).value(), (result.start + interval.end).value(),
                           timeline.bytes(row, interval).value(), interval.iteration, result.gemm.layer,
                           name(result.gemm.pass));
    });
}

} // namespace meshslice
