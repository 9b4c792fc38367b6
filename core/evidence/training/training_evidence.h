#pragma once

#include "core/evidence/training/training_constants.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// A measured run next to an answer.
struct NearTraining {
    const TrainingRow* row = nullptr;
    double distance = 0;
    double log_error = 0; ///< ln(predicted / measured), when its fold was left out
};

/// What we say of a row, next to what was measured.
struct PredictedTraining {
    DecidedTraining training;
    StepSeconds step;                        ///< no total where the row has a reason
    double predicted = 0, low = 0, high = 0; ///< of its quantity: eight of ten lie between
    /// Measured runs that train the same, adapters or all weights, first; the nearest first; each once.
    std::vector<NearTraining> nearest;
    double distance = 0; ///< of the nearest; 1 is another stack

    [[nodiscard]] const TrainingRow& row() const { return training.row; }
    [[nodiscard]] bool scored() const { return predicted > 0 && row().measured > 0; }
    [[nodiscard]] double error() const { return predicted / row().measured - 1; }
    [[nodiscard]] bool inside() const { return row().measured >= low && row().measured <= high; }
};

/// Half of an interval where the nearest measured run is so unlike: distances as PredictedTraining has them.
[[nodiscard]] double widened(double half, double distance);

/// An interval for each row from how far the nearest shipped rows were off when they were left out of the fit
/// (split conformal prediction, by distance in chip, stack, numbers, size and split). Rows of its own group
/// do not count.
[[nodiscard]] std::vector<PredictedTraining> predicted_training(const FittedTraining& fitted,
                                                                const std::vector<TrainingRow>& shipped,
                                                                const std::vector<TrainingRow>& asked);
/// The same by errors that were made elsewhere: ln(predicted / measured) of each asked row.
[[nodiscard]] std::vector<PredictedTraining> left_out_training(const FittedTraining& fitted,
                                                               const std::vector<TrainingRow>& shipped,
                                                               const std::vector<TrainingRow>& asked,
                                                               const std::vector<double>& log_errors);

/// How unlike each row is to the nearest shipped one of another configuration whose error is known; infinity
/// where there is none.
[[nodiscard]] std::vector<double> distances_to_nearest(const FittedTraining& fitted,
                                                       const std::vector<TrainingRow>& shipped,
                                                       const std::vector<const TrainingRow*>& asked);

/// The shipped rows that can be predicted and that are not doubtful, each by constants that were fitted
/// without its configuration; those of runs that are in no fit by all.
[[nodiscard]] const std::vector<PredictedTraining>& left_out_training();
/// Seconds of a step, of what is predicted of a row with a quantity.
[[nodiscard]] double predicted_seconds(const PredictedTraining& one);
/// How far a prediction is off in the time of a step; a share of what was measured.
[[nodiscard]] double step_error(const PredictedTraining& one);

/// How far predictions are off; shares of what was measured.
struct TrainingSummary {
    std::string by, name;   ///< "hardware" and "H100-SXM-80G"; empty: all
    std::string model_kind; ///< "dense", "experts", "anchors"
    std::int64_t rows = 0, predicted = 0;
    double mean = 0, median = 0, ninetieth = 0, worst = 0;
    double floor = 0; ///< mean error of the best single value for each configuration
    double inside_band = 0;

    [[nodiscard]] double coverage() const {
        return rows == 0 ? 0 : static_cast<double>(predicted) / static_cast<double>(rows);
    }
};
/// Of dense models, experts and anchors, then each by hardware and by framework. Doubtful rows and those
/// without a quantity do not count as asked.
[[nodiscard]] std::vector<TrainingSummary> training_summaries(const std::vector<PredictedTraining>& rows);

} // namespace meshslice
