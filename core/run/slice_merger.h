#pragma once

#include "core/run/run.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace meshslice {

/// Hands bars on in batches, those that lie together in a column of so many picoseconds as one slice for
/// each role. A storage that can find them without looking at each hands on their sum itself.
class SliceMerger {
  public:
    /// Columns are counted from the begin of the stretch; `pixel` 0: no bar is merged.
    SliceMerger(Stretch stretch, double pixel, const SliceSink& sink)
        : begin_(stretch.begin), pixel_(pixel), sink_(sink) {
        of_role_.fill({{}, {}, {}, 0, 0});
    }
    SliceMerger(const SliceMerger&) = delete;
    SliceMerger& operator=(const SliceMerger&) = delete;
    ~SliceMerger() { flush(); }

    /// The next bar, or several of one role; not before the start of the one before.
    void add(const RunSlice& slice) {
        if (pixel_ > 0) {
            merge(slice);
        } else {
            emit(slice);
        }
    }

  private:
    void merge(const RunSlice& slice);
    void close(); ///< the column
    void emit(const RunSlice& slice) {
        batch_[filled_++] = slice;
        if (filled_ == batch_.size()) {
            flush_batch();
        }
    }
    void flush() {
        close();
        flush_batch();
    }
    void flush_batch();

    Time begin_;
    double pixel_;
    const SliceSink& sink_;
    std::int64_t column_ = -1; ///< none
    std::array<RunSlice, bar_roles> of_role_;
    std::array<std::uint8_t, bar_roles> order_{}; ///< roles in the column, the first one first
    std::size_t roles_ = 0;
    std::array<RunSlice, 128> batch_;
    std::size_t filled_ = 0;
};

} // namespace meshslice
