#pragma once

#include "core/base/run_control.h"
#include "core/evidence/inference/inference_constants.h"

#include <functional>
#include <string>
#include <vector>

namespace meshslice {

enum class InferenceFitKind : std::uint8_t { static_batches, serving };

/// Fits all constants at once to rows that can be predicted: Levenberg-Marquardt on ln(predicted / measured).
/// Large deviations weigh less. Every constant is drawn to its beginning by a normal prior.
/// Static batches: TTFT, TPOT and memory, and the whole time where a row says nothing else.
/// Serving: TPOT, and TTFT with a tenth of its weight, by steady_results times what the simulation made of
/// it, which is looked at again a few times. Chips begin at their constants of static batches. Of logs, the
/// means of TPOT and of the logarithm of TTFT count, and a chip that has nothing else moves three constants.
/// `start`: a fit of more rows, from which this one begins.
[[nodiscard]] Result<FittedInference>
fit_inference_constants(const std::vector<InferenceRow>& rows, const RunControl& control,
                        InferenceFitKind kind = InferenceFitKind::static_batches,
                        const FittedInference* start = nullptr);

/// What the shipped rows are without, one after the other.
using LeftOutPart = std::function<std::string(const InferenceRow&)>;
[[nodiscard]] std::string fold_part(const InferenceRow& row); ///< one of five folds of groups

/// ln(predicted / measured) of each quantity of each row, by constants that were fitted without its part; by
/// "id/quantity".
[[nodiscard]] Result<std::map<std::string, double, std::less<>>>
left_out_errors(const std::vector<InferenceRow>& rows, const LeftOutPart& part, const RunControl& control,
                InferenceFitKind kind = InferenceFitKind::static_batches,
                const FittedInference* start = nullptr);

} // namespace meshslice
