#pragma once

#include "core/simulate/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace meshslice {

/// Writes the intervals of a row, in the memory that was laid out for all of them before the run.
///
/// Every row is written in a place of its own, so in a large torus each interval would wait for a page that
/// the processor's translation buffer does not hold. They are gathered here a few at a time, and where all
/// rows together are more than a cache holds they go past it.
class alignas(64) RowWriter {
  public:
    enum class Way : std::uint8_t { through_cache, past_cache };

    RowWriter() = default;
    RowWriter(Interval* first, Way way) : next_(first), way_(way) {}

    /// Whether there is such a row.
    explicit operator bool() const { return next_ != nullptr; }

    /// Of what takes no time only work is kept.
    void write(const Interval& interval) {
        if (interval.start != interval.end || interval.activity == Activity::compute ||
            interval.activity == Activity::transfer || interval.activity == Activity::copy) {
            gathered_[count_++] = interval;
            if (count_ == gathered_.size()) {
                hand_over();
            }
        }
    }

    /// Has the processor get ready for a few more.
    void fetch() const {
        __builtin_prefetch(this, 1);
        __builtin_prefetch(gathered_.data() + 2, 1);
    }

    /// Writes what is still held back; returns where the next interval would go.
    const Interval* close() {
        hand_over();
        return next_;
    }
    /// Sums of what was written, once closed.
    [[nodiscard]] const ActivityTimes& busy() const { return busy_; }

  private:
    void hand_over();

    Interval* next_ = nullptr;
    std::uint32_t count_ = 0; ///< of those gathered
    Way way_ = Way::through_cache;
    std::array<Interval, 4> gathered_;
    ActivityTimes busy_{};
};

/// Makes what was written past the cache visible to other threads.
void finish_writing_past_cache();

} // namespace meshslice
