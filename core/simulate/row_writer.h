#pragma once

#include "core/simulate/interval.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace meshslice {

/// Writes the intervals of a row, in the memory that was laid out for all of them before the run.
///
/// Every row is written in a place of its own, so the processor does not see what comes next. Told in time,
/// it has the cache line by then. Where the rows of a large torus are on more pages than its translation
/// buffer holds, that is not enough: then a few intervals are gathered first, and go past the cache together.
class alignas(64) RowWriter {
  public:
    enum class Way : std::uint8_t { through_cache, past_cache };

    RowWriter() = default;
    RowWriter(Interval* first, Way way) : next_(first), way_(way) {}

    /// Of what takes no time only work is kept.
    void write(const Interval& interval) {
        if (interval.start == interval.end && interval.activity != Activity::compute &&
            interval.activity != Activity::transfer && interval.activity != Activity::copy) {
            return;
        }
        busy_[static_cast<std::size_t>(interval.activity)] += interval.end - interval.start;
        if (way_ == Way::through_cache) {
            *next_++ = interval;
            __builtin_prefetch(next_ + ahead, 1);
        } else {
            gathered_[count_++] = interval;
            if (count_ == gathered_.size()) {
                hand_over();
            }
        }
    }

    /// Has the processor fetch what the next intervals need.
    void fetch() const {
        __builtin_prefetch(this, 1);
        if (way_ == Way::past_cache) {
            __builtin_prefetch(&gathered_[1], 1);
            __builtin_prefetch(&gathered_[3], 1);
        }
    }

    /// Writes what is still held back; returns where the next interval would go.
    const Interval* close() {
        hand_over();
        return next_;
    }
    /// Sums of what was written.
    [[nodiscard]] const ActivityTimes& busy() const { return busy_; }

  private:
    static constexpr std::ptrdiff_t ahead = 3; ///< into the next cache line

    void hand_over();

    Interval* next_ = nullptr;
    ActivityTimes busy_{};
    std::uint32_t count_ = 0; ///< of those gathered
    Way way_ = Way::through_cache;
    std::array<Interval, 4> gathered_;
};
static_assert(sizeof(RowWriter) == 192, "three cache lines");

/// Makes what was written past the cache visible to other threads.
void finish_writing_past_cache();

} // namespace meshslice
