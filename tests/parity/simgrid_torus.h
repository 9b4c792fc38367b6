#pragma once

#include "core/hardware/hardware.h"
#include "core/program/program.h"
#include "core/program/schedule.h"
#include "core/torus/faults.h"

#include <optional>

namespace meshslice::parity {

/// What a simulator is told beside the program.
struct Settings {
    Hardware hardware;
    Schedule schedule;
    Conditions conditions; ///< slow cores, slow links and dead links; SimGrid's side knows no jitter
};

/// What is compared, in simulated seconds.
struct Outcome {
    double makespan = 0;
    /// Over the chips, operations and iterations: so that what is not on the critical path counts, too.
    double mean_completion = 0;
};

/// Runs the program on SimGrid's S4U (Casanova et al., JPDC 74(10), 2014), every chip by itself; none where
/// some actor waits for ever. Of our own simulator it uses nothing: SimGrid keeps the time, brings senders
/// and receivers together and shares the links.
/// - A chip is a host for its core, as fast as the effective FLOP rate, and two ports for each axis. The
///   ports are hosts because SimGrid finds a route by its two ends alone: on a ring of two, both links of a
///   chip lead to the same neighbour.
/// - A link of the torus is a SimGrid link with the sync as its latency: from the rendezvous of sender and
///   receiver on, a step takes sync + bytes / link bandwidth. The route in place of a dead link is the rest
///   of the ring, the other way round.
/// - The core and every port have an actor. The two ports of an axis are one engine: they launch together
///   and wait for each other before what comes next. Actors work in program order, each operation once its
///   dependencies have finished.
///
/// Once per process: SimGrid cannot be started afresh.
[[nodiscard]] std::optional<Outcome> outcome_on_simgrid(const Program& program, const Settings& settings);

} // namespace meshslice::parity
