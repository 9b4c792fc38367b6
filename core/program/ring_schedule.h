#pragma once

#include "core/program/program.h"
#include "core/program/schedule.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <optional>

namespace meshslice {

/// How one collective moves along one axis, step by step: the lowering of a program to its link steps.
/// Execution, simulation, estimate and count all read the same schedule.
///
/// P chips stand at positions 0 .. P-1; a collective moves chunks, each named by the position it belongs to,
/// in P - 1 steps. On a closed ring every chip sends in every step, half of a chunk each way (or, one-way,
/// whole chunks forward). On an open line whole chunks travel both ways, whatever the mode, and the chips
/// near the ends pause. Source: MeshSlice paper, section 2.3.4 and Figure 3; lines: scaling book, chapter 3.
class RingSchedule {
  public:
    enum class Pattern : std::uint8_t { all_gather, reduce_scatter };

    RingSchedule(Pattern pattern, std::int32_t positions, bool closed, RingMode mode)
        : pattern_(pattern), closed_(closed), mode_(mode), positions_(positions) {}

    [[nodiscard]] Pattern pattern() const { return pattern_; }
    [[nodiscard]] std::int32_t positions() const { return positions_; }
    [[nodiscard]] std::int32_t steps() const { return positions_ - 1; }

    /// The half-open range of a chunk's elements that travels in `direction`.
    struct Part {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        [[nodiscard]] std::int64_t size() const { return end - begin; }
    };
    [[nodiscard]] Part part(Direction direction, std::int64_t chunk_elements) const;

    /// The chunk that `position` sends in `direction` at `step`; none where it pauses.
    [[nodiscard]] std::optional<std::int32_t> chunk(Direction direction, std::int32_t step,
                                                    std::int32_t position) const;

    /// The first step at which `position` sends in `direction`, and one past the last: between them it never
    /// pauses.
    struct Steps {
        std::int32_t begin = 0;
        std::int32_t end = 0;
        [[nodiscard]] std::int32_t count() const { return end - begin; }
    };
    [[nodiscard]] Steps sending_steps(Direction direction, std::int32_t position) const;

    /// How many chunks must have arrived at `position`, travelling in `direction`, before it can make its
    /// `send`-th own transmission (counted from 0): it passes on, or adds to, what arrived.
    [[nodiscard]] std::int32_t arrivals_needed(Direction direction, std::int32_t position,
                                               std::int32_t send) const;

  private:
    /// Chips between `position` and the end of a line that `direction` comes from.
    [[nodiscard]] std::int32_t distance_from_end(Direction direction, std::int32_t position) const {
        return direction == Direction::forward ? position : positions_ - 1 - position;
    }

    Pattern pattern_;
    bool closed_;
    RingMode mode_;
    std::int32_t positions_;
};

/// A communication of a program: along which axis, in which steps, and how large one chunk is.
struct Communication {
    Axis axis = Axis::vertical;
    RingSchedule ring;
    std::int64_t chunk_elements = 0;
    LaunchKind launch = LaunchKind::all_gather;

    /// Bytes of one step in `direction`: the part of one chunk that travels that way.
    [[nodiscard]] Bytes step_bytes(Direction direction, DataType type) const {
        return Bytes(ring.part(direction, chunk_elements).size() * element_bytes(type));
    }
    /// The steps in which `position` sends in `direction`; none where nothing of a chunk travels that way.
    [[nodiscard]] RingSchedule::Steps sending_steps(Direction direction, std::int32_t position) const {
        return ring.part(direction, chunk_elements).size() == 0 ? RingSchedule::Steps{}
                                                                : ring.sending_steps(direction, position);
    }
};
/// None for operations that stay on their chip, and for rings of one chip, where nothing moves.
[[nodiscard]] std::optional<Communication> communication(const Program& program, const Operation& operation,
                                                         RingMode mode);

} // namespace meshslice
