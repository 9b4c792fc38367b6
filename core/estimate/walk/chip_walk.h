#pragma once

#include "core/cost/operation_cost.h"
#include "core/estimate/stream_links.h"
#include "core/estimate/walk/chip_by_chip.h"
#include "core/estimate/walk/crossings.h"
#include "core/program/ring_schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// Whether what moves along an axis comes later to some chips than to others, in some ring or between rings.
[[nodiscard]] bool is_late(const Program& program, const Operation& operation);

/// By value, so that what is compared stays in registers.
inline Time later_of(Time one, Time other) {
    return one < other ? other : one;
}

/// What every chip does, operation by operation.
class ChipWalk {
  public:
    ChipWalk(const CondensedProgram& condensed, const Machine& hardware, const Schedule& schedule,
             const std::vector<Dependency>& needs, const Slower& slower);

    /// From the traffic of the walk before, if there was one.
    LoopTime walk();
    /// Nothing where that surely takes longer than `most`, with so many turns of the loop to come after those
    /// that are followed, each as long as later_turn() says.
    std::optional<LoopTime> walk_within(Time most, std::int64_t turns_to_come);
    [[nodiscard]] bool shares() const { return shares_; }
    [[nodiscard]] Time crossing() const { return crossing_; }
    /// How long a turn takes in the later half of the loop.
    [[nodiscard]] Time later_turn() const;

  private:
    /// What the rings of an axis are made of.
    struct AxisRings {
        std::vector<std::size_t> first; ///< chip, by ring
        std::size_t places = 1;         ///< of every ring,
        std::size_t stride = 1;         ///< and from each to the next
        bool folded = false;
        double link = 0; ///< bytes/s
        /// By ring and direction: of this walk, and of the one before.
        std::vector<std::array<RingTraffic, 2>> now, before;
    };
    std::size_t slot(OperationId id, std::int64_t run) const {
        return (id * slots_ + static_cast<std::size_t>(run) % slots_) * chips_;
    }
    [[nodiscard]] bool takes_time(OperationId id) const {
        const std::size_t engine = engine_of(program_.operations[id]);
        return engine == core_engine || (engine < core_engine && moves_[id].front());
    }
    void prepare();
    void run(OperationId id, std::int64_t iteration);
    void wait_for_all();
    [[nodiscard]] Time last_end() const;
    [[nodiscard]] Time least_work(OperationId id) const;
    void add_up_turn();
    [[nodiscard]] Time least_end(std::int64_t turns) const;
    [[nodiscard]] Time least_end_of_all() const;
    void run_stream(OperationId id, std::int64_t iteration);
    void stream_one_way(const AxisRings& axis, const StreamLinks& links, Direction direction,
                        const OperationCost& cost, std::int64_t packets);
    [[nodiscard]] bool repeats(std::int64_t iteration);
    void repeat(std::int64_t iteration, std::int64_t turns);
    void run_ring(OperationId id, std::int64_t iteration, AxisRings& axis, std::size_t ring);
    void shift(const std::vector<Chip>& chips, const OperationCost& cost, Direction direction, double link,
               std::array<RingTraffic, 2>* now, const std::array<RingTraffic, 2>* before, bool folded);

    const CondensedProgram& condensed_;
    const Program& program_;
    Torus torus_;
    std::size_t chips_;
    std::size_t kept_ = 1;  ///< runs of an operation whose ends others may ask for
    std::size_t slots_ = 1; ///< whose ends are remembered
    /// By operation and variant; of collectives the longest, and of streams round a ring those from its first
    /// chip.
    std::vector<std::vector<OperationCost>> costs_;
    std::vector<std::vector<std::optional<Communication>>> moves_;
    std::vector<std::vector<std::array<StreamLinks, 2>>> streams_; ///< likewise, by Direction
    std::vector<std::vector<Dependency>> needs_;                   ///< by the operation that waits
    std::array<AxisRings, 3> axes_;
    bool shares_ = false;
    /// By engine, on every chip at least: what one turn of the loop takes of it, what the first turn has to
    /// do before that, and the last one after it.
    std::array<Time, engine_count> least_of_turn_{}, least_before_{}, least_after_{};
    Time crossing_;                 ///< all transfers of folded rings together
    std::vector<Time> turns_begin_; ///< when the last chip begins to multiply in each turn of the loop

    std::vector<Time> ends_;                       ///< by operation, run and chip
    std::array<const Time*, engine_count> free_{}; ///< the ends of what it did last, by chip; none so far
    std::vector<const Time*> waits_;               ///< the ends that the operation at hand waits for
    std::vector<Time> start_, end_;                ///< of the operation at hand, by chip
    std::vector<Time> launched_, sent_, arrived_;  ///< of a ring, by place
    std::vector<Chip> chips_of_ring_;              ///< at hand
    std::vector<Time> begins_;                     ///< of a stream, by ring

    MovesOfRoots roots_;            ///< none where something else than streams takes part
    Move move_{};                   ///< of the roots that was seen last,
    std::vector<std::size_t> goes_; ///< where each chip goes by it,
    Time later_;                    ///< and by how much later everything was
    std::size_t alike_ = 0;         ///< turns in a row in which it was seen
};

} // namespace meshslice
