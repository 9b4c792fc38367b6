#pragma once

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <stop_token>

namespace meshslice::ui {

/// Work off the UI thread of which only the newest counts: a new request cancels the running one, and the
/// answer of an older one is dropped, never shown as new. One at a time: a cancelled one frees its memory
/// before the next takes its own.
class NewestJob : public QObject {
    Q_OBJECT
  public:
    /// What the UI thread does with an answer.
    using Answer = std::function<void()>;
    /// Runs in another thread and touches nothing of the UI thread's. Throws nothing: a pool thread would end
    /// the program.
    using Work = std::function<Answer(const std::stop_token& stop)>;

    explicit NewestJob(QObject* parent = nullptr);
    /// Cancels and waits, at most Runner::longest_wait_ms.
    ~NewestJob() override;

    void request(Work work);
    /// Gives up the running request; nothing is answered.
    void cancel();
    [[nodiscard]] bool isBusy() const { return stop_ != nullptr; }

  private:
    std::unique_ptr<QThreadPool> pool_;
    std::shared_ptr<std::stop_source> stop_; ///< of the newest, while it runs
};

} // namespace meshslice::ui
