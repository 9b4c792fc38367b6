#pragma once

#include "core/base/result.h"
#include "tests/parity/simgrid_torus.h"

namespace meshslice::parity {

struct SimGridRun {
    Outcome outcome;
    double wall_clock = 0; ///< seconds that SimGrid took for it: platform, actors and run
};

/// Runs the program on SimGrid in a process of its own, forked from this one: SimGrid has one engine and
/// keeps what it knows in globals, and its authors ask for a new process for every simulation. As the caller
/// never touches SimGrid itself, every run starts with a fresh one. The caller must have no other thread.
/// Refuses when SimGrid does not reach the end.
[[nodiscard]] Result<SimGridRun> run_on_simgrid(const Program& program, const Settings& settings);

} // namespace meshslice::parity
