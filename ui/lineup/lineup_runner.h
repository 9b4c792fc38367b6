#pragma once

#include "ui/lineup/lineup_data.h"
#include "ui/session/study_runner.h"

namespace meshslice::ui {

/// Computes line-ups beside the UI thread.
class LineupRunner : public QObject {
    Q_OBJECT
  public:
    explicit LineupRunner(QObject* parent = nullptr);

    void request(const LineupRequest& request) { runner_.request(study(request)); }
    /// Gives up the running request; nothing is answered.
    void cancel() { runner_.cancel(); }
    [[nodiscard]] bool isBusy() const { return runner_.isBusy(); }
    /// Computes in the calling thread and answers before it returns.
    void answerNow(const LineupRequest& request) { runner_.answerNow(study(request)); }

  signals:
    void finished(const meshslice::ui::LineupPtr& lineup);
    void failed(const QString& sentence);

  private:
    [[nodiscard]] StudyRunner::Study study(const LineupRequest& request);

    StudyRunner runner_;
};

} // namespace meshslice::ui
