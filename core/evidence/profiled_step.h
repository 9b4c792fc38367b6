#pragma once

#include "core/import/trace_use.h"
#include "core/plan/search/plan_search.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// Where the time axis of a measured step begins.
enum class StepBegin : std::uint8_t {
    step,      ///< where the step does
    first_gemm ///< at its first multiplication
};

/// A measured step, or the mean of all that a trace has: what its devices did.
struct ProfiledStep {
    std::shared_ptr<const DeviceTrace> trace; ///< never null
    Stretch stretch;                          ///< that is looked at
    std::size_t steps = 0;                    ///< of the loop in it; 0: the trace names none
    std::vector<DeviceUse> devices;
    DeviceUse whole; ///< on average over the devices
    std::vector<KernelUse> kernels;

    /// Of a sum over the stretch, what a step has of it.
    [[nodiscard]] double a_step(double sum) const { return sum / static_cast<double>(steps > 0 ? steps : 1); }
    /// The stretch as a run, from there on.
    [[nodiscard]] RunPtr run(StepBegin begin, std::string title) const;
};

/// `step`: that one alone, counted from 1. Refuses a step that the trace does not name, and a stretch without
/// an event of an accelerator. `origin` names the file, `called` what says the step.
[[nodiscard]] Result<ProfiledStep> profiled_step(std::shared_ptr<const DeviceTrace> trace,
                                                 std::optional<std::size_t> step, const std::string& origin,
                                                 const std::string& called);

/// What a plan says of one step, in the parts that a trace shows; seconds, together `seconds`.
struct PredictedParts {
    double seconds = 0;
    double multiply = 0;  ///< GEMMs, the output head's too
    double attention = 0; ///< both products and the softmax
    double other = 0;     ///< norms, activations, the optimizer's step
    double exposed = 0;   ///< communication that nothing hides
    double idle = 0;      ///< the bubble of the pipeline

    [[nodiscard]] double kernels() const { return multiply + attention + other; }
};
/// The plan's time for compute and memory, by the shares of the block's tasks, what is computed again
/// included.
[[nodiscard]] PredictedParts predicted_parts(const PlanModel& model, const RankedPlan& plan);

/// A part of a step, as measured and as predicted; seconds.
struct ComparedPart {
    std::string name;
    double measured = 0, predicted = 0;
};
/// The step, then its parts.
[[nodiscard]] std::vector<ComparedPart> compared_parts(const ProfiledStep& measured,
                                                       const PredictedParts& predicted);

} // namespace meshslice
