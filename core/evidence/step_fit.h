#pragma once

#include "core/base/run_control.h"
#include "core/evidence/profiled_step.h"
#include "core/plan/search/plan_question.h"

#include <string>
#include <vector>

namespace meshslice {

/// A constant of a machine that was fitted to a part of a measured step.
struct StepConstant {
    std::string part; ///< "multiplication"
    std::string name; ///< "effective fraction"
    std::string before, after;
    bool at_limit = false; ///< no allowed value makes the part as short as it was measured
};
/// A machine whose efficiencies make the prediction of a step what was measured.
struct StepFit {
    Machine machine;
    std::vector<StepConstant> constants; ///< none where no part could be fitted
    PredictedParts before, after;
    std::vector<std::string> left; ///< sentences about what no constant was fitted to

    /// Predicted over measured, less 1.
    [[nodiscard]] static double error(const ProfiledStep& measured, const PredictedParts& predicted) {
        return predicted.seconds / measured.a_step(measured.whole.seconds) - 1;
    }
};

/// Fits, one part after the other until none changes: the share of the peak that GEMMs reach to the time of
/// multiplication, that of attention to its time, the memory's bandwidth to other kernels, and what a large
/// transfer reaches of the links to exposed communication (of switches their efficiency, of a torus the
/// links' bandwidth; all levels alike). No rate goes above what the machine's preset has, no share above 1.
/// `source` is what the fitted constants are from. Refuses a trace that is itself a prediction, and what no
/// plan model is made for.
[[nodiscard]] Result<StepFit> fit_to_step(const ProfiledStep& measured, const PlanQuestion& question,
                                          const Plan& plan, const std::string& source,
                                          const RunControl& control = {});

} // namespace meshslice
