#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>

namespace meshslice::ui {

/// Work off the UI thread, one piece at a time, of which only the newest counts: starting another cancels the
/// running one, and what an older one answers is dropped, never shown as new.
class LatestJob : public QObject {
    Q_OBJECT
  public:
    /// Tells the answer, in the UI thread.
    using Tell = std::function<void()>;
    /// Computes in another thread; throws nothing (see withoutExceptions).
    using Work = std::function<Tell(const RunControl&)>;

    explicit LatestJob(QObject* parent = nullptr);
    /// Cancels and waits, at most Runner::longest_wait_ms.
    ~LatestJob() override;

    void start(Work work);
    /// Computes in the calling thread and tells before it returns.
    void runNow(const Work& work);
    /// Gives up the running work; nothing is told.
    void cancel();
    [[nodiscard]] bool isBusy() const { return job_ != nullptr; }
    /// How much of the running work is done, 0 to 1, where it says so.
    [[nodiscard]] double progress() const;

  private:
    struct Job;
    void take(const Job& job, const Tell& tell);
    std::shared_ptr<Job> next();

    std::unique_ptr<QThreadPool> pool_;
    std::shared_ptr<Job> job_; ///< the newest, while it runs
};

/// The sentence for the exception that is being handled.
[[nodiscard]] Error exceptionSentence();

/// What `compute` answers; what it throws as a sentence. In a pool thread an exception would arrive as an
/// unknown one, or end the program.
template <class Compute>
auto withoutExceptions(Compute compute) -> decltype(compute()) {
    try {
        return compute();
    } catch (...) {
        return refuse(exceptionSentence());
    }
}

} // namespace meshslice::ui
