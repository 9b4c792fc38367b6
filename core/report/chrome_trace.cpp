#include "core/report/chrome_trace.h"

#include "core/gemm/algorithms.h"

#include <fmt/format.h>

#include <string_view>

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

std::string metadata(const char* what, int process, const Row& row, const std::string& key,
                     const std::string& value) {
    return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"{}":{}}}}})", what, process,
                       thread_of(row), key, value);
}

/// Calls `visit(result, timeline, row, interval)` for every busy interval of the step, GEMM after GEMM;
/// the copies of a GEMM repeat its timeline and are written once.
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

std::size_t interval_count(std::span<const TrainingStep> steps) {
    std::size_t intervals = 0;
    for (const TrainingStep& step : steps) {
        for (const GemmResult& result : step.gemms) {
            intervals += result.timeline ? result.timeline->interval_count() : 0;
        }
    }
    return intervals;
}

/// Writes events, separated.
class Events {
  public:
    explicit Events(std::ostream& out) : out_(out) {}

    void operator()(const std::string& event) {
        out_ << separator_ << event;
        separator_ = ",\n";
    }

  private:
    std::ostream& out_;
    const char* separator_ = "\n";
};

/// Names the processes, chip 0 being process `first`, and their threads; how many chips there are.
int name_chips(const TrainingStep& step, const std::string& prefix, int first, Events& emit) {
    if (step.gemms.empty() || !step.gemms.front().timeline) {
        return 0;
    }
    const Timeline& timeline = *step.gemms.front().timeline;
    int chips = 0;
    for (const Row& row : timeline.rows()) {
        const int process = first + row.chip;
        if (row.is_core) {
            ++chips;
            emit(metadata("process_name", process, row, "name",
                          quoted(prefix + "chip " + place_text(timeline.torus(), row.chip))));
            emit(metadata("process_sort_index", process, row, "sort_index", std::to_string(process)));
        }
        emit(metadata("thread_name", process, row, "name", quoted(resource_name(timeline.torus(), row))));
        emit(metadata("thread_sort_index", process, row, "sort_index", std::to_string(thread_of(row))));
    }
    return chips;
}

} // namespace

Bytes about_trace_size(std::span<const TrainingStep> steps) {
    constexpr std::int64_t per_interval = 160;
    constexpr std::int64_t per_row = 200; // its name and its place
    std::int64_t rows = 0;
    for (const TrainingStep& step : steps) {
        if (!step.gemms.empty() && step.gemms.front().timeline) {
            rows += static_cast<std::int64_t>(step.gemms.front().timeline->rows().size());
        }
    }
    return Bytes(static_cast<std::int64_t>(interval_count(steps)) * per_interval + rows * per_row);
}

Result<void> exportable(std::span<const TrainingStep> steps) {
    const std::size_t intervals = interval_count(steps);
    if (intervals > most_exported_intervals) {
        return refuse(
            fmt::format("A trace of this run would hold {} busy intervals; at most {} are written out. Take "
                        "fewer chips, fewer slices or one GEMM alone.",
                        intervals, most_exported_intervals));
    }
    return {};
}

void write_chrome_trace(const TrainingStep& step, std::ostream& out) {
    write_chrome_trace(std::span(&step, 1), out);
}

void write_chrome_trace(std::span<const TrainingStep> steps, std::ostream& out) {
    out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    Events emit(out);
    int first = 0;
    for (const TrainingStep& step : steps) {
        const int chips =
            name_chips(step, steps.size() > 1 ? title(step) + ": " : std::string(), first, emit);
        for_each_interval(step, [&](const GemmResult& result, const Timeline& timeline, const Row& row,
                                    const Interval& interval) {
            emit(fmt::format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                             R"("args":{{"layer":{},"pass":"{}","slice":{},"step":{},"bytes":{}}}}})",
                             quoted(fmt::format("{} {}", timeline.operations()[interval.operation].name,
                                                name(interval.activity))),
                             name(interval.activity), first + row.chip, thread_of(row),
                             microseconds(result.start + interval.start),
                             microseconds(interval.end - interval.start), quoted(result.gemm.layer),
                             name(result.gemm.pass), interval.iteration, interval.step,
                             timeline.bytes(row, interval).value()));
        });
        first += chips;
    }
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
