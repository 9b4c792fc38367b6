#pragma once

#include "core/base/quantity.h"
#include "core/plan/pipeline/pipeline_order.h"
#include "core/run/run.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
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
    weights,          ///< compute: the gradients of weights, where these have passes of their own
    update,           ///< compute: the optimizer's step
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
inline constexpr std::size_t pipeline_activity_count = 12;
/// "forward", "backward", "weight gradients", "update", "send activations", ..., "bubble", "exposed send",
/// ...
[[nodiscard]] std::string_view name(PipelineActivity activity);

/// One stretch of time in one row of a stage. A pass that waits for the weights of a layer is several.
struct PipelineInterval {
    Time start;
    Time end;
    std::int32_t micro_batch = -1; ///< -1: of none: weights, gradients, the optimizer, nothing left to do
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
///
/// As a run, each stage is a place, "stage 1" the one with the first layers, with a lane for each of its rows
/// that has something in any stage, and a counter of what it holds.
class PipelineRun : public Run {
  public:
    explicit PipelineRun(std::size_t stages);

    /// What a lane shows: a row of a stage, or what it holds.
    struct Place {
        std::size_t stage = 0;
        std::optional<PipelineRow> row; ///< none: the counter
    };
    [[nodiscard]] Place place(std::size_t lane) const;
    [[nodiscard]] std::string title() const override;
    [[nodiscard]] RunReading reading() const override { return RunReading::simulated; }
    [[nodiscard]] Time end() const override { return time_; }
    [[nodiscard]] std::size_t lane_count() const override;
    [[nodiscard]] Lane lane(std::size_t lane) const override;
    [[nodiscard]] std::size_t place_count() const override { return stages(); }
    [[nodiscard]] std::size_t slice_count() const override { return interval_count(); }
    void visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const override;
    [[nodiscard]] std::vector<RunValue> values(std::size_t lane, Stretch stretch) const override;
    /// "forward 3", "forward 3 of chunk 1", "gather weights of layer 2", "bubble": all count from 1.
    [[nodiscard]] RunLabel label(std::size_t lane, std::uint64_t item) const override;
    [[nodiscard]] RunTotals totals() const override;

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
    void set_end(Time time) { time_ = time; }

    bool operator==(const PipelineRun& other) const;

  private:
    /// Rows of which some stage has something; compute always.
    [[nodiscard]] std::vector<PipelineRow> shown_rows() const;
    static std::size_t row_index(std::size_t stage, PipelineRow row) {
        return stage * pipeline_row_count + static_cast<std::size_t>(row);
    }

    Time time_;
    std::vector<std::vector<PipelineInterval>> rows_;
    std::vector<std::array<Time, pipeline_activity_count>> totals_;
    std::vector<std::vector<MemoryHeld>> memory_;
    std::array<bool, pipeline_row_count> carries_{}; ///< by row: in some stage
    bool several_chunks_ = false;
};

} // namespace meshslice
