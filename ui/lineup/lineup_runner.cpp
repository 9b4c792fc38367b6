#include "ui/lineup/lineup_runner.h"

#include "ui/document/runner.h"
#include "ui/document/words.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include <exception>
#include <new>
#include <stop_token>

namespace meshslice::ui {

/// What the UI thread and the worker share of one request.
struct LineupRunner::Job {
    std::uint64_t number = 0;
    LineupRequest request;
    std::stop_source stop;
};

LineupRunner::LineupRunner(QObject* parent) : QObject(parent), pool_(std::make_unique<QThreadPool>()) {
    pool_->setMaxThreadCount(1); // a cancelled one frees its memory before the next takes its own
}

LineupRunner::~LineupRunner() {
    cancel();
    if (!pool_->waitForDone(Runner::longest_wait_ms)) {
        (void)pool_.release(); // a worker that does not answer owns all it touches
    }
}

std::shared_ptr<LineupRunner::Job> LineupRunner::next(const LineupRequest& request) {
    cancel();
    auto job = std::make_shared<Job>();
    job->number = ++number_;
    job->request = request;
    job_ = job;
    return job;
}

void LineupRunner::request(const LineupRequest& request) {
    const std::shared_ptr<Job> job = next(request);
    auto* watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcher<Outcome>::finished, this, [this, watcher, job] {
        watcher->deleteLater();
        take(*job, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(pool_.get(), [job] { return compute(*job); }));
}

void LineupRunner::answerNow(const LineupRequest& request) {
    const std::shared_ptr<Job> job = next(request);
    take(*job, compute(*job));
}

void LineupRunner::cancel() {
    if (job_) {
        job_->stop.request_stop();
        job_.reset();
    }
}

void LineupRunner::take(const Job& job, const Outcome& outcome) {
    if (job_.get() != &job) {
        return; // a newer request has taken its place, or it was cancelled
    }
    job_.reset();
    if (outcome) {
        emit finished(*outcome);
    } else {
        emit failed(words(outcome.error().sentence));
    }
}

// No exception may leave: in a pool thread it would arrive as an unknown one, or end the program.
LineupRunner::Outcome LineupRunner::compute(const Job& job) {
    try {
        return computeLineup(job.request, job.number, RunControl{job.stop.get_token(), nullptr});
    } catch (const std::bad_alloc&) {
        return refuse(tr("All algorithms at once need more memory than there is; fewer chips or fewer slices "
                         "need less.")
                          .toStdString());
    } catch (const std::exception& mistake) {
        return refuse(tr("The run ended by a mistake of the program, not yours: %1.")
                          .arg(QString::fromUtf8(mistake.what()))
                          .toStdString());
    }
}

} // namespace meshslice::ui
