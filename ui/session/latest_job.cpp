#include "ui/session/latest_job.h"

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
    if (!pool_->waitForDone(longest_wait_ms)) {
        (void)pool_.release(); // a worker that does not answer owns all it touches
    }
}

void LatestJob::start(Work work) {
    cancel();
    job_ = std::make_shared<Job>();
    auto* watcher = new QFutureWatcher<Tell>(this);
    connect(watcher, &QFutureWatcher<Tell>::finished, this, [this, watcher, job = job_] {
        watcher->deleteLater();
        take(*job, watcher->result());
    });
    watcher->setFuture(
        QtConcurrent::run(pool_.get(), [job = job_, work = std::move(work), before = before_]() -> Tell {
            if (before) {
                before(job->stop.get_token());
            }
            return work(RunControl{job->stop.get_token(), &job->progress});
        }));
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
        return {
            LatestJob::tr("Not enough memory for this run. Try fewer chips or fewer slices.").toStdString()};
    } catch (const std::exception& mistake) {
        return {LatestJob::tr("Internal error (please report it): %1.")
                    .arg(QString::fromUtf8(mistake.what()))
                    .toStdString()};
    }
}

} // namespace meshslice::ui
