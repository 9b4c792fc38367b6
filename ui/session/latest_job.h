#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"

#include <QObject>

#include <functional>
#include <memory>

namespace meshslice::ui {

/// Work off the UI thread, one piece at a time, of which only the newest counts: starting another cancels the
/// running one, and the answer of an older one is dropped, never shown as new. Everything that the window
/// computes runs through one of these.
class LatestJob : public QObject {
    Q_OBJECT
  public:
    /// Hands the answer over, in the UI thread.
    using Tell = std::function<void()>;
    /// Computes in another thread; throws nothing (see withoutExceptions).
    using Work = std::function<Tell(const RunControl&)>;
    /// Called in the worker's thread before the work.
    using BeforeWork = std::function<void(const std::stop_token&)>;

    /// The engine answers a stop within 10 ms; waiting longer than this is of no use.
    static constexpr int longest_wait_ms = 5'000;

    explicit LatestJob(QObject* parent = nullptr);
    /// Cancels and waits, at most `longest_wait_ms`.
    ~LatestJob() override;

    void start(Work work);
    /// Gives up the running work; its answer is dropped.
    void cancel();
    [[nodiscard]] bool isBusy() const { return job_ != nullptr; }
    /// How much of the running work is done, 0 to 1, where it says so.
    [[nodiscard]] double progress() const;
    /// For tests: holds the work that starts from now on until they have seen what they wait for.
    void setBeforeWork(BeforeWork before) { before_ = std::move(before); }

  private slots:
    /// A job is done: hands its answer over, if it is the newest.
    void take();

  private:
    struct Job;
    struct Worker;

    std::shared_ptr<Worker> worker_; ///< from the first job on
    std::shared_ptr<Job> job_;       ///< the newest, while it runs
    BeforeWork before_;
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
