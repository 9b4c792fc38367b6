#pragma once

#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// A priority queue of events in time order; events of one time come out in the order they went in, so a run
/// is the same every time. On a torus most events share their time with hundreds of others (all chips of a
/// ring step together), so events are kept in buckets of one time and only the buckets are ordered.
template <class Event>
class EventQueue {
  public:
    [[nodiscard]] bool empty() const { return heap_.empty(); }

    void push(Time time, const Event& event) {
        for (std::size_t k = 0; k < recent_.size(); ++k) {
            if (recent_[k].open && recent_[k].time == time) {
                buckets_[recent_[k].bucket].push_back(event);
                return;
            }
        }
        const std::uint32_t bucket = take_bucket();
        buckets_[bucket].push_back(event);
        heap_.push_back({time, sequence_++, bucket});
        std::push_heap(heap_.begin(), heap_.end(), later);
        recent_[next_recent_] = {time, bucket, true};
        next_recent_ = (next_recent_ + 1) % recent_.size();
    }

    /// Removes the earliest bucket and hands over its time and events. Events pushed for the same time while
    /// the caller works through them come out in a later bucket.
    Time pop(std::vector<Event>& events) {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const Entry entry = heap_.back();
        heap_.pop_back();
        for (Recent& recent : recent_) {
            recent.open = recent.open && recent.bucket != entry.bucket;
        }
        events.clear();
        events.swap(buckets_[entry.bucket]);
        free_.push_back(entry.bucket);
        return entry.time;
    }

  private:
    struct Entry {
        Time time;
        std::uint64_t sequence;
        std::uint32_t bucket;
    };
    struct Recent {
        Time time;
        std::uint32_t bucket = 0;
        bool open = false;
    };

    static bool later(const Entry& a, const Entry& b) {
        return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }

    std::uint32_t take_bucket() {
        if (free_.empty()) {
            buckets_.emplace_back();
            return static_cast<std::uint32_t>(buckets_.size() - 1);
        }
        const std::uint32_t bucket = free_.back();
        free_.pop_back();
        return bucket;
    }

    std::vector<Entry> heap_;
    std::vector<std::vector<Event>> buckets_;
    std::vector<std::uint32_t> free_;
    /// The buckets that were opened last; nearly every push finds its time among them.
    std::array<Recent, 8> recent_{};
    std::size_t next_recent_ = 0;
    std::uint64_t sequence_ = 0;
};

} // namespace meshslice
