#pragma once

#include "core/explain/why.h"
#include "ui/session/latest_job.h"
#include "ui/session/results.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <stop_token>
#include <vector>

namespace meshslice::ui {

/// Why the steps of some results take as long as they do.
struct Reasons {
    ResultsPtr results;
    std::vector<Result<StepWhy>> steps; ///< one for each, or the sentence that says why there is none

    /// Of a step, and of one of its GEMMs; null where there is none.
    [[nodiscard]] const StepWhy* of(std::size_t step) const;
    [[nodiscard]] const ProductWhy* of(std::size_t step, std::size_t gemm) const;
};
using ReasonsPtr = std::shared_ptr<const Reasons>;

/// Null when it was stopped.
[[nodiscard]] ReasonsPtr reasonsFor(const ResultsPtr& results, const RunControl& control = {});

/// Finds the reasons off the UI thread, after the results themselves have been painted. Where no two chips
/// are alike it takes longer than a picture may, and waits until the user has paused, so that the next run
/// has the cores to itself.
class Explainer : public QObject {
    Q_OBJECT
  public:
    /// Above this many intervals kept (some 30 ms of work) a pause comes first.
    static constexpr std::size_t quick_intervals = 500'000;
    static constexpr int pause_ms = 200;

    /// In milliseconds.
    [[nodiscard]] static int pauseBefore(const Results& results);

    explicit Explainer(QObject* parent = nullptr);

    void request(const ResultsPtr& results);
    void cancel();
    /// What computes, for tests that hold it at a gate.
    [[nodiscard]] LatestJob* job() { return &job_; }
    /// The share done, 0 to 1.
    [[nodiscard]] double progress() const { return job_.progress(); }
    [[nodiscard]] bool isBusy() const { return after_painting_.isActive() || job_.isBusy(); }

  signals:
    /// Null where they could not be found.
    void finished(const meshslice::ui::ReasonsPtr& reasons);

  private:
    QTimer after_painting_;
    ResultsPtr wanted_;
    LatestJob job_;
};

} // namespace meshslice::ui
