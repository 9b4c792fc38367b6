#pragma once

#include "core/simulate/interval.h"

#include <cstddef>

namespace meshslice {

/// Writes the intervals of a row, in the memory that was laid out for all of them before the run. Every row
/// is written in a place of its own, so the processor does not see what comes next. Told in time, it has the
/// cache line by then.
class alignas(64) RowWriter {
  public:
    RowWriter() = default;
    explicit RowWriter(Interval* first) : end_(first) {}

    /// Of what takes no time only work is kept.
    void write(const Interval& interval) {
        if (interval.start == interval.end && interval.activity != Activity::compute &&
            interval.activity != Activity::transfer && interval.activity != Activity::copy) {
            return;
        }
        busy_[static_cast<std::size_t>(interval.activity)] += interval.end - interval.start;
        *end_++ = interval;
        __builtin_prefetch(end_ + ahead, 1);
    }

    /// Behind the last that was written.
    [[nodiscard]] const Interval* end() const { return end_; }
    /// Sums of what was written.
    [[nodiscard]] const ActivityTimes& busy() const { return busy_; }

  private:
    static constexpr std::ptrdiff_t ahead = 9; ///< some cache lines

    Interval* end_ = nullptr;
    ActivityTimes busy_{};
};

} // namespace meshslice
