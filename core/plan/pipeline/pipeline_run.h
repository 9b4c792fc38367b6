#pragma once

#include "core/base/quantity.h"
#include "core/plan/pipeline/pipeline_order.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace meshslice {

/// What a stage of a pipeline has of its own, one row of a picture each.
enum class PipelineRow : std::uint8_t {
    compute,
    sends, ///< its link to the stages before and after it
    data,  ///< its link to the other chips with the same layers
    waits, ///< why it does not compute: wherever `compute` has nothing, this has something
};
inline constexpr std::size_t pipeline_row_count = 4;
/// "compute", "pipeline network", "data network", "waits".
[[nodiscard]] std::string_view name(PipelineRow row);

enum class PipelineActivity : std::uint8_t {
    forward,          ///< compute
    backward,         ///< compute
    update,           ///< compute: the optimiser's step
    send_forward,     ///< sends: activations
    send_backward,    ///< sends: their gradients
    gather_weights,   ///< data: of one layer
    reduce_gradients, ///< data: of one layer
    // Of `waits`. Of two things that a pass waits for, the later one counts, and only from when the other has
    // come:
    bubble,         ///< another stage has still to make what this one needs, or nothing is left
    exposed_send,   ///< what this one needs is on its way; or its own send must end first
    exposed_gather, ///< for weights
    exposed_reduce, ///< for the gradients of this stage, after its last pass or where they do not overlap
};
inline constexpr std::size_t pipeline_activity_count = 11;
/// "forward", "backward", "update", "send activations", ..., "bubble", "exposed send", ...
[[nodiscard]] std::string_view name(PipelineActivity activity);

/// One stretch of time in one row of a stage. A pass that waits for the weights of a layer is several.
struct PipelineInterval {
    Time start;
    Time end;
    std::int32_t micro_batch = -1; ///< -1: of none: weights, gradients, the optimiser, nothing left to do
    std::int32_t chunk = -1;       ///< the same
    std::int32_t layer = 0;        ///< of the chunk, where it is of one
    PipelineActivity activity = PipelineActivity::forward;

    bool operator==(const PipelineInterval&) const = default;
};

/// From this time on, a stage holds these bytes.
struct MemoryHeld {
    Time from;
    Bytes bytes;

    bool operator==(const MemoryHeld&) const = default;
};

/// One step of a pipeline, in integer picoseconds from its start. The intervals of a row are in time order
/// and do not overlap; those of `compute` and `waits` together cover the whole step.
class PipelineRun {
  public:
    explicit PipelineRun(std::size_t stages);

    [[nodiscard]] std::size_t stages() const { return memory_.size(); }
    /// When everything is over.
    [[nodiscard]] Time time() const { return time_; }
    [[nodiscard]] std::span<const PipelineInterval> intervals(std::size_t stage, PipelineRow row) const {
        return rows_[row_index(stage, row)];
    }
    /// Of all rows.
    [[nodiscard]] std::size_t interval_count() const;
    /// How long a stage does what, in all.
    [[nodiscard]] Time total(std::size_t stage, PipelineActivity activity) const {
        return totals_[stage][static_cast<std::size_t>(activity)];
    }
    /// What a stage holds, from 0 on: activations of its micro-batches and what it holds all the time. Each
    /// entry has another number of bytes than the one before it.
    [[nodiscard]] std::span<const MemoryHeld> memory(std::size_t stage) const { return memory_[stage]; }
    /// The most that a stage ever holds.
    [[nodiscard]] Bytes peak(std::size_t stage) const;

    /// The simulation writes: in time order, row by row.
    void add(std::size_t stage, PipelineRow row, const PipelineInterval& interval);
    /// The same, of what a stage holds.
    void hold(std::size_t stage, Time from, Bytes bytes);
    void reserve(std::size_t stage, PipelineRow row, std::size_t intervals);
    void end(Time time) { time_ = time; }

    bool operator==(const PipelineRun&) const = default;

  private:
    static std::size_t row_index(std::size_t stage, PipelineRow row) {
        return stage * pipeline_row_count + static_cast<std::size_t>(row);
    }

    Time time_;
    std::vector<std::vector<PipelineInterval>> rows_;
    std::vector<std::array<Time, pipeline_activity_count>> totals_;
    std::vector<std::vector<MemoryHeld>> memory_;
};

} // namespace meshslice
