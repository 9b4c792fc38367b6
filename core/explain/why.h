#pragma once

#include "core/base/result.h"
#include "core/explain/recorded_run.h"
#include "core/explain/remedies.h"
#include "core/explain/slicing_cost.h"
#include "core/simulate/path/critical_path.h"
#include "core/step/training_step.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// By resource: its share of the critical path.
using PathShares = std::array<double, resource_count>;

/// A run that differs by less than this part of its time is not worth a sentence.
inline constexpr double worth_telling = 0.02;

/// A slow or dead part on the critical path, with what goes round by it or because of it.
/// It bounds the run where its repair saves more than any part twice as fast would, of which that of its own
/// kind, the links of its axis or all cores, counts half: those are several parts.
struct FaultOnPath {
    std::string part; ///< "chip 3,5  east link"
    Part kind;        ///< of the parts of all chips the one that it is of: compute, or the links of an axis
    double speed = 1; ///< share of the healthy one that is left; 0: dead
    Time time;        ///< on the path
    Time saves;       ///< by its repair alone, simulated

    bool operator==(const FaultOnPath&) const = default;
};

/// What bounds a run: jitter, one fault, all of them together, or a part that all chips have.
struct Bound {
    Bottleneck bottleneck;            ///< by simulation with faults, and where GEMMs are made in stages
    std::optional<FaultOnPath> fault; ///< the one that bounds it
    bool faults_together = false;     ///< no single one bounds it, all of them do
    bool jitter = false;              ///< what ends late at random bounds it, more than any fault
    std::optional<Time> healthy;      ///< simulated without faults and jitter; none where it ran without
    std::optional<Time> repaired;     ///< the same with jitter, but no slow or dead part
    std::optional<Time> steady;       ///< the same with the slow and dead parts, but no jitter
};

/// Why one GEMM takes as long as it does. Times are of one copy.
struct ProductWhy : Bound {
    /// GEMMs that are the same program share it. Without events where GEMMs are made in stages: what waits
    /// for what is not followed there, and faults are tried whether or not a path leads over them.
    std::shared_ptr<const CriticalPath> path;
    PathShares shares{};
    std::vector<FaultOnPath> repairs; ///< that were tried: of the faults with most of the path
    Remedies remedies;
    std::optional<SlicingCost> slicing; ///< where slices cost the core anything
    /// Where GEMMs are made in stages: simulated with a memory in which nothing holds up anything else. None
    /// where that is the memory it has, or with faults.
    std::optional<Time> uncontended;
};

/// Why a training step does: its GEMMs one after the other, all copies. What bounds it bounds the GEMMs
/// together.
struct StepWhy : Bound {
    std::vector<ProductWhy> products;
    PhaseTimes times; ///< summed over the GEMMs
    PhaseTimes exposed;
    PathShares shares{};
    Time slicing_cost;                ///< of all GEMMs
    std::optional<Time> uncontended;  ///< of all GEMMs, as of one
    std::optional<SlowerPart> slower; ///< of all GEMMs, on one machine
};

/// Of a step that training_step() simulated for this scenario. Refused where it was only estimated, for a
/// closed form has no events, and where a GEMM keeps more than `most_explained_intervals`. Stops when asked
/// to. On all cores: several GEMMs at a time, or of one several experiments. A step with faults is simulated
/// again: without them, so that like is compared with like, without jitter or slow and dead parts alone, and
/// with each part of the machine twice as fast, to find what bounds it. `progress` is set to the share that
/// is done, 0 to 1.
[[nodiscard]] Result<StepWhy> why(const TrainingStep& step, const Scenario& scenario,
                                  const std::stop_token& stop = {}, std::atomic<double>* progress = nullptr);

} // namespace meshslice
