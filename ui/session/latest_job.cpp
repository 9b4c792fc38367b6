#include "ui/session/latest_job.h"

#include "ui/session/runner.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include <atomic>
#include <exception>
#include <new>
#include <stop_token>
#include <utility>

namespace meshslice::ui {

/// What the UI thread and the worker share of one piece of work.
struct LatestJob::Job {
    std::stop_source stop;
    std::atomic<double> progress = 0;
};

LatestJob::LatestJob(QObject* parent) : QObject(parent), pool_(std::make_unique<QThreadPool>()) {
    pool_->setMaxThreadCount(1); // a cancelled one frees its memory before the next takes its own
}

LatestJob::~LatestJob() {
    cancel();
    if (!pool_->waitForDone(Runner::longest_wait_ms)) {
        (void)pool_.release(); // a worker that does not answer owns all it touches
    }
}

std::shared_ptr<LatestJob::Job> LatestJob::next() {
    cancel();
    job_ = std::make_shared<Job>();
    return job_;
}

void LatestJob::start(Work work) {
    const std::shared_ptr<Job> job = next();
    auto* watcher = new QFutureWatcher<Tell>(this);
    connect(watcher, &QFutureWatcher<Tell>::finished, this, [this, watcher, job] {
        watcher->deleteLater();
        take(*job, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(pool_.get(), [job, work = std::move(work)] {
        return work(RunControl{job->stop.get_token(), &job->progress});
    }));
}

void LatestJob::runNow(const Work& work) {
    const std::shared_ptr<Job> job = next();
    take(*job, work(RunControl{job->stop.get_token(), &job->progress}));
}

void LatestJob::cancel() {
    if (job_) {
        job_->stop.request_stop();
        job_.reset();
    }
}

double LatestJob::progress() const {
    return job_ ? job_->progress.load() : 0.0;
}

void LatestJob::take(const Job& job, const Tell& tell) {
    if (job_.get() != &job) {
        return; // a newer one has taken its place, or it was cancelled
    }
    job_.reset();
    tell();
}

Error exceptionSentence() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {LatestJob::tr("This needs more memory than there is; fewer chips or fewer slices need less.")
                    .toStdString()};
    } catch (const std::exception& mistake) {
        return {LatestJob::tr("The run ended by a mistake of the program, not yours: %1.")
                    .arg(QString::fromUtf8(mistake.what()))
                    .toStdString()};
    }
}

} // namespace meshslice::ui
