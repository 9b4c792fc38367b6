#pragma once

#include "core/base/result.h"
#include "tests/parity/simgrid_torus.h"

namespace meshslice::parity {

/// What the two may differ by, as a share. Our simulator rounds every step to the picosecond, so half of one
/// in about a microsecond; SimGrid counts in floating-point seconds. The largest seen, in 13,500 random
/// GEMMs, is 2.6e-7.
inline constexpr double most_deviation = 1e-6;

/// One program in both simulators.
struct Comparison {
    Outcome ours;
    Outcome simgrid;

    /// Of SimGrid's makespan from ours, as a share of ours.
    [[nodiscard]] double deviation() const { return simgrid.makespan / ours.makespan - 1; }
    /// The same of the mean completion.
    [[nodiscard]] double completion_deviation() const {
        return simgrid.mean_completion / ours.mean_completion - 1;
    }
    /// The larger of the two, whatever its sign.
    [[nodiscard]] double largest_deviation() const;
};

/// What SimGrid gets so that it runs the same: the settings and, as data, how late our simulator draws each
/// synchronization (also where links or memories are shared, though nothing is late) and, for chips modelled
/// tile by tile, how long each multiplication takes alone and what it, copies and links move in HBM.
[[nodiscard]] Settings told_the_same(const Program& program, const Settings& ours);

/// Each simulator has its own settings, so that a test can give them different ones and see that it shows.
/// Refuses what either simulator refuses.
[[nodiscard]] Result<Comparison> compare(const Program& program, const Settings& ours,
                                         const Settings& simgrid);

} // namespace meshslice::parity
