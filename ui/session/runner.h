#pragma once

#include "core/simulate/record/memory_reserve.h"
#include "ui/session/results.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

namespace meshslice::ui {

/// Computes scenarios off the UI thread. The first request starts at once, those that follow quickly are
/// gathered
/// (`debounce_ms`); a new request cancels the running one. Runs are numbered, and the answer of an older run
/// than the newest request is dropped, never shown as new.
class Runner : public QObject {
    Q_OBJECT
  public:
    static constexpr int debounce_ms = 30;
    static constexpr int progress_ms = 100;
    /// Without a request for so long, there is time to get ready for the next.
    static constexpr int idle_ms = 200;
    /// The engine answers a stop within 10 ms; whoever waits this long for it waits in vain.
    static constexpr int longest_wait_ms = 5'000;

    explicit Runner(QObject* parent = nullptr);
    /// Cancels and waits, at most `longest_wait_ms`.
    ~Runner() override;

    void request(const Scenario& scenario);
    /// Gives up the running or waiting request.
    void cancel();
    /// A request is waiting or running.
    [[nodiscard]] bool isBusy() const { return pending_.has_value() || job_ != nullptr; }

    /// Bytes of memory that are kept for the next results, at most and now.
    static constexpr std::size_t most_kept = std::size_t{256} << 20;
    [[nodiscard]] std::size_t keptBytes() const { return memory_->kept(); }

  signals:
    void started(quint64 number);
    void progressed(double share);
    /// How many busy intervals the run will record; said once, of a run that takes longer than `progress_ms`.
    void planned(qint64 intervals);
    void finished(const meshslice::ui::ResultsPtr& results);
    void failed(const QString& sentence);
    void cancelled();

  private:
    struct Job;
    struct Outcome;
    struct Answer;

    static Outcome compute(Job& job);
    static Answer answer(Job& job, const std::string& id, std::size_t place);
    static void plan(Job& job, const std::stop_token& done);
    void start();
    void prepare();
    /// More chips than this usually record more of a fault than is kept.
    static constexpr std::int64_t most_prepared_chips = 1024;
    void take(const Job& job, const Outcome& outcome);
    void stopJob();

    /// What results are made of. Two are held at a time, the one that is shown and the one that is being
    /// computed; the next takes what the one before leaves.
    std::shared_ptr<MemoryReserve> memory_ = std::make_shared<MemoryReserve>(most_kept);
    QTimer idle_;
    std::optional<Scenario> shown_; ///< of the newest results
    std::stop_source prepared_;     ///< stops what is being prepared
    std::unique_ptr<QThreadPool> pool_;
    QTimer debounce_;
    QTimer progress_;
    std::optional<Scenario> pending_;
    std::shared_ptr<Job> job_; ///< the newest, while it runs
    std::uint64_t number_ = 0;
};

} // namespace meshslice::ui
