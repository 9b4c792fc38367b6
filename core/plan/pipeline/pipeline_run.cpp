#include "core/plan/pipeline/pipeline_run.h"

#include "core/base/say.h"
#include "core/run/slice_merger.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace meshslice {

std::string_view name(PipelineRow row) {
    constexpr std::array<std::string_view, pipeline_row_count> names = {"compute", "pipeline network",
                                                                        "data network", "waits"};
    return names[static_cast<std::size_t>(row)];
}

std::string_view name(PipelineActivity activity) {
    constexpr std::array<std::string_view, pipeline_activity_count> names = {
        "forward",          "backward",       "weight gradients", "update",
        "send activations", "send gradients", "gather weights",   "reduce gradients",
        "bubble",           "exposed send",   "exposed gather",   "exposed reduce"};
    return names[static_cast<std::size_t>(activity)];
}

namespace {

constexpr std::array pipeline_rows = {PipelineRow::compute, PipelineRow::sends, PipelineRow::data,
                                      PipelineRow::waits};

Role role_of(PipelineActivity activity) {
    switch (activity) {
    case PipelineActivity::forward: return Role::compute;
    case PipelineActivity::backward: return Role::backward;
    case PipelineActivity::weights: return Role::weights;
    case PipelineActivity::update: return Role::update;
    case PipelineActivity::send_forward:
    case PipelineActivity::send_backward: return Role::transferHorizontal;
    case PipelineActivity::gather_weights:
    case PipelineActivity::reduce_gradients: return Role::transferThird;
    case PipelineActivity::bubble: return Role::waits;
    default: return Role::exposed;
    }
}

bool of_a_layer(PipelineActivity activity) {
    return activity == PipelineActivity::gather_weights || activity == PipelineActivity::reduce_gradients;
}

bool of_a_pass(PipelineActivity activity) {
    return activity < PipelineActivity::gather_weights && activity != PipelineActivity::update;
}

} // namespace

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
    carries_[static_cast<std::size_t>(row)] = true;
    several_chunks_ = several_chunks_ || interval.chunk > 0;
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

bool PipelineRun::operator==(const PipelineRun& other) const {
    return time_ == other.time_ && rows_ == other.rows_ && totals_ == other.totals_ &&
           memory_ == other.memory_;
}

std::string PipelineRun::title() const {
    return fmt::format("pipeline of {} {}", stages(), stages() == 1 ? "stage" : "stages");
}

std::vector<PipelineRow> PipelineRun::shown_rows() const {
    std::vector<PipelineRow> shown;
    for (const PipelineRow row : pipeline_rows) {
        if (row == PipelineRow::compute || carries_[static_cast<std::size_t>(row)]) {
            shown.push_back(row);
        }
    }
    return shown;
}

PipelineRun::Place PipelineRun::place(std::size_t lane) const {
    const std::vector<PipelineRow> shown = shown_rows();
    const std::size_t each = shown.size() + 1;
    const std::size_t within = lane % each;
    return {lane / each, within < shown.size() ? std::optional(shown[within]) : std::nullopt};
}

std::size_t PipelineRun::lane_count() const {
    return stages() * (shown_rows().size() + 1);
}

Lane PipelineRun::lane(std::size_t lane) const {
    const Place at = place(lane);
    Lane made;
    made.place = say("stage {}", at.stage + 1);
    made.at = at.stage;
    made.kind = at.row ? LaneKind::busy : LaneKind::counter;
    made.name = at.row ? said(meshslice::name(*at.row)) : say("memory held");
    made.number = at.row ? static_cast<int>(*at.row) : static_cast<int>(pipeline_row_count);
    made.order = made.number;
    if (at.row == PipelineRow::waits) {
        made.parent = static_cast<std::int32_t>(lane - lane % (shown_rows().size() + 1));
    }
    return made;
}

void PipelineRun::visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const {
    const Place at = place(lane);
    if (!at.row) {
        return;
    }
    const auto row = intervals(at.stage, *at.row);
    SliceMerger merger(stretch, pixel, sink);
    const auto first = std::ranges::partition_point(
        row, [&](const PipelineInterval& one) { return one.end <= stretch.begin; });
    for (auto one = first; one != row.end() && one->start < stretch.end; ++one) {
        merger.add({one->start, one->end, one->end - one->start,
                    static_cast<std::uint64_t>(one - row.begin()), 1, role_of(one->activity)});
    }
}

std::vector<RunValue> PipelineRun::values(std::size_t lane, Stretch stretch) const {
    const Place at = place(lane);
    if (at.row) {
        return {};
    }
    const auto held = memory(at.stage);
    const auto after =
        std::ranges::partition_point(held, [&](const MemoryHeld& one) { return one.from <= stretch.begin; });
    std::vector<RunValue> values;
    for (auto one = after == held.begin() ? after : std::prev(after);
         one != held.end() && one->from <= stretch.end; ++one) {
        values.push_back({std::max(one->from, stretch.begin), static_cast<double>(one->bytes.value())});
    }
    if (!values.empty() && values.back().from < stretch.end) {
        values.push_back({stretch.end, values.back().value}); // It lasts until then.
    }
    return values;
}

RunLabel PipelineRun::label(std::size_t lane, std::uint64_t item) const {
    const Place at = place(lane);
    const PipelineInterval& one = intervals(at.stage, *at.row)[item];
    const bool of_layer = of_a_layer(one.activity);
    const bool of_pass = of_a_pass(one.activity);
    RunLabel label;
    label.name = said(meshslice::name(one.activity));
    label.category = at.row == PipelineRow::waits     ? "wait"
                     : at.row != PipelineRow::compute ? "transfer"
                                                      : meshslice::name(one.activity);
    if (of_pass) {
        label.briefs = {fmt::format("{}", one.micro_batch + 1)};
        label.name = say("{} {}", label.name, one.micro_batch + 1);
    }
    if (of_layer) {
        label.name = say("{} of layer {}", label.name, one.layer + 1);
    }
    if (several_chunks_ && (of_pass || of_layer)) {
        label.name = of_layer ? say("{}, chunk {}", label.name, one.chunk + 1)
                              : say("{} of chunk {}", label.name, one.chunk + 1);
    }
    const auto add = [&](std::string_view key, std::int32_t value) {
        if (value >= 0) {
            label.arguments.emplace_back(key, std::int64_t{value} + 1);
        }
    };
    add("micro_batch", one.micro_batch);
    add("chunk", one.chunk);
    add("layer", one.chunk >= 0 ? one.layer : -1);
    return label;
}

RunTotals PipelineRun::totals() const {
    RunTotals totals;
    totals.seconds = in_seconds(time_);
    for (const auto& stage : totals_) {
        for (std::size_t k = 0; k < stage.size(); ++k) {
            totals.busy[static_cast<std::size_t>(role_of(static_cast<PipelineActivity>(k)))] +=
                in_seconds(stage[k]);
        }
    }
    return totals;
}

} // namespace meshslice
