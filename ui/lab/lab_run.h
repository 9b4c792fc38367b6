#pragma once

#include "core/step/run/density.h"
#include "core/step/sharded_step.h"
#include "ui/lab/form/lab_question.h"
#include "ui/session/session.h"

#include <memory>

namespace meshslice::ui {

/// A plan of a question, to be simulated.
struct LabRunQuestion {
    LabQuestion question;
    ShardedPlan plan;

    bool operator==(const LabRunQuestion&) const = default;
};
/// The run of a plan, and the same from afar.
struct SimulatedPlan : ShardedStep {
    StepDensity density;
};
using LabRun = std::shared_ptr<const SimulatedPlan>;
[[nodiscard]] Result<LabRun> runOfPlan(const LabRunQuestion& asked, const RunControl& control);

/// A session of the lab's own: its results are a run of the lab, of the plan that is selected or of what is
/// stepped through, so that a timeline and a torus show it as they show any other. Nothing in it is edited,
/// and it runs nothing by itself.
class LabSession : public Session {
    Q_OBJECT
  public:
    LabSession(Document* document, QObject* parent) : Session(document, parent) {}

    void show(const StepRunPtr& run, const StepDensity& from_afar);
    void compute();
    void fail(const QString& sentence);

  private:
    std::uint64_t runs_ = 0;
};

} // namespace meshslice::ui
