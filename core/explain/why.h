#pragma once

#include "core/base/result.h"
#include "core/explain/remedies.h"
#include "core/simulate/path/critical_path.h"
#include "core/step/training_step.h"

#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// What a run, or several one after the other, cannot be shorter than, and by how much others could take
/// longer.
struct Bound {
    /// The resource that has most of the critical path in the steady state (where there is none: at all);
    /// none where no resource has `lone_share` of it, so that several take turns.
    std::optional<Place> place;
    /// By resource: its share of the whole critical path.
    std::array<double, resource_count> shares{};

    bool operator==(const Bound&) const = default;
};
/// A resource with less of the steady state than this does not set the pace alone.
inline constexpr double lone_share = 0.75;
/// A run that differs by less than this part of its time is not worth a sentence.
inline constexpr double worth_telling = 0.02;

/// The slow or dead part that has most of the critical path, with what goes round by it or because of it.
struct FaultOnPath {
    std::string part; ///< "chip 3,5  east link"
    double speed = 1; ///< share of the healthy one that is left; 0: dead
    Time time;        ///< on the path

    bool operator==(const FaultOnPath&) const = default;
};

/// Why one product takes as long as it does. Times are of one copy.
struct ProductWhy {
    std::shared_ptr<const CriticalPath> path; ///< products that are the same program share it
    Bound bound;
    std::optional<FaultOnPath> fault; ///< that bounds it
    std::optional<Time> healthy;      ///< simulated without faults; none where it was run without any
    Remedies remedies;
};

/// Why a training step does: its products one after the other, all copies.
struct StepWhy {
    std::vector<ProductWhy> products;
    PhaseTimes times; ///< summed over the products
    PhaseTimes exposed;
    Bound bound;
    std::optional<FaultOnPath> fault; ///< that bounds most of the products
    std::optional<Time> healthy;      ///< as in the products, all copies
};

/// Runs that keep more intervals (some 75 bytes each while one looks, 1.5 GB) are not looked into.
inline constexpr std::size_t most_explained_intervals = 20'000'000;

/// Of a step that training_step() simulated for this scenario. Refused where it was only estimated, for a
/// closed form has no events, and where a product keeps more than `most_explained_intervals`. Stops between
/// two products when asked to. A step with faults is simulated again without, so that like is compared with
/// like: chips of a healthy machine are alike, and one of each class is soon run.
[[nodiscard]] Result<StepWhy> why(const TrainingStep& step, const Scenario& scenario,
                                  const std::stop_token& stop = {});

} // namespace meshslice
