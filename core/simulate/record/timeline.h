#pragma once

#include "core/base/quantity.h"
#include "core/cost/traffic/memory_traffic.h"
#include "core/program/program.h"
#include "core/simulate/record/chip_classes.h"
#include "core/simulate/record/interval.h"
#include "core/simulate/record/interval_memory.h"
#include "core/simulate/record/memory_stretch.h"
#include "core/torus/torus.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace meshslice {

/// A serial resource: the core of a chip, or one of its outgoing links. Or what a chip's memory serves to one
/// stream, which is not a resource of its own.
struct Row {
    Chip chip = 0;
    bool is_core = true;
    Axis axis = Axis::vertical; ///< of the link
    Direction direction = Direction::forward;
    /// The link is dead or missing and carries nothing: what is recorded here goes the other way round, by
    /// the other links of the ring, whose own rows do not show it.
    bool round = false;
    /// Of a memory's row, which is neither core nor link: the stream it serves.
    std::optional<MemoryStream> memory = {};

    bool operator==(const Row&) const = default;
};

/// What a bar needs to be explained, said once per operation of the program.
struct OperationLabel {
    std::string name;   ///< "AG_col", "multiply"
    std::string detail; ///< "A' = AG_col(A_s)"
    Bytes bytes;        ///< per ring step and direction; whole chunk for the forward part
    Bytes bytes_back;   ///< the part that travels backward
    Flop flop;          ///< of one multiplication on one chip
    bool adds = false;  ///< what travels are partial sums, which the chips on the way add to
    std::vector<std::int32_t> ring_steps = {}; ///< of one run, by variant; 0 where nothing travels
    /// In how many steps a chunk crosses a link, one part after the other; `bytes` are those of all of them.
    std::int64_t pieces = 1;
    /// In how many stages a GEMM is made, each of which computes, then writes; 0 where it is made at once.
    std::int64_t stages = 0;

    bool operator==(const OperationLabel&) const = default;
};

/// Everything that every core and every link did in one GEMM, in integer picoseconds from its start. Rows are
/// in the order chip, core, then links axis by axis (forward, backward); a row's intervals are in time order
/// and do not overlap. Where GEMMs are made in stages, each chip has rows more, apart from those: what
/// its memory serves to the GEMM, to the collective that it feeds and to other collectives. Immutable once
/// made.
class Timeline {
  public:
    Timeline() = default;
    /// `row_begin` has one entry more than `rows`: row r owns intervals [row_begin[r], row_begin[r+1]).
    Timeline(Torus torus, std::vector<OperationLabel> operations, std::int64_t iterations,
             std::vector<Row> rows, const std::vector<std::size_t>& row_begin,
             const std::vector<Interval>& intervals, Time end);
    /// The same where `rows` are those of the classes' representatives only: the rows of every other chip
    /// show what its representative's do. `intervals` are in `memory`, `busy` the sums of each row's.
    Timeline(Torus torus, std::vector<OperationLabel> operations, std::int64_t iterations,
             ChipClasses classes, const std::vector<Row>& rows, const std::vector<std::size_t>& row_begin,
             std::shared_ptr<const IntervalMemory> memory, std::span<const Interval> intervals,
             const std::vector<ActivityTimes>& busy, Time end, std::vector<DramTraffic> dram = {},
             std::vector<ServedStreams> served = {});

    [[nodiscard]] const Torus& torus() const { return torus_; }
    [[nodiscard]] const std::vector<OperationLabel>& operations() const { return operations_; }
    [[nodiscard]] std::int64_t iterations() const { return iterations_; }
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    /// Those and then, where memories were recorded, one for each chip's memory and each stream that some
    /// memory serves.
    [[nodiscard]] const std::vector<Row>& rows_with_memory() const {
        return served_.empty() ? rows_ : rows_with_memory_;
    }
    /// Of one of rows_with_memory(). What a memory serves is one interval for each stretch: work of the core
    /// (`compute`) in the GEMM's stream, pieces (`transfer`) in that of communication.
    [[nodiscard]] std::span<const Interval> intervals(std::size_t row) const {
        if (row >= rows_.size()) {
            const Row& memory = rows_with_memory_[row];
            return stretches_[classes_.of(memory.chip)][static_cast<std::size_t>(*memory.memory)];
        }
        return intervals_.subspan(spans_[row].begin, spans_[row].end - spans_[row].begin);
    }
    /// How long a row is busy with what.
    [[nodiscard]] const ActivityTimes& busy(std::size_t row) const { return spans_[row].busy; }
    /// Of all rows together.
    [[nodiscard]] std::size_t interval_count() const;
    /// How many of them are kept; alike chips share theirs.
    [[nodiscard]] std::size_t stored_intervals() const { return intervals_.size(); }
    [[nodiscard]] const ChipClasses& classes() const { return classes_; }
    /// What the DRAM of a chip moved, apart from what GEMMs read; null where that was not recorded: it is
    /// where GEMMs are made in stages.
    [[nodiscard]] const DramTraffic* dram(Chip chip) const {
        return dram_.empty() ? nullptr : &dram_[classes_.of(chip)];
    }
    /// Whether memories were recorded: where GEMMs are made in stages.
    [[nodiscard]] bool records_memory() const { return !served_.empty(); }
    /// What the memory of a chip served to a stream, in time order and without overlap: what a GEMM writes,
    /// what a reduce-scatter that it feeds reads and updates, and what other collectives read and write.
    /// Nothing of what GEMMs read. Empty where memories were not recorded.
    [[nodiscard]] std::span<const MemoryStretch> served(Chip chip, MemoryStream stream) const {
        return served_.empty() ? std::span<const MemoryStretch>()
                               : served_[classes_.of(chip)][static_cast<std::size_t>(stream)];
    }
    /// What an interval of a memory's row shows; null for other rows.
    [[nodiscard]] const MemoryStretch* stretch(const Row& row, const Interval& interval) const;
    /// Of all memories together.
    [[nodiscard]] std::size_t memory_stretches() const;
    /// When the last interval ends.
    [[nodiscard]] Time end() const { return end_; }

    /// Bytes that a transfer in this row carries, or that a memory serves; 0 for other activities.
    [[nodiscard]] Bytes bytes(const Row& row, const Interval& interval) const;

    /// Event by event, however they are kept.
    bool operator==(const Timeline& other) const;

  private:
    void add_memory_rows();

    /// Where a row's intervals stand, and their sums.
    struct Span {
        std::size_t begin = 0;
        std::size_t end = 0;
        ActivityTimes busy{};
    };

    Torus torus_;
    std::vector<OperationLabel> operations_;
    std::int64_t iterations_ = 1;
    std::vector<Row> rows_;
    std::vector<Span> spans_; ///< by row
    ChipClasses classes_;
    std::shared_ptr<const IntervalMemory> memory_; ///< of
    std::span<const Interval> intervals_;
    Time end_;
    std::vector<DramTraffic> dram_;     ///< by class
    std::vector<ServedStreams> served_; ///< the same
    std::vector<Row> rows_with_memory_; ///< empty where no memory was recorded
    /// `served_` as intervals.
    std::vector<std::array<std::vector<Interval>, memory_streams.size()>> stretches_;
};

/// "core", "east link", "memory: GEMM"; for what goes round because that link is dead "west links round", and
/// "west links back" on a folded ring, which lacks it.
[[nodiscard]] std::string resource_name(const Torus& torus, const Row& row);
/// "chip 3,5  core", "chip 3,5  east link".
[[nodiscard]] std::string row_name(const Torus& torus, const Row& row);
/// The same within a sentence: "chip 3,5 east link".
[[nodiscard]] std::string part_name(const Torus& torus, const Row& row);

} // namespace meshslice
