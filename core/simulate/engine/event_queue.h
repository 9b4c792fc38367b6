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

/// A priority queue of events in time order, for callers that never push an event earlier than the last one
/// taken. Events of one time come out together, in the order they went in, so a run is the same every time.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path problem", 1990;
/// with buckets for every value of a digit, as in its two-level form): an event lies in the bucket of the
/// highest digit in which its time differs from the last that was taken, and of the value of that digit. A
/// push is one step, and an event moves to a lower digit at most once per digit, in order, and past no other
/// of its time. Nothing is compared pair by pair, so thousands of distinct times cost what one costs.
template <class Event>
class EventQueue {
  public:
    [[nodiscard]] bool empty() const { return filled_digits_ == 0; }

    void push(Time time, const Event& event) {
        assert(time >= last_);
        put({time, event});
    }

    /// Removes the events of the earliest time and hands over both. Events pushed for the same time while the
    /// caller works through them come out by the next call.
    Time pop(std::vector<Event>& events) {
        // Times differ from the last in no digit above the lowest that is filled, so its least value is next.
        const auto digit = static_cast<std::size_t>(std::countr_zero(filled_digits_));
        const auto value = static_cast<std::size_t>(std::countr_zero(filled_[digit]));
        const std::uint32_t store = store_of_[digit * values + value];
        filled_[digit] &= ~(std::uint64_t{1} << value);
        if (filled_[digit] == 0) {
            filled_digits_ &= ~(1u << digit);
        }
        events.clear();
        last_ = digit == 0 ? stores_[store].front().time : earliest(stores_[store]);
        for (std::size_t k = 0; k < stores_[store].size(); ++k) {
            const Entry entry = stores_[store][k]; // A copy: another store may be added.
            if (entry.time == last_) {
                events.push_back(entry.event);
            } else {
                put(entry); // To a lower digit: it agrees with the earliest in this one.
            }
        }
        stores_[store].clear();
        empty_.push_back(store);
        return last_;
    }

    struct Entry {
        Time time;
        Event event;
    };
    /// All that are to come, those of one time in the order in which they went in, but in no other order.
    void list(std::vector<Entry>& entries) const {
        entries.clear();
        for (std::uint32_t some = filled_digits_; some != 0; some &= some - 1) {
            const auto digit = static_cast<std::size_t>(std::countr_zero(some));
            for (std::uint64_t rest = filled_[digit]; rest != 0; rest &= rest - 1) {
                const auto value = static_cast<std::size_t>(std::countr_zero(rest));
                const std::vector<Entry>& store = stores_[store_of_[digit * values + value]];
                entries.insert(entries.end(), store.begin(), store.end());
            }
        }
    }
    /// Everything to come comes so much later, and so does what was last.
    void delay(Time by) {
        std::vector<Entry> entries;
        list(entries);
        const Time last = last_;
        for (std::vector<Event> events; !empty();) {
            pop(events);
        }
        last_ = last + by;
        for (const Entry& entry : entries) {
            push(entry.time + by, entry.event);
        }
    }

  private:
    static constexpr int digit_bits = 6;
    static constexpr std::size_t values = std::size_t{1} << digit_bits; ///< of a digit
    static constexpr std::size_t digits =
        (63 + digit_bits - 1) / digit_bits; ///< of times, which have 63 bits

    static Time earliest(const std::vector<Entry>& bucket) {
        return std::ranges::min(bucket, {}, &Entry::time).time;
    }

    void put(const Entry& entry) {
        const auto time = static_cast<std::uint64_t>(entry.time.value());
        const std::uint64_t differs = time ^ static_cast<std::uint64_t>(last_.value());
        // 1 for no bit, so that events of the last time lie in the lowest digit.
        const auto digit = static_cast<std::size_t>((std::bit_width(differs | 1) - 1) / digit_bits);
        const auto value = static_cast<std::size_t>(time >> (digit * digit_bits)) % values;
        const std::uint64_t bit = std::uint64_t{1} << value;
        std::uint32_t& store = store_of_[digit * values + value];
        if ((filled_[digit] & bit) == 0) {
            filled_[digit] |= bit;
            filled_digits_ |= 1u << digit;
            store = empty_store();
        }
        stores_[store].push_back(entry);
    }

    /// The one that was emptied last: it is still in the cache.
    std::uint32_t empty_store() {
        if (empty_.empty()) {
            stores_.emplace_back();
            return static_cast<std::uint32_t>(stores_.size() - 1);
        }
        const std::uint32_t store = empty_.back();
        empty_.pop_back();
        return store;
    }

    Time last_;
    std::array<std::uint64_t, digits> filled_{}; ///< a bit per value whose bucket holds anything
    std::uint32_t filled_digits_ = 0;            ///< a bit per digit with any such value
    /// Of a bucket that holds anything: which store has its events.
    std::array<std::uint32_t, digits * values> store_of_{};
    std::vector<std::vector<Entry>> stores_;
    std::vector<std::uint32_t> empty_;
};

} // namespace meshslice
