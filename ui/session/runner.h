#pragma once

#include "core/simulate/record/memory_reserve.h"
#include "ui/session/latest_job.h"
#include "ui/session/results.h"
#include "ui/session/run.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

namespace meshslice::ui {

/// Runs scenarios off the UI thread. A request starts at once and cancels the running one; those that follow
/// within `gather_ms` of a start wait until that time is over, and only the last of them runs: a field that
/// is dragged does not start a run per pixel. Its picture follows where runs are shorter than that, and else
/// when it rests. Runs are numbered.
class Runner : public QObject {
    Q_OBJECT
  public:
    static constexpr int gather_ms = 30;
    static constexpr int progress_ms = 100;
    /// Without a request for so long, there is time to get ready for the next.
    static constexpr int idle_ms = 200;

    explicit Runner(QObject* parent = nullptr);
    ~Runner() override;

    /// What `known` has of it, if not null, is not computed again.
    void request(RunRequest request, ResultsPtr known = nullptr);
    /// Gives up the running or waiting request.
    void cancel();
    /// A request is waiting or running.
    [[nodiscard]] bool isBusy() const { return pending_.has_value() || running_; }

    /// Bytes of memory that are kept for the next results, at most and now.
    static constexpr std::size_t most_kept = std::size_t{256} << 20;
    [[nodiscard]] std::size_t keptBytes() const { return memory_->kept(); }

    /// What computes, for tests that hold a run at a gate.
    [[nodiscard]] LatestJob* job() { return run_; }

  signals:
    void started(quint64 number);
    void progressed(double share);
    /// How many busy intervals the run will record; said once, of a run that takes longer than `progress_ms`.
    void planned(qint64 intervals);
    void finished(const meshslice::ui::ResultsPtr& results);
    void failed(const QString& sentence);
    void cancelled();

  private:
    void start();
    void take(const Result<ResultsPtr>& outcome);
    void plan();
    void prepare();
    void stop();
    /// More chips than this usually record more of a fault than is kept.
    static constexpr std::int64_t most_prepared_chips = 1024;

    /// What results are made of. Two are held at a time, the one that is shown and the one that is being
    /// computed; the next takes what the one before leaves.
    std::shared_ptr<MemoryReserve> memory_ = std::make_shared<MemoryReserve>(most_kept);
    LatestJob* run_;  ///< also gets memory ready while there is nothing to run
    LatestJob* plan_; ///< counts what the run will record, while it runs
    QTimer gather_;
    QTimer progress_;
    QTimer idle_;
    std::optional<RunRequest> pending_;
    std::optional<RunRequest> newest_; ///< what runs or ran last
    std::optional<RunRequest> shown_;  ///< of the newest results
    ResultsPtr known_;                 ///< by what asked last
    std::shared_ptr<RunProgress> share_;
    std::uint64_t number_ = 0;
    bool running_ = false;
    bool planning_ = false; ///< the plan of this run has been asked for
};

} // namespace meshslice::ui
