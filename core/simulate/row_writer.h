#pragma once

#include "core/simulate/timeline.h"

#include <cstddef>

namespace meshslice {

/// Where the next interval of a row goes, in the memory that was laid out for all of them before the run.
class RowWriter {
  public:
    RowWriter() = default;
    explicit RowWriter(Interval* first) : next_(first) {}

    /// Whether there is such a row.
    explicit operator bool() const { return next_ != nullptr; }
    [[nodiscard]] const Interval* next() const { return next_; }
    /// Sums of what was written.
    [[nodiscard]] const ActivityTimes& busy() const { return busy_; }

    /// Of what takes no time only work is kept.
    void write(const Interval& interval) {
        if (interval.start != interval.end || interval.activity == Activity::compute ||
            interval.activity == Activity::transfer || interval.activity == Activity::copy) {
            *next_++ = interval;
            busy_[static_cast<std::size_t>(interval.activity)] += interval.end - interval.start;
            fetch(ahead);
        }
    }

    /// Every row is written in a place of its own, so the processor does not see what comes next; told in
    /// time, it has the cache line by then.
    void fetch(std::ptrdiff_t intervals_ahead = 0) const { __builtin_prefetch(next_ + intervals_ahead, 1); }

  private:
    static constexpr std::ptrdiff_t ahead = 3; ///< into the next cache line

    Interval* next_ = nullptr;
    ActivityTimes busy_{};
};

} // namespace meshslice
