#pragma once

#include "core/cost/schedule.h"
#include "core/estimate/closed_form.h"
#include "core/estimate/condensed.h"
#include "core/machine/machine.h"
#include "core/program/dependencies.h"
#include "core/program/program.h"

#include <array>
#include <optional>
#include <vector>

namespace meshslice {

/// The longest side of a torus that is followed chip by chip: the work grows with its third power.
inline constexpr std::int32_t longest_side_followed = 64;

/// Whether no chip can stand for all of them: where rings are folded, every step is late at their ends, so
/// that chips that send and receive (Wang, 1D) drift apart, and skews (Cannon, 2.5D) are longest in other
/// rings on the way out than on the way home. Both together meet on no chip, so that adding them up is far
/// too much.
[[nodiscard]] bool differs_by_chip(const Program& program);

/// The time of a program of multiplications, shifts, streams and collectives, followed from operation to
/// operation on every chip. Every step of a shift waits for the chunk that it passes on, for its link and for
/// both its ends, and one across the missing link for its way home, hop by hop; a collective begins when its
/// last chip does. Who shares links with a way home is taken from the times without sharing, and then again
/// from the times with it: what runs at the same time has half a link.
[[nodiscard]] LoopTime loop_time_chip_by_chip(const CondensedProgram& condensed, const Machine& hardware,
                                              const Schedule& schedule, const std::vector<Dependency>& needs);

/// How many times as long what an engine works takes, because others use the memory meanwhile.
using Slower = std::array<double, engine_count>;

/// The same of a program that streams along both axes (see follows_streams). Nothing where it is found on the
/// way that this surely takes longer than `most`; what takes longer may still be found only at the end.
[[nodiscard]] std::optional<LoopTime> loop_time_of_streams(const CondensedProgram& condensed,
                                                           const Machine& hardware, const Schedule& schedule,
                                                           const std::vector<Dependency>& needs,
                                                           const Slower& slower, Time most);

} // namespace meshslice
