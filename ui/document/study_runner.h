#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <cstdint>
#include <functional>
#include <memory>

namespace meshslice::ui {

/// Computes a view's own study off the UI thread, one at a time. A new request cancels the running one;
/// requests are numbered, and the answer to an older one than the newest is dropped, never shown as new.
class StudyRunner : public QObject {
    Q_OBJECT
  public:
    /// Hands the answer over, in the thread that asked.
    using Deliver = std::function<void()>;
    /// Runs beside the UI thread and touches nothing of it; `number` is the request's, ascending.
    using Study = std::function<Result<Deliver>(std::uint64_t number, const RunControl& control)>;

    explicit StudyRunner(QObject* parent = nullptr);
    /// Cancels and waits, at most Runner::longest_wait_ms.
    ~StudyRunner() override;

    void request(const Study& study);
    /// Gives up the running request; nothing is answered.
    void cancel();
    [[nodiscard]] bool isBusy() const { return job_ != nullptr; }
    /// How much of the running request is done, 0 to 1.
    [[nodiscard]] double progress() const;
    /// Computes in the calling thread and answers before it returns.
    void answerNow(const Study& study);

  signals:
    void failed(const QString& sentence);

  private:
    struct Job;

    static Result<Deliver> compute(Job& job);
    void take(const Job& job, const Result<Deliver>& outcome);
    std::shared_ptr<Job> next(const Study& study);

    std::unique_ptr<QThreadPool> pool_;
    std::shared_ptr<Job> job_; ///< the newest, while it runs
    std::uint64_t number_ = 0;
};

} // namespace meshslice::ui
