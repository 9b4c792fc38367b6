#include "ui/document/study_runner.h"

#include "ui/document/runner.h"
#include "ui/document/words.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include <atomic>
#include <exception>
#include <new>
#include <stop_token>

namespace meshslice::ui {

/// What the UI thread and the worker share of one request.
struct StudyRunner::Job {
    std::uint64_t number = 0;
    Study study;
    std::stop_source stop;
    std::atomic<double> progress = 0;
};

StudyRunner::StudyRunner(QObject* parent) : QObject(parent), pool_(std::make_unique<QThreadPool>()) {
    pool_->setMaxThreadCount(1); // a cancelled one frees its memory before the next takes its own
}

StudyRunner::~StudyRunner() {
    cancel();
    if (!pool_->waitForDone(Runner::longest_wait_ms)) {
        (void)pool_.release(); // a worker that does not answer owns all it touches
    }
}

std::shared_ptr<StudyRunner::Job> StudyRunner::next(const Study& study) {
    cancel();
    auto job = std::make_shared<Job>();
    job->number = ++number_;
    job->study = study;
    job_ = job;
    return job;
}

void StudyRunner::request(const Study& study) {
    const std::shared_ptr<Job> job = next(study);
    using Outcome = Result<Deliver>;
    auto* watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcher<Outcome>::finished, this, [this, watcher, job] {
        watcher->deleteLater();
        take(*job, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(pool_.get(), [job] { return compute(*job); }));
}

void StudyRunner::answerNow(const Study& study) {
    const std::shared_ptr<Job> job = next(study);
    take(*job, compute(*job));
}

void StudyRunner::cancel() {
    if (job_) {
        job_->stop.request_stop();
        job_.reset();
    }
}

double StudyRunner::progress() const {
    return job_ ? job_->progress.load() : 0.0;
}

void StudyRunner::take(const Job& job, const Result<Deliver>& outcome) {
    if (job_.get() != &job) {
        return; // a newer request has taken its place, or it was cancelled
    }
    job_.reset();
    if (outcome) {
        (*outcome)();
    } else {
        emit failed(words(outcome.error().sentence));
    }
}

// No exception may leave: in a pool thread it would arrive as an unknown one, or end the program.
Result<StudyRunner::Deliver> StudyRunner::compute(Job& job) {
    try {
        return job.study(job.number, RunControl{job.stop.get_token(), &job.progress});
    } catch (const std::bad_alloc&) {
        return refuse(
            tr("This needs more memory than there is; fewer chips or fewer slices need less.").toStdString());
    } catch (const std::exception& mistake) {
        return refuse(tr("The run ended by a mistake of the program, not yours: %1.")
                          .arg(QString::fromUtf8(mistake.what()))
                          .toStdString());
    }
}

} // namespace meshslice::ui
