#pragma once

#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/program/program.h"
#include "core/torus/faults.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace meshslice::parity {

/// Times that SimGrid's side gets as data, because no rule of its own makes them.
struct GivenTimes {
    /// By how much the `step`-th synchronization of a link is late. Where this is given, a synchronization is
    /// a flow of its own, over nothing that is shared, and what crosses the links has no latency.
    std::function<Time(const Link& link, std::uint64_t step)> late;

    /// Of an operation where chips are modelled tile by tile: what it moves in HBM.
    struct Tiled {
        Time compute;                ///< of a multiplication with the whole HBM to itself
        Bytes memory;                ///< that it moves in that time
        std::array<Bytes, 2> copied; ///< of slices: before the first launch, after the last step
        std::int64_t reads = 0;      ///< of every byte sent; each that arrives is written once
    };
    /// By operation; with it goes `late`. Empty: FLOP over the effective rate, or HBM bytes over its
    /// bandwidth where that counts and is longer.
    std::vector<Tiled> tiled;
};

/// What a simulator gets next to the program.
struct Settings {
    Machine hardware;
    Schedule schedule;
    Conditions conditions; ///< slow cores, slow links and dead links; jitter for ours alone
    GivenTimes given;      ///< for SimGrid's side alone
};

/// What is compared, in simulated seconds.
struct Outcome {
    double makespan = 0;
    /// Over the chips, operations and iterations: so that what is not on the critical path counts, too.
    double mean_completion = 0;
};

/// Runs the program on SimGrid's S4U (Casanova et al., JPDC 74(10), 2014), every chip by itself; none where
/// some actor waits for ever. It uses nothing of our own simulator: SimGrid keeps the time, brings senders
/// and receivers together and shares the links.
/// - A chip is a host for its core, as fast as the effective FLOP rate, and two ports for each axis. The
///   ports are hosts because SimGrid finds a route by its two ends alone: on a ring of two, both links of a
///   chip lead to the same neighbour.
/// - A link of the torus is a SimGrid link with the sync as its latency: from the rendezvous of sender and
///   receiver on, a step takes sync + bytes / link bandwidth. The route in place of a dead link is the rest
///   of the ring, the other way round; so is that in place of the link which a folded ring lacks.
/// - Where lateness is given, the ends of a link first meet, then agree for as long as all hops synchronize
///   and are late, then the chunk crosses. CM02 gives flows that share a link parts in inverse proportion to
///   their latencies, as TCP would; without a latency it gives all the same.
/// - Where chips are modelled tile by tile, the HBM is a SimGrid link. A GEMM goes over it as a flow held to
///   the rate that it has alone, the copy of each axis as a flow without a limit; a transfer goes over the
///   HBM where it is read (twice, where it is read twice), its links and the HBM where it is written, as one
///   flow. The forward port of an axis does its copies.
/// - The core and every port have an actor. The two ports of an axis are one engine: they launch together
///   and wait for each other before what comes next. Actors work in program order, each operation once its
///   dependencies have finished.
///
/// Once per process: SimGrid cannot be started a second time.
[[nodiscard]] std::optional<Outcome> outcome_on_simgrid(const Program& program, const Settings& settings);

} // namespace meshslice::parity
