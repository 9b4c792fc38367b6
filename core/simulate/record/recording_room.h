#pragma once

#include <atomic>
#include <cstdint>

namespace meshslice {

/// Room for the busy intervals that one or several runs record together. What is refused depends on how many
/// they are, not on which run came first: every run takes all that it records, or is refused. From any
/// thread.
class RecordingRoom {
  public:
    explicit RecordingRoom(std::int64_t most) : most_(most) {}

    /// Takes room for so many more; false where so many are too many together.
    [[nodiscard]] bool take(std::int64_t intervals) { return (taken_ += intervals) <= most_; }
    /// Whether the runs have recorded more than there is room for.
    [[nodiscard]] bool exceeded() const { return taken_ > most_; }
    [[nodiscard]] std::int64_t most() const { return most_; }

  private:
    std::int64_t most_;
    std::atomic<std::int64_t> taken_ = 0;
};

} // namespace meshslice
