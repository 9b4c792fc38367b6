#include "core/simulate/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace meshslice {

std::string_view name(Activity activity) {
    constexpr std::array<std::string_view, 4> names = {"compute", "launch", "sync", "transfer"};
    return names[static_cast<std::size_t>(activity)];
}

Timeline::Timeline(Torus torus, std::vector<OperationLabel> operations, std::int64_t iterations,
                   std::vector<Row> rows, std::vector<std::size_t> row_begin, std::vector<Interval> intervals,
                   Time end)
    : torus_(std::move(torus))
    , operations_(std::move(operations))
    , iterations_(iterations)
    , rows_(std::move(rows))
    , row_begin_(std::move(row_begin))
    , intervals_(std::move(intervals))
    , end_(end) {
    assert(row_begin_.size() == rows_.size() + 1 && row_begin_.back() == intervals_.size());
}

Bytes Timeline::bytes(const Row& row, const Interval& interval) const {
    if (interval.activity != Activity::transfer) {
        return Bytes(0);
    }
    const OperationLabel& operation = operations_[interval.operation];
    return row.direction == Direction::forward ? operation.bytes : operation.bytes_back;
}

bool Timeline::operator==(const Timeline& other) const {
    return torus_ == other.torus_ && operations_ == other.operations_ && iterations_ == other.iterations_ &&
           rows_ == other.rows_ && row_begin_ == other.row_begin_ && intervals_ == other.intervals_ &&
           end_ == other.end_;
}

std::string row_name(const Torus& torus, const Row& row) {
    return fmt::format("chip {}  {}", place_text(torus, row.chip),
                       row.is_core ? "core" : link_text(row.axis, row.direction));
}

} // namespace meshslice
