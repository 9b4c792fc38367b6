#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/simulate/record/timeline.h"
#include "core/torus/faults.h"

#include <cstdint>
#include <memory>
#include <stop_token>

namespace meshslice {

/// More busy intervals than this (24 bytes each, 1.2 GB) are refused before the run, with the number there
/// would be; where only the run knows how many there are, as soon as there are more.
inline constexpr std::int64_t most_intervals = 50'000'000;

/// How many busy intervals a run will record, of one chip of each class: those of cores and links, and, where
/// GEMMs are made in stages, those of memories if none is cut. 0 when it is stopped.
[[nodiscard]] std::int64_t recorded_intervals(const Program& program, const Machine& hardware,
                                              const Schedule& schedule, const Conditions& conditions = {},
                                              const std::stop_token& stop = {});

/// How many more there may be, because a memory gives a stage or a piece another share while it serves it; 0
/// where GEMMs are not made in stages, and when it is stopped.
[[nodiscard]] std::int64_t most_cuts(const Program& program, const Machine& hardware,
                                     const Schedule& schedule, const Conditions& conditions = {},
                                     const std::stop_token& stop = {});

/// A bound on how long a run can last, in seconds: every operation after the other at the pace of the slowest
/// part. All runs that are added up must stay below `most_simulated_seconds` together: 53 days, in
/// picoseconds half of what 64 bits hold.
[[nodiscard]] double longest_run_seconds(const Program& program, const Machine& hardware,
                                         const Schedule& schedule, const Conditions& conditions = {});
inline constexpr double most_simulated_seconds = 4.6e6;

/// Whether what is alike in a run is simulated once and written down for all: chips that behave alike, and
/// the turns of a loop from the one on that leaves all chips as the one before did, an iteration further on.
/// The timeline is the same, event by event.
enum class Folding : std::uint8_t {
    alike_chips, ///< and turns
    none,        ///< every chip, but turns
    no_turns     ///< every chip, every turn
};

/// Runs the program in simulated time, every chip and every link by itself, by discrete events:
/// - the core and the pair of links of each axis are three (four) engines of a chip that work at the same
///   time; each works through its own operations in program order and starts one when its dependencies have
///   finished;
/// - a collective is launched once on each chip, on the links it uses, then moves in the steps of its
///   RingSchedule; a step starts when sender and receiver have both launched, the link is free and the chunk
///   is there, and takes sync + bytes / link bandwidth;
/// - a multiplication takes its launch and what OperationCost says; where the chip is modelled tile by tile,
///   tiles, copies of slices and links share the memory of their chip;
/// - on a ring of GPUs a GEMM computes and writes stage by stage; one that feeds a reduce-scatter does so
///   tile by tile, and its stores share the memory of their chip with what the collective reads and adds up,
///   as the schedule's arbitration says. So does a loop's collective that no GEMM feeds: its links take what
///   they carry of the memories at both ends first, and are never slowed. Outside a loop a step has the
///   memory to itself. A piece goes only when the next chip has begun the same run of the collective. In the
///   core's row the steps 2s and 2s + 1 are those in which stage s computes and writes; a stage that writes
///   nothing has no second one. What each chip's memory serves then stands apart, in Timeline::served().
/// With faults a slow core or link takes longer, a synchronization takes longer by chance, and what a dead
/// link would carry goes round its ring the other way (see Wires); the dead link's row shows these transfers.
/// So does the row of the link that a folded ring lacks. A run is bit-identical every time. What it records
/// goes into `memory` if that has room, otherwise into memory of its own. Refuses runs of more than
/// `most` busy intervals, those whose picoseconds might not fit 64 bits, and GEMMs that feed a ring where
/// they are not made in stages (see staged()).
[[nodiscard]] Result<std::shared_ptr<const Timeline>>
simulate(const Program& program, const Machine& hardware, const Schedule& schedule,
         const Conditions& conditions = {}, const RunControl& control = {},
         Folding folding = Folding::alike_chips, std::shared_ptr<IntervalMemory> memory = nullptr,
         std::int64_t most = most_intervals);

} // namespace meshslice
