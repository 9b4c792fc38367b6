#include "ui/session/latest_job.h"

#include <QMetaObject>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>
#include <utility>

namespace meshslice::ui {

/// What the UI thread and the worker share of one piece of work.
struct LatestJob::Job {
    std::stop_source stop;
    std::atomic<double> progress = 0;
    Work work;
    BeforeWork before;
    std::optional<Tell> tell; ///< when it is done; under the worker's mutex
};

/// The thread that works, one job after the other: a cancelled one frees its memory before the next takes its
/// own. Of jobs that wait only the newest is begun.
struct LatestJob::Worker {
    std::mutex mutex;
    std::condition_variable changed;
    std::shared_ptr<Job> next;
    LatestJob* owner = nullptr; ///< none once it is gone
    bool ended = false;

    void run() {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return next != nullptr || owner == nullptr; });
            if (next == nullptr) {
                break;
            }
            std::shared_ptr<Job> job = std::exchange(next, nullptr);
            lock.unlock();
            const std::stop_token stop = job->stop.get_token();
            if (job->before) {
                job->before(stop);
            }
            Tell tell = job->work(RunControl{stop, &job->progress});
            job->work = nullptr;
            lock.lock();
            job->tell = std::move(tell);
            if (owner != nullptr) {
                // By its name, so that what is posted is made and read by Qt alone.
                QMetaObject::invokeMethod(owner, "take", Qt::QueuedConnection);
            }
            lock.unlock();
            job.reset(); // large results of a cancelled one are freed here, and nobody waits for that
            lock.lock();
        }
        ended = true;
        changed.notify_all();
    }
};

LatestJob::LatestJob(QObject* parent) : QObject(parent) {}

LatestJob::~LatestJob() {
    cancel();
    if (worker_) {
        std::unique_lock lock(worker_->mutex);
        worker_->owner = nullptr;
        worker_->changed.notify_all();
        // One that does not answer owns all it touches.
        worker_->changed.wait_for(lock, std::chrono::milliseconds(longest_wait_ms),
                                  [&] { return worker_->ended; });
    }
}

void LatestJob::start(Work work) {
    cancel();
    job_ = std::make_shared<Job>();
    job_->work = std::move(work);
    job_->before = before_;
    if (!worker_) {
        worker_ = std::make_shared<Worker>();
        worker_->owner = this;
        std::thread([worker = worker_] { worker->run(); }).detach();
    }
    const std::lock_guard lock(worker_->mutex);
    worker_->next = job_;
    worker_->changed.notify_all();
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

void LatestJob::take() {
    std::optional<Tell> tell;
    if (job_) { // else it was cancelled
        const std::lock_guard lock(worker_->mutex);
        tell = std::exchange(job_->tell, std::nullopt);
    }
    if (tell) { // else a newer one has taken its place
        job_.reset();
        (*tell)();
    }
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
