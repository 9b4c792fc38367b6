#include "core/plan/pipeline/pipeline_run.h"

#include <algorithm>

namespace meshslice {

std::string_view name(PipelineRow row) {
    constexpr std::array<std::string_view, pipeline_row_count> names = {"compute", "pipeline network",
                                                                        "data network", "waits"};
    return names[static_cast<std::size_t>(row)];
}

std::string_view name(PipelineActivity activity) {
    constexpr std::array<std::string_view, pipeline_activity_count> names = {
        "forward",        "backward",       "update",           "send activations",
        "send gradients", "gather weights", "reduce gradients", "bubble",
        "exposed send",   "exposed gather", "exposed reduce"};
    return names[static_cast<std::size_t>(activity)];
}

PipelineRun::PipelineRun(std::size_t stages)
    : rows_(stages * pipeline_row_count), totals_(stages), memory_(stages) {}

std::size_t PipelineRun::interval_count() const {
    std::size_t count = 0;
    for (const auto& row : rows_) {
        count += row.size();
    }
    return count;
}

Bytes PipelineRun::peak(std::size_t stage) const {
    Bytes most;
    for (const MemoryHeld& held : memory_[stage]) {
        most = std::max(most, held.bytes);
    }
    return most;
}

void PipelineRun::add(std::size_t stage, PipelineRow row, const PipelineInterval& interval) {
    totals_[stage][static_cast<std::size_t>(interval.activity)] += interval.end - interval.start;
    std::vector<PipelineInterval>& intervals = rows_[row_index(stage, row)];
    intervals.push_back(interval);
    // A place of its own for each of some hundred rows: the processor cannot predict which comes next.
    __builtin_prefetch(intervals.data() + intervals.size() + 4, 1);
}

void PipelineRun::hold(std::size_t stage, Time from, Bytes bytes) {
    std::vector<MemoryHeld>& held = memory_[stage];
    if (!held.empty() && held.back().from == from) {
        held.pop_back(); // What is released and taken at the same time is not held twice.
    }
    if (held.empty() || held.back().bytes != bytes) {
        held.push_back({from, bytes});
    }
}

void PipelineRun::reserve(std::size_t stage, PipelineRow row, std::size_t intervals) {
    rows_[row_index(stage, row)].reserve(intervals);
}

} // namespace meshslice
