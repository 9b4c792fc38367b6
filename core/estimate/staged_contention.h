#pragma once

#include "core/base/quantity.h"
#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/program/program.h"

namespace meshslice {

/// What GEMMs that are made in stages and the collectives next to them do to each other.
struct Contention {
    Time each_turn;  ///< of the loop but one: longer than its steady state without it
    Time at_the_end; ///< below 0 where tiles leave before a chunk is made
    Time hidden;     ///< of collectives that GEMMs feed, by these GEMMs, at most
};

/// By the closed forms of fused_time(). A GEMM in a loop also shares its memory with the links of collectives
/// that no GEMM feeds, here as if they took the same part of it all the time: `steady` is a turn of the loop
/// without any of this. Nothing where GEMMs are not made in stages.
[[nodiscard]] Contention staged_contention(const Program& program, Time steady, const Machine& hardware,
                                           const Schedule& schedule);

} // namespace meshslice
