#pragma once

#include "core/base/quantity.h"
#include "core/cost/schedule.h"
#include "core/estimate/closed_form.h"
#include "core/estimate/estimate.h"
#include "core/machine/machine.h"
#include "core/program/dependencies.h"
#include "core/program/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// A program with every run of alike operations, one after the other on one engine (the panels of SUMMA's
/// streams), as a single one that is done several times. For estimates: these do not differ, and the
/// work of reading a program grows with the square of its operations.
struct CondensedProgram {
    Program program;                 ///< the first of each run stands for it
    std::vector<std::int64_t> times; ///< by operation: how many it stands for
};
[[nodiscard]] CondensedProgram condensed(Program program);

/// Whether it goes round a ring in packets, from chip to chip.
[[nodiscard]] bool is_stream(const Operation& operation);

/// Cuts every stream into at most that many packets, as it would be written with them.
void set_packets(CondensedProgram& condensed, std::int64_t most);

/// The time of each operation, all that it stands for together. The panels of a stream follow close behind
/// one another: each takes the links for its launch and its packets, the last has all its hops to go besides,
/// and a chip that has just passed on the packets of one root is a step late when it becomes the next.
[[nodiscard]] OperationTimes operation_times(const CondensedProgram& condensed, const Machine& hardware,
                                             const Schedule& schedule);
class StreamCosts;
/// Cuts every stream into at most `most` packets, and has the times of the streams again: those of all else
/// stay.
void cut_streams(CondensedProgram& condensed, std::int64_t most, StreamCosts& costs, OperationTimes& times);
/// The times of a program, but of its streams, which are left in one packet, no more than holds for any
/// number of packets up to `most_packets_tried`.
[[nodiscard]] OperationTimes least_times_of_any_packets(CondensedProgram& condensed, StreamCosts& costs);

/// What one run of an operation of `cost`, all that it stands for together, takes of the busiest links: of a
/// stream its packets, without the hops.
[[nodiscard]] LinkTime link_time(const CondensedProgram& condensed, OperationId id,
                                 const OperationCost& cost);

/// As longest_seconds(): every operation after the other.
[[nodiscard]] double longest_seconds(const CondensedProgram& condensed, const OperationTimes& times);

/// A bound that is mostly the run's time itself and needs no dependencies worked out: one iteration with only
/// the data that flows down through it, and every further one no shorter than the busiest engine of the loop.
/// Never above loop_time().total. Where no chip can stand for all, the bound is loose: the time that a core
/// works, or half of the time that links work, whichever is longer.
[[nodiscard]] Time least_total_time(const CondensedProgram& condensed, const OperationTimes& times,
                                    Prefetch prefetch);

/// What loop_time() needs to know of who waits for whom; the same whatever the packets of streams.
[[nodiscard]] std::vector<Dependency> condensed_dependencies(const CondensedProgram& condensed,
                                                             Prefetch prefetch);
/// Streams of both axes wait for each other in waves, which no chip can stand for: on 32x8 chips they take up
/// to 13% of the time. To follow them is much more work than the closed form, so a search that asks for
/// hundreds of programs leaves them out at first and follows those of the few that may be the best. Without a
/// buffer to run ahead they are always followed.
enum class Waves : std::uint8_t { left_out, followed };
/// The closed form or, where a chip's core and links want more of its memory than there is, what that chip
/// does (see run_sharing_memory); where no chip can stand for all (see differs_by_chip, follows_streams),
/// what every chip does.
[[nodiscard]] LoopTime loop_time(const CondensedProgram& condensed, const OperationTimes& times,
                                 const std::vector<Dependency>& needs, const Machine& hardware,
                                 const Schedule& schedule, Waves waves);
/// The same; nothing where it is found on the way that this surely takes longer than `most`. What takes
/// longer may still be found only at the end.
[[nodiscard]] std::optional<LoopTime> loop_time_within(const CondensedProgram& condensed,
                                                       const OperationTimes& times,
                                                       const std::vector<Dependency>& needs,
                                                       const Machine& hardware, const Schedule& schedule,
                                                       Waves waves, Time most);
/// Exactly the estimate of the program that was condensed, from its loop_time() on. The search of the
/// autotuner asks for the loop's time of many programs and for the rest of one.
[[nodiscard]] Estimate estimate(const CondensedProgram& condensed, const LoopTime& loop,
                                const Machine& hardware, const Schedule& schedule);

} // namespace meshslice
