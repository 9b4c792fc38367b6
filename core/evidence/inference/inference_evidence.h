#pragma once

#include "core/evidence/inference/inference_constants.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// One quantity of a row next to what we say of it.
struct PredictedInference {
    const InferenceRow* row = nullptr;
    InferenceQuantity quantity = InferenceQuantity::ttft;
    double predicted = 0;     ///< 0 where the row has a reason
    double low = 0, high = 0; ///< eight of ten measured rows lie between
    double measured = 0;      ///< 0: not said

    std::vector<const InferenceRow*> nearest; ///< shipped rows that say this quantity, of other groups

    [[nodiscard]] bool scored() const { return predicted > 0 && measured > 0; }
    [[nodiscard]] double error() const { return predicted / measured - 1; }
    [[nodiscard]] bool inside() const { return measured >= low && measured <= high; }
};

/// One entry for each quantity that a row says; of a row that says none, all that the law says. An interval
/// for each from how far the nearest shipped rows of other groups were off when they were left out of the
/// fit (split conformal prediction, by distance in chip, engine, model, numbers, batch, tokens and split).
[[nodiscard]] std::vector<PredictedInference> predicted_inference(const FittedInference& fitted,
                                                                  const std::vector<InferenceRow>& shipped,
                                                                  const std::vector<InferenceRow>& asked);
/// Eight of ten measured rows lie between, as shares of what is predicted.
struct InferenceBand {
    double low = 1, high = 1;
};
/// Of a chip without rows: by how far rows of each chip are off when its own constants are taken from the
/// others. In a steady state where requests come one by one. 1 where no row says the quantity.
[[nodiscard]] InferenceBand band_on_other_chips(const FittedInference& fitted,
                                                const std::vector<InferenceRow>& shipped,
                                                InferenceQuantity quantity);

/// The same of shipped rows by errors that were made elsewhere, by "id/quantity".
[[nodiscard]] std::vector<PredictedInference>
left_out_inference(const FittedInference& fitted, const std::vector<InferenceRow>& shipped,
                   const std::map<std::string, double, std::less<>>& errors);

/// How far predictions are off; shares of what was measured.
struct InferenceSummary {
    InferenceQuantity quantity = InferenceQuantity::ttft;
    std::string by, name; ///< "hardware" and "H100-SXM-80G"; empty: all
    std::int64_t rows = 0, predicted = 0;
    double mean = 0, median = 0, ninetieth = 0, worst = 0;
    double inside_band = 0;

    [[nodiscard]] double coverage() const {
        return rows == 0 ? 0 : static_cast<double>(predicted) / static_cast<double>(rows);
    }
};
/// By quantity: of all static batches or aggregated points, of them by trust, hardware, model and engine, and
/// of all by load, of logs by run. Rows of trust C do not count as asked; those that are predicted have a
/// part of their own.
[[nodiscard]] std::vector<InferenceSummary> inference_summaries(const std::vector<PredictedInference>& rows);

} // namespace meshslice
