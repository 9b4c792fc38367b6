#pragma once

#include "core/simulate/record/usage.h"
#include "core/step/training_step.h"
#include "ui/session/latest_job.h"
#include "ui/session/results.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace meshslice::ui {

class Session;

/// What one variant comes to, in short.
struct VariantAnswer {
    Scenario scenario; ///< with nothing to compare
    QString refusal;   ///< why it does not run; the rest is then of no use
    Time time;
    Flop flop;
    Usage usage;
    double utilization = 0;
    bool fits = true;
    QString headline;
};

/// The answers of all variants of the project to the task: the step on the mesh, or the training run by its
/// loaded or best plan. Those that are on the screen come from the session, the others
/// are computed one after the other while the session has nothing to do, and kept as long as a variant has
/// their scenario.
class VariantAnswers : public QObject {
    Q_OBJECT
  public:
    explicit VariantAnswers(Session* session, QObject* parent = nullptr);

    /// Null while it is not known.
    [[nodiscard]] const VariantAnswer* of(const Scenario& scenario) const;
    [[nodiscard]] LatestJob* job() { return &job_; }

  signals:
    void changed();

  private:
    void follow();
    void take(VariantAnswer answer);
    void takeResults(const Results& results);
    /// Takes what the session knows of the task.
    void takeStep();
    void takePlans();
    [[nodiscard]] bool isPlanned() const;
    void forgetOthers();
    void computeNext();

    Session* session_;
    std::weak_ptr<const Results> taken_;
    bool planned_ = false; ///< what is known is of plans
    std::vector<VariantAnswer> known_;
    std::optional<Scenario> asked_;
    LatestJob job_; ///< last: it ends before what it touches
};

} // namespace meshslice::ui
