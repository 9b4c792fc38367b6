#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "ui/session/latest_job.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>

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
    void request(const Study& study);
    /// Gives up the running request; nothing is answered.
    void cancel() { job_.cancel(); }
    [[nodiscard]] bool isBusy() const { return job_.isBusy(); }
    /// How much of the running request is done, 0 to 1.
    [[nodiscard]] double progress() const { return job_.progress(); }
    /// Computes in the calling thread and answers before it returns.
    void answerNow(const Study& study);

  signals:
    void failed(const QString& sentence);

  private:
    [[nodiscard]] LatestJob::Work work(const Study& study);

    LatestJob job_;
    std::uint64_t number_ = 0;
};

} // namespace meshslice::ui
