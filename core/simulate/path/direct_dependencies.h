#pragma once

#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/program/program.h"
#include "core/simulate/record/timeline.h"
#include "core/torus/faults.h"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace meshslice {

/// An interval in a row of a timeline, of any chip.
struct BarPlace {
    std::size_t row = 0;
    std::size_t index = 0;

    bool operator==(const BarPlace&) const = default;
};

/// What an interval of a run waited for itself, and what waited for it: on its own core or link, on its chip,
/// and on the neighbours that it gets from or sends to. What leaves no interval behind (the launch of a chip
/// that only receives, the moment at which a communication is over) is looked through.
struct DirectDependencies {
    std::vector<BarPlace> before; ///< the last to end first: it set the start of the interval
    std::vector<BarPlace> after;  ///< the first to start first

    bool operator==(const DirectDependencies&) const = default;
};

/// Of a run that simulate() recorded of this program under these conditions. Takes time and memory in
/// proportion to the intervals stored; nothing is found if it is stopped.
[[nodiscard]] DirectDependencies direct_dependencies(const Program& program, const Machine& hardware,
                                                     const Schedule& schedule, const Conditions& conditions,
                                                     const Timeline& timeline, BarPlace bar,
                                                     const std::stop_token& stop = {});

} // namespace meshslice
