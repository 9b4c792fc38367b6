#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/count/count.h"
#include "core/estimate/estimate.h"
#include "core/model/gemm.h"
#include "core/scenario/scenario.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// One product of a training step, with every reading of it. Count, estimate, usage and timeline are of one
/// copy (one expert); `time` and `estimated()` are of all copies.
struct GemmResult {
    Gemm gemm;
    std::int64_t slices = 1;
    std::int64_t packets = 0;       ///< of streams, at most; 0 where the algorithm has none
    std::optional<Axis> decomposed; ///< the axis whose collective is taken apart; none where none is
    Program program;
    Count count;
    Estimate estimate;
    Time start; ///< when it begins in the step: the products run one after the other
    Time time;  ///< simulated (all copies); the estimate where nothing was simulated
    Usage usage;
    std::shared_ptr<const Timeline> timeline; ///< none where nothing was simulated

    [[nodiscard]] Time estimated() const { return estimate.total * gemm.copies; }
    /// "FF1 forward", or the dataflow and shape of a product on its own.
    [[nodiscard]] std::string title() const;
};

/// One transformer block's training step: four fully connected layers x three passes, or one product on its
/// own.
struct TrainingStep {
    std::string algorithm; ///< id
    std::vector<GemmResult> gemms;
    std::int32_t chips = 1;
    Faults faults;          ///< that it was simulated with; none where it was only estimated
    Time time;              ///< simulated
    Time estimated;         ///< by closed form
    Flop flop;              ///< of all chips together
    Usage usage;            ///< summed over the products
    double utilisation = 0; ///< FLOP / (chips x peak x time); the paper's FLOP utilisation, section 5.1.1
    double estimated_utilisation = 0; ///< the same with the estimated time

    /// The share of communication that runs while the core multiplies; 1 without communication.
    [[nodiscard]] double hidden_share() const;
};

/// Which readings to make: estimates alone are instant, simulation records every link.
enum class Depth : std::uint8_t { estimate, simulate };

/// Runs the scenario's training step with `algorithm` (an id; the scenario's own or the one to compare with).
/// Products are simulated on `threads` threads (0: one per core); the result does not depend on how many.
[[nodiscard]] Result<TrainingStep> training_step(const Scenario& scenario, const std::string& algorithm,
                                                 Depth depth, const RunControl& control = {},
                                                 unsigned threads = 0);

} // namespace meshslice
