#pragma once

#include "core/evidence/achieved_step.h"
#include "core/evidence/training/training_rows.h"

namespace meshslice {

/// Parameters, of a whole layer and of the model's ends.
struct TrainingWeights {
    double attention = 0, feed_forward = 0;
    double experts = 0, shared_expert = 0; ///< of a layer that has them
    double ends = 0;                       ///< embedding and output head, once where they are one
};
[[nodiscard]] TrainingWeights weights_of(const TrainingRow& row);
/// Those of its adapters, next to the matrices of attention and feed-forward network.
[[nodiscard]] TrainingWeights adapters_of(const TrainingRow& row);

/// A row with all that it leaves open decided, the same way for all rows: what is computed again is the least
/// that fits, the micro-batch of a run without pipeline the largest of 4, 2 and 1 that fits without, and
/// experts are cut by tensor parallelism only where nothing fits otherwise.
struct DecidedTraining {
    TrainingRow row;
    TrainedAgain again = TrainedAgain::none;
    double experts_cut = 1;
    double memory = 0; ///< bytes of the fullest chip
};
[[nodiscard]] DecidedTraining decided(const TrainingRow& row);

/// Bytes of the fullest chip.
struct TrainingMemory {
    double state = 0;   ///< weights, gradients and optimizer state
    double kept = 0;    ///< by the layers, of all micro-batches in flight
    double logits = 0;  ///< in fp32
    double reserve = 0; ///< what contexts, collectives and fragments take

    [[nodiscard]] double total() const { return state + kept + logits + reserve; }
};
[[nodiscard]] TrainingMemory training_memory_parts(const TrainingRow& row, TrainedAgain again,
                                                   double experts_cut);
[[nodiscard]] inline double training_memory(const TrainingRow& row, TrainedAgain again, double experts_cut) {
    return training_memory_parts(row, again, experts_cut).total();
}

/// The parts of its step, at the rates of the data sheet. Of a row that can be predicted.
[[nodiscard]] StepAmounts amounts_of(const DecidedTraining& training);

/// FLOP of a step and chip as the row's source counts them.
[[nodiscard]] double counted_flop(const TrainingRow& row);
/// The row's quantity of a step of so many seconds, and the other way round.
[[nodiscard]] double quantity_of(const TrainingRow& row, double step_s);
[[nodiscard]] double measured_step(const TrainingRow& row);

} // namespace meshslice
