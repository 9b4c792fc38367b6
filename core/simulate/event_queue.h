#pragma once

#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// A priority queue of events in time order, for a caller who never pushes one earlier than the last he took;
/// events of one time come out together, in the order they went in, so a run is the same every time.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path problem", 1990):
/// an event lies in the bucket of the highest bit in which its time differs from the last that was taken. A
/// push is one step, and an event moves to a lower bucket at most once per bit, in order, and past no other
/// of its time. Nothing is compared pair by pair, so thousands of distinct times cost what one costs.
template <class Event>
class EventQueue {
  public:
    [[nodiscard]] bool empty() const { return filled_ == 0; }

    void push(Time time, const Event& event) {
        assert(time >= last_);
        put({time, event});
    }

    /// Removes the events of the earliest time and hands over both. Events pushed for the same time while the
    /// caller works through them come out by the next call.
    Time pop(std::vector<Event>& events) {
        const auto lowest = static_cast<std::size_t>(std::countr_zero(filled_));
        std::vector<Entry>& bucket = buckets_[lowest];
        filled_ &= ~(std::uint64_t{1} << lowest);
        last_ = lowest == 0 ? last_ : earliest(bucket);
        events.clear();
        for (const Entry& entry : bucket) {
            if (entry.time == last_) {
                events.push_back(entry.event);
            } else {
                put(entry); // Into a lower bucket: it agrees with the earliest in this one's bit.
            }
        }
        bucket.clear();
        return last_;
    }

  private:
    struct Entry {
        Time time;
        Event event;
    };

    static Time earliest(const std::vector<Entry>& bucket) {
        return std::ranges::min(bucket, {}, &Entry::time).time;
    }

    void put(const Entry& entry) {
        const auto differs = static_cast<std::uint64_t>(entry.time.value() ^ last_.value());
        const auto bucket = static_cast<std::size_t>(std::bit_width(differs));
        buckets_[bucket].push_back(entry);
        filled_ |= std::uint64_t{1} << bucket;
    }

    Time last_;
    /// Times are of 63 bits, so no bucket is beyond the last.
    std::array<std::vector<Entry>, 64> buckets_;
    std::uint64_t filled_ = 0; ///< a bit per bucket that holds anything
};

} // namespace meshslice
