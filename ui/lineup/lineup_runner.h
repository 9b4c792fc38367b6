#pragma once

#include "ui/lineup/lineup_data.h"

#include <QObject>
#include <QThreadPool>

#include <memory>

namespace meshslice::ui {

/// Computes line-ups off the UI thread, one at a time. A new request cancels the running one; requests are
/// numbered, and the answer to an older one than the newest is dropped, never shown as new.
class LineupRunner : public QObject {
    Q_OBJECT
  public:
    explicit LineupRunner(QObject* parent = nullptr);
    /// Cancels and waits, at most Runner::longest_wait_ms.
    ~LineupRunner() override;

    void request(const LineupRequest& request);
    /// Gives up the running request; nothing is answered.
    void cancel();
    [[nodiscard]] bool isBusy() const { return job_ != nullptr; }
    /// Computes in the calling thread and answers before it returns.
    void answerNow(const LineupRequest& request);

  signals:
    void finished(const meshslice::ui::LineupPtr& lineup);
    void failed(const QString& sentence);

  private:
    struct Job;
    using Outcome = Result<LineupPtr>;

    static Outcome compute(const Job& job);
    void take(const Job& job, const Outcome& outcome);
    std::shared_ptr<Job> next(const LineupRequest& request);

    std::unique_ptr<QThreadPool> pool_;
    std::shared_ptr<Job> job_; ///< the newest, while it runs
    std::uint64_t number_ = 0;
};

} // namespace meshslice::ui
