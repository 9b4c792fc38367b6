#pragma once

#include "core/base/run_control.h"
#include "core/papers/selene/measured_runs.h"
#include "core/papers/study.h"

#include <vector>

namespace meshslice {

/// "Reducing Activation Recomputation in Large Transformer Models": the measured steps and the memory.
[[nodiscard]] const Publication& selene_measurements();

/// What is reached of a chip and its fast domain.
struct FittedEfficiencies {
    double peak = 0;  ///< share of the peak, of matrices and of vectors
    double hbm = 0;   ///< bytes/s of HBM
    double links = 0; ///< share of the fast domain's bandwidth

    bool operator==(const FittedEfficiencies&) const = default;
};
[[nodiscard]] FittedEfficiencies efficiencies(const Machine& cluster);
[[nodiscard]] Machine with_efficiencies(const Machine& cluster, const FittedEfficiencies& reached);

/// Our eight steps next to the measured ones, and how far they are off.
struct StepDeviations {
    std::vector<ClaimOutcome> steps; ///< each model with full, then with selective recomputation
    double mean = 0, worst = 0;      ///< of the relative sizes of their deviations
};
[[nodiscard]] Result<StepDeviations> step_deviations(const Machine& cluster);

struct EfficiencyFit {
    Machine hardware; ///< with what was fitted
    StepDeviations own, fitted;
    int tries = 0;
};
/// Three numbers fitted to the eight steps, one set for all: the share of the peak, the bandwidth of HBM and
/// the share of the fast domain's bandwidth, all else as `start` has it. The least sum of mean and half the
/// worst deviation, from a grid and then one number at a time up and down by steps that halve, so the same
/// everywhere.
[[nodiscard]] Result<EfficiencyFit> fit_efficiencies(const Machine& start, const RunControl& control = {});

} // namespace meshslice
