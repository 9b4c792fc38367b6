#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/training/training_amounts.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

using ChipValues = std::array<double, chip_constants>;

/// A fitted constant, and how sure it is.
struct FittedValue {
    double value = 0;
    double error = 0;      ///< standard error, as a share
    std::int64_t rows = 0; ///< that it was fitted on; 0: it is its family's

    bool operator==(const FittedValue&) const = default;
};
using FittedChip = std::array<FittedValue, chip_constants>;

/// Constants of chips, of families for what a chip has no rows for, and of stacks.
struct FittedTraining {
    std::map<std::string, FittedChip, std::less<>> chips;
    std::map<std::string, FittedChip, std::less<>> families; ///< "GPU" and "TPU"
    std::array<FittedValue, stack_constants> stack{};
    /// ln(predicted / measured) of each row, when its fold was left out, by its id.
    std::map<std::string, double> left_out;

    /// The chip's own, else its sibling's, else its family's.
    [[nodiscard]] const FittedValue& of(const TrainingChip& chip, ChipConstant constant) const;
    [[nodiscard]] TrainingEfficiencies efficiencies(const TrainingChip& chip) const;
};
/// Whether each chip has its own; else all chips of its family share one, as hosts are alike.
[[nodiscard]] bool of_chip(ChipConstant constant);

[[nodiscard]] Tree values_of(const FittedTraining& fitted);
[[nodiscard]] Result<FittedTraining> read_training_constants(std::string_view json,
                                                             const std::string& origin);
/// Of resources/measured/training-constants.json, which `meshslice evidence training --fit` writes.
[[nodiscard]] const FittedTraining& fitted_training();

/// The step of a row, in parts. Of one that can be predicted.
[[nodiscard]] StepSeconds predicted_step(const DecidedTraining& training, const FittedTraining& fitted);

} // namespace meshslice
