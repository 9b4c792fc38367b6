#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/program/program.h"

#include <array>

namespace meshslice {

/// The cost of communication on a cluster whose axes and collectives differ, which Machine, with one link
/// bandwidth for all, does not hold: t = launch + (P - 1) (sync + bytes / bandwidth) with a bandwidth per
/// kind of operation and axis (MeshSlice paper, section 3.2.2), whole shards travelling one way round the
/// ring.
struct ClusterConstants {
    FlopRate peak;                                   ///< of one chip
    FlopRate effective;                              ///< that a large GEMM reaches
    Time sync;                                       ///< per step of a ring
    std::array<Time, all_collectives.size()> launch; ///< by Collective
    /// By Collective and by axis: vertical, horizontal.
    std::array<std::array<Bandwidth, 2>, all_collectives.size()> bandwidth;
};

/// A Google Cloud slice of 4x4 TPU v4, whose links work one way: as the authors' released autotuner has it
/// (github.com/hwnam831/meshslice). Table 3 was measured on such a slice.
[[nodiscard]] const ClusterConstants& published_cluster();

/// What one run of a program takes on such a cluster.
struct ClusterTimes {
    Time in_turn; ///< one operation after the other: collectives that do not overlap multiplications
    Time
        overlapped; ///< prologue + (S - 1) x steady + epilogue, the steady state the maximum of core and axes
};
/// Refuses programs that communicate otherwise than by all-gather, reduce-scatter and SendRecv, or on a third
/// axis.
[[nodiscard]] Result<ClusterTimes> cluster_times(const Program& program, const ClusterConstants& constants);

} // namespace meshslice
