#pragma once

#include "core/question/sweep.h"

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// The points of the newest sweep that are done, written by the thread that computes them.
class DonePoints {
  public:
    /// How many points of this sweep are done; those of another one are forgotten.
    std::size_t begin(const Sweep& sweep) {
        const std::scoped_lock lock(mutex_);
        if (sweep_ != sweep) {
            sweep_ = sweep;
            points_.clear();
        }
        return points_.size();
    }
    void add(const SweepPoint& point) {
        const std::scoped_lock lock(mutex_);
        points_.push_back(point);
    }
    /// Those of this sweep from `from` on.
    [[nodiscard]] std::vector<SweepPoint> of(const Sweep& sweep, std::size_t from = 0) const {
        const std::scoped_lock lock(mutex_);
        return sweep_ == sweep && from < points_.size()
                   ? std::vector<SweepPoint>(points_.begin() + static_cast<std::ptrdiff_t>(from),
                                             points_.end())
                   : std::vector<SweepPoint>();
    }

  private:
    mutable std::mutex mutex_;
    std::optional<Sweep> sweep_;
    std::vector<SweepPoint> points_;
};

} // namespace meshslice::ui
