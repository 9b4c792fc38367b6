#pragma once

#include "core/scenario/plan/plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace meshslice {

/// Where the stages of a pipeline stand on the levels of a network. Boundaries are those of stage k and
/// k + 1, and of the last stage and the first where chunks are interleaved.
struct StageLevels {
    static constexpr std::size_t most = 1 + std::tuple_size_v<OuterPlacements> + 1;

    std::int64_t stages = 1;
    std::size_t levels = 1;
    /// In a row in one unit of each level but the last, from the inside out; each divides the next.
    std::array<std::int64_t, most - 1> within = {1, 1, 1};

    /// The level that the boundary after stage k crosses; the last one's is that to the first.
    [[nodiscard]] std::size_t level_after(std::int64_t k) const {
        std::size_t level = 0;
        while (level + 1 < levels && within[level] < stages && (k + 1) % within[level] == 0) {
            ++level;
        }
        return level;
    }
    /// Boundaries among `row` stages from the beginning of a unit on that cross this level or one around it.
    [[nodiscard]] std::int64_t from(std::size_t level, std::int64_t row) const {
        return level == 0 ? row - 1 : row / within[level - 1] - 1;
    }
    /// The same of all stages.
    [[nodiscard]] std::int64_t from(std::size_t level) const { return from(level, stages); }
    /// Those that cross this level alone.
    [[nodiscard]] std::int64_t across(std::size_t level) const {
        return from(level) - (level + 1 < levels ? from(level + 1) : 0);
    }

    bool operator==(const StageLevels&) const = default;
};
[[nodiscard]] StageLevels stage_levels(const Plan& plan, std::size_t levels);
/// Seconds of one transfer, by the level that it crosses.
using LevelSeconds = std::array<double, StageLevels::most>;

/// What a pipeline of stages that are alike sends, for a closed form of how long it takes.
struct PipelineTransfers {
    PipelineKind order = PipelineKind::one_f_one_b;
    StageLevels on;
    std::int64_t chunks = 1;
    double micro_batches = 1;
    LevelSeconds across{};

    /// Of the boundary after stage k; the last one's is that to the first.
    [[nodiscard]] double after(std::int64_t k) const { return across[on.level_after(k)]; }
    /// All transfers of one way through the stages.
    [[nodiscard]] double one_way() const;
    [[nodiscard]] double longest() const {
        double most = across[0];
        for (std::size_t level = 1; level < on.levels; ++level) {
            most = on.across(level) > 0 && across[level] > most ? across[level] : most;
        }
        return most;
    }
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
