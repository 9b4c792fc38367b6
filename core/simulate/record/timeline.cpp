#include "core/simulate/record/timeline.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>
#include <utility>

namespace meshslice {

namespace {

/// A copy of the intervals, and what holds it.
std::pair<std::shared_ptr<const IntervalMemory>, std::span<const Interval>>
copied(const std::vector<Interval>& intervals) {
    auto memory = std::make_shared<IntervalMemory>(intervals.size());
    const std::span<Interval> place = memory->take(intervals.size());
    std::ranges::copy(intervals, place.begin());
    return {std::move(memory), place};
}

} // namespace

Timeline::Timeline(Torus torus, std::vector<OperationLabel> operations, std::int64_t iterations,
                   std::vector<Row> rows, const std::vector<std::size_t>& row_begin,
                   const std::vector<Interval>& intervals, Time end)
    : torus_(std::move(torus))
    , operations_(std::move(operations))
    , iterations_(iterations)
    , rows_(std::move(rows))
    , classes_(all_different(torus_))
    , end_(end) {
    std::tie(memory_, intervals_) = copied(intervals);
    assert(row_begin.size() == rows_.size() + 1 && row_begin.back() == intervals_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        spans_.push_back({row_begin[row], row_begin[row + 1], {}});
        for (const Interval& interval : this->intervals(row)) {
            spans_[row].busy[static_cast<std::size_t>(interval.activity)] += interval.end - interval.start;
        }
    }
}

Timeline::Timeline(Torus torus, std::vector<OperationLabel> operations, std::int64_t iterations,
                   ChipClasses classes, const std::vector<Row>& rows,
                   const std::vector<std::size_t>& row_begin, std::shared_ptr<const IntervalMemory> memory,
                   std::span<const Interval> intervals, const std::vector<ActivityTimes>& busy, Time end,
                   std::vector<DramTraffic> dram, std::vector<ServedStreams> served)
    : torus_(std::move(torus))
    , operations_(std::move(operations))
    , iterations_(iterations)
    , classes_(std::move(classes))
    , memory_(std::move(memory))
    , intervals_(intervals)
    , end_(end)
    , dram_(std::move(dram))
    , served_(std::move(served)) {
    assert(row_begin.size() == rows.size() + 1 && row_begin.back() == intervals_.size());
    assert(busy.size() == rows.size());
    assert(served_.empty() || served_.size() == classes_.count());
    std::vector<std::size_t> first_row(classes_.count() + 1, rows.size());
    for (std::size_t row = rows.size(); row-- > 0;) {
        first_row[classes_.of(rows[row].chip)] = row;
    }
    for (Chip chip = 0; chip < torus_.chips(); ++chip) {
        const std::size_t which = classes_.of(chip);
        for (std::size_t row = first_row[which]; row < first_row[which + 1]; ++row) {
            rows_.push_back(rows[row]);
            rows_.back().chip = chip;
            spans_.push_back({row_begin[row], row_begin[row + 1], busy[row]});
        }
    }
    if (!served_.empty()) {
        add_memory_rows();
    }
}

void Timeline::add_memory_rows() {
    rows_with_memory_ = rows_;
    const auto serves = [&](MemoryStream stream) {
        return std::ranges::any_of(served_, [&](const ServedStreams& memory) {
            return !memory[static_cast<std::size_t>(stream)].empty();
        });
    };
    for (Chip chip = 0; chip < torus_.chips(); ++chip) {
        for (const MemoryStream stream : memory_streams) {
            if (!serves(stream)) {
                continue;
            }
            Row& row = rows_with_memory_.emplace_back();
            row.chip = chip;
            row.is_core = false;
            row.memory = stream;
        }
    }
    for (const ServedStreams& memory : served_) {
        auto& made = stretches_.emplace_back();
        for (const MemoryStream stream : memory_streams) {
            const auto which = static_cast<std::size_t>(stream);
            const Activity shown = stream == MemoryStream::compute ? Activity::compute : Activity::transfer;
            made[which].reserve(memory[which].size());
            for (const MemoryStretch& one : memory[which]) {
                made[which].push_back(
                    {one.start, one.end, one.use.iteration, one.use.step, one.use.operation, shown});
            }
        }
    }
}

const MemoryStretch* Timeline::stretch(const Row& row, const Interval& interval) const {
    if (!row.memory) {
        return nullptr;
    }
    const std::span<const MemoryStretch> all = served(row.chip, *row.memory);
    const auto at = std::ranges::lower_bound(all, interval.start, {}, &MemoryStretch::start);
    return at != all.end() && at->start == interval.start ? &*at : nullptr;
}

std::size_t Timeline::interval_count() const {
    std::size_t sum = 0;
    for (const Span& span : spans_) {
        sum += span.end - span.begin;
    }
    return sum;
}

std::size_t Timeline::memory_stretches() const {
    std::size_t sum = 0;
    for (Chip chip = 0; chip < torus_.chips(); ++chip) {
        for (const MemoryStream stream : memory_streams) {
            sum += served(chip, stream).size();
        }
    }
    return sum;
}

Bytes Timeline::bytes(const Row& row, const Interval& interval) const {
    if (row.memory) {
        const MemoryStretch* served = stretch(row, interval);
        return Bytes(served == nullptr ? 0 : std::llround(served->bytes));
    }
    if (interval.activity != Activity::transfer) {
        return Bytes(0);
    }
    const OperationLabel& operation = operations_[interval.operation];
    const Bytes chunk = row.direction == Direction::forward ? operation.bytes : operation.bytes_back;
    if (operation.pieces == 1) {
        return chunk;
    }
    const std::int64_t piece = interval.step % operation.pieces;
    const auto up_to = [&](std::int64_t pieces) { return chunk.value() * pieces / operation.pieces; };
    return Bytes(up_to(piece + 1) - up_to(piece));
}

bool Timeline::operator==(const Timeline& other) const {
    if (torus_ != other.torus_ || operations_ != other.operations_ || iterations_ != other.iterations_ ||
        rows_ != other.rows_ || end_ != other.end_) {
        return false;
    }
    for (Chip chip = 0; chip < torus_.chips(); ++chip) {
        for (const MemoryStream stream : memory_streams) {
            if (!std::ranges::equal(served(chip, stream), other.served(chip, stream))) {
                return false;
            }
        }
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (!std::ranges::equal(intervals(row), other.intervals(row))) {
            return false;
        }
    }
    return true;
}

std::string resource_name(const Torus& torus, const Row& row) {
    if (row.memory) {
        return stream_name(*row.memory);
    }
    if (row.is_core) {
        return said("core");
    }
    const bool missing = torus.missing({row.chip, row.axis, row.direction});
    if (!missing && !row.round) {
        return link_text(row.axis, row.direction);
    }
    const std::string link = link_text(row.axis, opposite(row.direction));
    return missing ? say("{}s back", link) : say("{}s round", link);
}

std::string row_name(const Torus& torus, const Row& row) {
    return say("chip {}  {}", place_text(torus, row.chip), resource_name(torus, row));
}

std::string part_name(const Torus& torus, const Row& row) {
    return say("chip {} {}", place_text(torus, row.chip), resource_name(torus, row));
}

} // namespace meshslice
