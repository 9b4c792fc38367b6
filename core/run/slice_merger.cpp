#include "core/run/slice_merger.h"

#include <algorithm>
#include <span>

namespace meshslice {

void SliceMerger::merge(const RunSlice& slice) {
    const auto start = static_cast<double>((slice.start - begin_).value());
    const auto end = static_cast<double>((slice.end - begin_).value());
    const auto column = static_cast<std::int64_t>(start / pixel_);
    const bool within = start >= 0 && end <= static_cast<double>(column + 1) * pixel_;
    if (column != column_ || !within) {
        close();
    }
    if (!within) {
        emit(slice);
        return;
    }
    column_ = column;
    RunSlice& its = of_role_[static_cast<std::size_t>(slice.role)];
    if (its.count == 0) {
        its = slice;
        order_[roles_++] = static_cast<std::uint8_t>(slice.role);
        return;
    }
    its.end = slice.end;
    its.busy += slice.busy;
    its.count += slice.count;
}

void SliceMerger::close() {
    for (std::size_t k = 0; k < roles_; ++k) {
        RunSlice& its = of_role_[order_[k]];
        emit(its);
        its.count = 0;
    }
    roles_ = 0;
    column_ = -1;
}

void SliceMerger::flush_batch() {
    if (filled_ > 0) {
        sink_(std::span(batch_.data(), filled_));
        filled_ = 0;
    }
}

} // namespace meshslice
