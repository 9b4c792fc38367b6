#pragma once

#include "core/evidence/training/training_constants.h"
#include "core/evidence/training/training_rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What two runs have to share for errors of their expected times to be alike.
struct StepKind {
    std::string model, chip, numbers; ///< "llama3-70b", "H100-SXM-80G", "BF16"
    TrainingStack stack = TrainingStack::megatron;
    bool adapters = false;
    double nearest = 0; ///< how unlike the nearest measured run is; 1 is another stack

    bool operator==(const StepKind&) const = default;
};
[[nodiscard]] StepKind kind_of(const TrainingRow& row);

/// How far the ratio of two expected times is off. Errors that both share, as those of a chip and of a model,
/// are not in it.
struct StepRatio {
    double half = 0;  ///< of ln(ratio): in eight of ten measured pairs it is off by no more
    double wider = 1; ///< so many times what pairs show, as the nearest measured run is not just like them
    std::int64_t pairs = 0, groups = 0;
    bool model = false, chip = false, numbers = false, software = false; ///< whether pairs share it

    /// The smallest factor between two times that eight of ten pairs would confirm.
    [[nodiscard]] double least_times() const;
    bool operator==(const StepRatio&) const = default;
};

/// |The difference of the errors| of pairs of rows, when their folds were left out of the fit. A pair shares
/// of model, chip and numbers what A and B share, and differs in the others. Both rows are of one software
/// and trained alike (all weights, packed samples, adapters), but not of one configuration. Of two stacks:
/// pairs of these. Pairs that share the same are a group, which counts by its rows and not by its many pairs.
/// None where there are fewer than ten groups, A or B alone trains adapters, or the models are not known.
/// Wider, as an interval of one time is, where measured runs are unlike them.
[[nodiscard]] std::optional<StepRatio> step_ratio(const StepKind& a, const StepKind& b);
/// The same by these rows and errors.
[[nodiscard]] std::optional<StepRatio> step_ratio(const FittedTraining& fitted,
                                                  const std::vector<TrainingRow>& shipped, const StepKind& a,
                                                  const StepKind& b);

} // namespace meshslice
