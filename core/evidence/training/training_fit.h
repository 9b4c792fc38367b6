#pragma once

#include "core/base/run_control.h"
#include "core/evidence/training/training_constants.h"

#include <functional>
#include <vector>

namespace meshslice {

/// Fits all constants at once to rows that can be predicted, without anchors: Levenberg-Marquardt on
/// ln(predicted / measured), where deviations far above 6% weigh less, and all rows of a configuration
/// together as much as the root of their number. Each chip's constants are drawn to those of its family, and
/// these to where they begin, by normal priors; a chip with few rows therefore borrows from its neighbours.
[[nodiscard]] Result<FittedTraining> fit_training_constants(const std::vector<TrainingRow>& rows,
                                                            const RunControl& control);

/// ln(predicted / measured) of each row, by constants that were fitted without those of its part; 0 for a row
/// that cannot be predicted. Anchors are in no fit.
using TrainingPart = std::function<std::string(const TrainingRow&)>;
[[nodiscard]] Result<std::vector<double>> errors_without(const std::vector<TrainingRow>& rows,
                                                         const TrainingPart& part, const RunControl& control);
/// Five parts, by a hash of the group: the same on every machine.
[[nodiscard]] std::string fold_name(const TrainingRow& row);

} // namespace meshslice
