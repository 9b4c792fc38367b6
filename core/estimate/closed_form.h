#pragma once

#include "core/base/quantity.h"
#include "core/program/dependencies.h"
#include "core/program/program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// The closed form of a run's time, from the time that each operation of the program takes:
///     total = first pass + (iterations - 1) x steady state.

/// What operations take, each by its id. Streams take longer in the first turn of the loop than in every
/// further one, which follows close behind the one before it.
struct OperationTimes {
    std::vector<Time> first;   ///< in the first turn of the loop, and outside it
    std::vector<Time> further; ///< in every further turn; empty where that is the same
    /// On every chip at least, in any turn: streams keep its links busy for so long. Empty where no stream is
    /// among them, or where they run ahead.
    std::vector<Time> least;

    [[nodiscard]] const std::vector<Time>& of_further_turns() const {
        return further.empty() ? first : further;
    }
    bool operator==(const OperationTimes&) const = default;
};

/// Each engine in program order, each operation when its engine is free. What takes no time waits for none.
class Engines {
  public:
    /// Runs an operation that may not start before `start`; when it does.
    Time run(const Operation& operation, Time time, Time start) {
        const std::size_t engine = engine_of(operation);
        const bool waits = engine < engine_count && time > Time(0);
        if (waits) {
            start = std::max(start, free_[engine]);
            free_[engine] = start + time;
        }
        last_ = std::max(last_, start + time);
        return start;
    }
    /// When the last of them ends.
    [[nodiscard]] Time last() const { return last_; }

  private:
    std::array<Time, engine_count> free_{};
    Time last_;
};

/// Start and end of every operation when the loop runs once.
struct FirstPass {
    std::vector<Time> start, end; ///< by operation
    Time last_end;
};
[[nodiscard]] FirstPass first_pass(const Program& program, const std::vector<Time>& times,
                                   const std::vector<Dependency>& needs);

/// What the closed form says of the time of a run.
struct LoopTime {
    Time prologue; ///< up to the first multiplication of the loop (or, without a loop, of all)
    Time steady;   ///< one iteration in the steady state
    Time epilogue; ///< of the last iteration, its multiplication and what comes after it
    Time total;
    /// How much longer each engine works, all iterations together, because the memory is shared.
    std::array<Time, engine_count> slowed{};
};
/// The same from when the first multiplication of the loop begins in its first turn and in its last.
[[nodiscard]] LoopTime loop_time(Time first_multiplication, Time last_multiplication, Time last_end,
                                 std::int64_t iterations);
/// Where there is work before the loop, some of the loop is done meanwhile, as much as buffers allow: turns
/// of such a loop are worked out one by one, up to `most_turns_followed`.
[[nodiscard]] LoopTime loop_time(const Program& program, const OperationTimes& times,
                                 const std::vector<Dependency>& needs);

inline constexpr std::int64_t most_turns_followed = 4096;
[[nodiscard]] bool follows_turns(const Program& program, const std::vector<Time>& times);

/// What the busiest engine works in one turn of the loop.
[[nodiscard]] Time busiest_in_loop(const Program& program, const std::vector<Time>& times);

/// One turn of the loop in the steady state: the slowest cycle of its dependencies, each engine taking its
/// operations in turn, round and round. Nothing where the loop runs but once.
[[nodiscard]] Time steady_time(const Program& program, const std::vector<Time>& times,
                               const std::vector<Dependency>& needs);

} // namespace meshslice
