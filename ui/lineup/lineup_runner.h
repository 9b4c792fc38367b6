#pragma once

#include "ui/document/newest_job.h"
#include "ui/lineup/lineup_data.h"

#include <QObject>

#include <cstdint>

namespace meshslice::ui {

/// Computes line-ups off the UI thread, one at a time. A new request cancels the running one; requests are
/// numbered, and the answer to an older one than the newest is dropped, never shown as new.
class LineupRunner : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    void request(const LineupRequest& request);
    /// Gives up the running request; nothing is answered.
    void cancel() { job_.cancel(); }
    [[nodiscard]] bool isBusy() const { return job_.isBusy(); }
    /// Computes in the calling thread and answers before it returns.
    void answerNow(const LineupRequest& request);

  signals:
    void finished(const meshslice::ui::LineupPtr& lineup);
    void failed(const QString& sentence);

  private:
    using Outcome = Result<LineupPtr>;

    static Outcome compute(const LineupRequest& request, std::uint64_t number, const std::stop_token& stop);
    void tell(const Outcome& outcome);

    NewestJob job_;
    std::uint64_t number_ = 0;
};

} // namespace meshslice::ui
