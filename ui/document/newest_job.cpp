#include "ui/document/newest_job.h"

#include "ui/document/runner.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include <utility>

namespace meshslice::ui {

NewestJob::NewestJob(QObject* parent) : QObject(parent), pool_(std::make_unique<QThreadPool>()) {
    pool_->setMaxThreadCount(1);
}

NewestJob::~NewestJob() {
    cancel();
    if (!pool_->waitForDone(Runner::longest_wait_ms)) {
        (void)pool_.release(); // a worker that does not answer owns all it touches
    }
}

void NewestJob::request(Work work) {
    cancel();
    const auto stop = std::make_shared<std::stop_source>();
    stop_ = stop;
    auto* watcher = new QFutureWatcher<Answer>(this);
    connect(watcher, &QFutureWatcher<Answer>::finished, this, [this, watcher, stop] {
        watcher->deleteLater();
        if (stop_ != stop) {
            return; // a newer request has taken its place, or it was cancelled
        }
        stop_.reset();
        watcher->result()();
    });
    watcher->setFuture(
        QtConcurrent::run(pool_.get(), [work = std::move(work), stop] { return work(stop->get_token()); }));
}

void NewestJob::cancel() {
    if (stop_) {
        stop_->request_stop();
        stop_.reset();
    }
}

} // namespace meshslice::ui
