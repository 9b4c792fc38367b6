#pragma once

#include "core/evidence/expected_plan.h"
#include "core/evidence/profiled_step.h"
#include "core/evidence/step_fit.h"
#include "core/figure/table.h"
#include "core/plan/search/chosen_plan.h"
#include "ui/timeline/run_window.h"

#include <QDateTime>
#include <QString>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace meshslice::ui {

/// A file of a profiler, and what of it is looked at.
struct TraceRequest {
    QString path;
    std::optional<std::size_t> step; ///< from 1; none: all of them, or the last where `last`
    bool last = true;
    StepBegin begin = StepBegin::step;

    bool operator==(const TraceRequest&) const = default;
};

/// What was read of it.
struct MeasuredTrace {
    std::shared_ptr<const ProfiledStep> step; ///< never null
    std::optional<std::size_t> number;        ///< of the step; none: all
    RunPtr run;                               ///< never null
};

/// Reads traces, and keeps the last one as long as its file stays as it is. From any thread.
class TraceReadings {
  public:
    [[nodiscard]] Result<MeasuredTrace> read(const TraceRequest& request, const RunControl& control);

  private:
    [[nodiscard]] Result<std::shared_ptr<const DeviceTrace>> traceOf(const QString& path,
                                                                     const RunControl& control);

    std::mutex mutex_;
    QString path_;
    QDateTime written_;
    std::shared_ptr<const DeviceTrace> trace_;
};

/// What a plan says of a step.
struct PredictedTrace {
    Plan plan;
    PredictedParts parts;
    ExpectedStep expected;
    double arrays = 0;   ///< bytes of arrays that the fullest chip holds
    double capacity = 0; ///< bytes of a chip's HBM
    RunPtr run;          ///< whose bars open; null where it cannot be drawn
    std::string lacks;   ///< why it cannot
};
[[nodiscard]] Result<PredictedTrace> predictedTrace(const ChosenPlan& chosen, const RunControl& control);

/// A step to which the machine of a plan is fitted.
struct FitRequest {
    std::shared_ptr<const ProfiledStep> step;
    ChosenPlan plan;
    QString source; ///< "trace.json, step 2"

    bool operator==(const FitRequest&) const = default;
};
[[nodiscard]] Result<StepFit> fittedStep(const FitRequest& request, const RunControl& control);

/// The measured run above the predicted one, where there is one, on one axis of time. `device`: of it alone;
/// empty: of all.
[[nodiscard]] RunWindow tracesWindow(const MeasuredTrace& measured, const PredictedTrace* predicted,
                                     const std::string& device);
/// "Measured 1.42 s a step, predicted 1.21 s, 1.17x; the largest difference is in exposed communication."
[[nodiscard]] QString tracesFinding(const MeasuredTrace& measured, const PredictedTrace* predicted);
/// "Device 0 holds 61.3 GB at most; the plan predicts 58.2 GB of arrays." Of this device; empty: of the one
/// that holds most. Empty where the trace says nothing of its memory.
[[nodiscard]] QString memoryFinding(const MeasuredTrace& measured, const PredictedTrace* predicted,
                                    const std::string& device);
/// The parts of the step, a row each.
[[nodiscard]] Table tracesTable(const MeasuredTrace& measured, const PredictedTrace* predicted);

} // namespace meshslice::ui
