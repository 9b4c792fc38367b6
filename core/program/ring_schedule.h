#pragma once

#include "core/machine/collective.h"
#include "core/machine/data_type.h"
#include "core/program/pipelining.h"
#include "core/program/program.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <optional>

namespace meshslice {

/// How one communication moves along one ring, step by step: the lowering of a program to its link steps.
/// Execution, simulation, estimate and count all read the same schedule.
///
/// P chips stand at positions 0 .. P-1 and pass chunks to their neighbours. On a closed ring half of every
/// chunk travels each way (or, one-way, all of it forward). On an open line whole chunks travel both ways,
/// whatever the mode, and the chips near the ends pause. A stream that goes both ways round a closed ring of
/// more than two chips works like a line, too: each chip gets the packets by the shorter way only. If halves
/// went all the way round, every chip would be busy until the last one has its packets, and the next panel
/// would wait. For streams, which need not come back, a folded ring is a line. Sources: MeshSlice paper,
/// sections 2.3.2 to 2.3.4 and Figure 3; lines: scaling book, chapter 3.
///
///   all_gather      P chunks, each named by the position it comes from; P - 1 steps
///   reduce_scatter  P chunks, each named by the position it belongs to; P - 1 steps
///   send_receive    one step of a gather: every position's chunk moves to its neighbours; or a shift, where
///                   it moves `hops` positions, in as many steps, forward if above 0
///   broadcast       the chunks are the root's packets: one step each, plus the hops after the first
///   reduce          the other way: every chip adds its own part to the packets that pass
///   all_to_all      a chunk from every position to every other one, the shorter way round
/// An all_reduce is a reduce_scatter and an all_gather, and has no schedule of its own.
class RingSchedule {
  public:
    RingSchedule(Collective what, std::int32_t positions, bool closed, RingMode mode)
        : what_(what), closed_(closed), mode_(mode), positions_(positions) {}
    [[nodiscard]] static RingSchedule shift(std::int32_t positions, std::int32_t hops);
    /// On a closed ring; a chunk is halved between units of `unit` elements, that is between rows or columns.
    [[nodiscard]] static RingSchedule send_receive(std::int32_t positions, RingMode mode, std::int64_t unit);
    /// Of packets from (or to) `root`.
    [[nodiscard]] static RingSchedule stream(Collective what, std::int32_t positions, bool closed,
                                             RingMode mode, std::int32_t root, std::int32_t packets);

    /// What every position sends to every other is cut into `pieces`, which all the steps take one by one:
    /// those that go farthest set out first. Of two pieces for the chip across an even ring one goes each
    /// way.
    [[nodiscard]] static RingSchedule all_to_all(std::int32_t positions, bool closed, RingMode mode,
                                                 std::int32_t pieces);

    [[nodiscard]] Collective collective() const { return what_; }
    [[nodiscard]] bool shifts() const { return shifts_; }
    [[nodiscard]] std::int32_t positions() const { return positions_; }
    [[nodiscard]] std::int32_t steps() const;
    /// How many chunks there are at a position, counting those that are still to come.
    [[nodiscard]] std::int32_t chunks() const {
        return what_ == Collective::all_to_all ? positions_ * positions_ * packets_
               : streams()                     ? packets_
                                               : positions_;
    }
    /// Of an all-to-all: the number of a chunk by where it comes from, where it goes and which piece it is.
    [[nodiscard]] std::int32_t exchanged(std::int32_t from, std::int32_t to, std::int32_t piece) const {
        return (from * positions_ + to) * packets_ + piece;
    }
    [[nodiscard]] std::int32_t exchanged_from(std::int32_t chunk) const {
        return chunk / packets_ / positions_;
    }
    [[nodiscard]] std::int32_t exchanged_to(std::int32_t chunk) const {
        return chunk / packets_ % positions_;
    }
    [[nodiscard]] std::int32_t pieces() const { return packets_; }
    /// Whether what arrives is added to what is there instead of replacing it.
    [[nodiscard]] bool adds() const {
        return what_ == Collective::reduce_scatter || what_ == Collective::reduce;
    }
    /// The positions that the chunks of a shift or a SendRecv come from, seen from where they end.
    [[nodiscard]] std::int32_t hops() const { return hops_; }
    [[nodiscard]] std::int32_t root() const { return root_; }
    /// The largest number of hops that a stream makes in a direction, if it goes that way.
    [[nodiscard]] std::int32_t longest_stream(Direction direction) const;

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
    /// `send`-th own transmission (counted from 0): it passes on what arrived, or adds to it. Never more than
    /// will arrive at all.
    [[nodiscard]] std::int32_t arrivals_needed(Direction direction, std::int32_t position,
                                               std::int32_t send) const;

  private:
    [[nodiscard]] bool streams() const {
        return what_ == Collective::broadcast || what_ == Collective::reduce;
    }
    /// Whether packets of a stream go both ways round a closed ring, to each chip by the shorter way.
    [[nodiscard]] bool nearest() const {
        return streams() && closed_ && mode_ == RingMode::both_ways && positions_ > 2;
    }
    /// Chips between `position` and the end of the line from which `direction` comes.
    [[nodiscard]] std::int32_t distance_from_end(Direction direction, std::int32_t position) const {
        return direction == Direction::forward ? position : positions_ - 1 - position;
    }
    /// Of an all-to-all: the pieces of a chunk that a position sends to the one `hops` further on that go
    /// that way.
    [[nodiscard]] std::int32_t pieces_over(Direction direction, std::int32_t hops) const;
    [[nodiscard]] std::optional<std::int32_t> exchanged_at(Direction direction, std::int32_t step,
                                                           std::int32_t position) const;
    /// Hops from the root to `position` in `direction` (for a reduce, the other way, back to the root); below
    /// 0 where a line does not lead there.
    [[nodiscard]] std::int32_t hops_along_stream(Direction direction, std::int32_t position) const;

    Collective what_;
    bool closed_;
    RingMode mode_;
    std::int32_t positions_;
    bool shifts_ = false;
    std::int32_t hops_ = 0;    ///< of a shift
    std::int64_t unit_ = 1;    ///< of a SendRecv
    std::int32_t root_ = 0;    ///< of a stream
    std::int32_t packets_ = 1; ///< of a stream; of an all-to-all the pieces of a chunk
};

/// A communication of a program: along which axis, in which steps, and how large one chunk is.
struct Communication {
    Axis axis = Axis::vertical;
    RingSchedule ring;
    std::int64_t chunk_elements = 0;
    /// How often it is done in a row, launched each time.
    std::int32_t repeats = 1;

    /// Bytes of one step in `direction`: the part of one chunk that travels that way.
    [[nodiscard]] Bytes step_bytes(Direction direction, DataType type) const {
        return Bytes(ring.part(direction, chunk_elements).size() * element_bytes(type));
    }
    /// The steps, of one time, in which `position` sends in `direction`; none where nothing of a chunk
    /// travels that way.
    [[nodiscard]] RingSchedule::Steps sending_steps(Direction direction, std::int32_t position) const {
        return ring.part(direction, chunk_elements).size() == 0 ? RingSchedule::Steps{}
                                                                : ring.sending_steps(direction, position);
    }
};

/// Some operations do not move the same way everywhere and always: a skew moves every ring by another
/// distance, a broadcast has another root in every iteration. Each way is a variant, numbered from 0.
[[nodiscard]] std::int32_t variants(const Program& program, const Operation& operation);
/// The variant that the ring of `chip` follows in an iteration.
[[nodiscard]] std::int32_t variant(const Program& program, const Operation& operation, std::int64_t iteration,
                                   Chip chip);

/// None for operations that stay on their chip, and for rings of one chip, where nothing moves.
[[nodiscard]] std::optional<Communication> communication(const Program& program, const Operation& operation,
                                                         RingMode mode, std::int32_t variant = 0);

} // namespace meshslice
