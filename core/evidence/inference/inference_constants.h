#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/inference/inference_rows.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A fitted constant, and how sure it is.
struct InferenceFitted {
    double value = 1;
    double error = 0; ///< standard error, as a share

    bool operator==(const InferenceFitted&) const = default;
};

/// Constants of chips and engines that have rows, and those of all.
struct FittedInference {
    std::map<std::string, std::vector<InferenceFitted>, std::less<>> chips, engines;
    /// From InferenceConstant::dimension on: all, or those of static batches.
    std::vector<InferenceFitted> shared;
    std::map<std::string, std::int64_t, std::less<>> rows; ///< of a chip or an engine
    /// ln(predicted / measured) of each quantity of a row when its fold was left out, by "id/quantity".
    std::map<std::string, double, std::less<>> left_out;

    /// A chip without rows takes those of the chip that it is like, else the geometric mean of all; an engine
    /// without rows is as TensorRT-LLM 0.9.
    [[nodiscard]] bool serves() const; ///< has the constants that only serving has
    [[nodiscard]] InferenceValues values(const InferenceChip& chip, const std::string& engine) const;
};
[[nodiscard]] Tree values_of(const FittedInference& fitted);
[[nodiscard]] Result<FittedInference> read_fitted_inference(std::string_view json, const std::string& origin);
/// Of resources/measured/inference-constants.json, which `meshslice evidence inference --fit` writes.
[[nodiscard]] const FittedInference& fitted_inference();
/// Of resources/measured/serving-constants.json, which `meshslice evidence serving --fit` writes: the same
/// constants for the engines and kernels of today, and those that only serving has.
[[nodiscard]] const FittedInference& fitted_serving();

/// The name of one quantity of a row, in `left_out`.
[[nodiscard]] std::string key_of(const InferenceRow& row, InferenceQuantity quantity);

} // namespace meshslice
