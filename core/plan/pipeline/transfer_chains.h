#pragma once

#include "core/scenario/plan.h"

#include <cstdint>

namespace meshslice {

/// What a pipeline of stages that are alike sends, for a closed form of how long it takes. Boundaries are
/// those of stage k and k + 1, and of the last stage and the first where chunks are interleaved; `in_domain`
/// stages in a row share a fast domain, and what leaves one is `far`.
struct PipelineTransfers {
    PipelineKind order = PipelineKind::one_f_one_b;
    std::int64_t stages = 1;
    std::int64_t in_domain = 1;
    std::int64_t chunks = 1;
    double micro_batches = 1;
    double near = 0, far = 0; ///< seconds of one transfer

    /// Of the boundary after stage k; the last one's is that to the first.
    [[nodiscard]] double after(std::int64_t k) const;
    /// Boundaries between a first and a last stage that lie across two domains.
    [[nodiscard]] std::int64_t far_boundaries() const { return stages / in_domain - 1; }
    /// All transfers of one way through the stages.
    [[nodiscard]] double one_way() const;
    [[nodiscard]] double longest() const { return far_boundaries() > 0 && far > near ? far : near; }
};

/// Seconds that a step takes longer by its transfers, where a pass of a chunk takes so many seconds: `waits`,
/// which it takes where each link rests between two transfers, or more.
///
/// Passes of a stage and transfers of its link have a fixed order, so a step takes as long as the longest
/// chain in which each waits for the one before it. Some chains go over links that never rest: all transfers
/// of one stage; a pass, its transfer, the transfer that waits behind it, and back; one micro-batch through
/// chunk after chunk, while others wait for their turn on the link. This is the longest of those that are
/// known to matter: a simulation is hardly shorter, and a test says how much longer it can be. Of GPipe it is
/// exact.
[[nodiscard]] double exposed_transfers(const PipelineTransfers& sends, double forward, double backward,
                                       double waits);

} // namespace meshslice
