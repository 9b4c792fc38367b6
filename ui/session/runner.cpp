#include "ui/session/runner.h"

#include "core/scenario/choices.h"
#include "core/step/planned_recording.h"
#include "ui/look/words.h"
#include "ui/session/latest_job.h"

#include <QFutureWatcher>
#include <QtConcurrent>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace meshslice::ui {

/// What the UI thread and the worker share of one run.
struct Runner::Job {
    std::uint64_t number = 0;
    Scenario scenario;
    std::stop_source stop;
    std::shared_ptr<MemoryReserve> memory;
    std::array<std::atomic<double>, 2> progress{}; ///< of each algorithm
    std::atomic<std::int64_t> planned = 0; ///< busy intervals that the run will record; 0: not known yet
    int steps = 1;                         ///< algorithms to run

    [[nodiscard]] double share() const { return (progress[0] + progress[1]) / steps; }
};

namespace {

/// Ids: the scenario's own and, if there is another, the one to compare with.
std::vector<std::string> algorithmsOf(const Scenario& scenario) {
    std::vector<std::string> ids = {scenario.algorithm};
    if (!scenario.compare.empty() && scenario.compare != scenario.algorithm) {
        ids.push_back(scenario.compare);
    }
    return ids;
}

} // namespace

struct Runner::Outcome {
    ResultsPtr results; ///< or
    Error error;
};

Runner::Runner(QObject* parent) : QObject(parent), pool_(std::make_unique<QThreadPool>()) {
    // One run at a time: a cancelled run gives its memory back before the next one takes its own. The engine
    // spreads a run over the cores by itself.
    pool_->setMaxThreadCount(1);
    debounce_.setSingleShot(true);
    debounce_.setInterval(debounce_ms);
    connect(&debounce_, &QTimer::timeout, this, [this] {
        if (pending_) {
            start();
        }
    });
    idle_.setSingleShot(true);
    idle_.setInterval(idle_ms);
    connect(&idle_, &QTimer::timeout, this, &Runner::prepare);
    progress_.setInterval(progress_ms);
    connect(&progress_, &QTimer::timeout, this, [this] {
        if (job_) {
            emit progressed(job_->share());
            if (const std::int64_t intervals = job_->planned.exchange(0); intervals > 0) {
                emit planned(intervals);
            }
        }
    });
}

Runner::~Runner() {
    stopJob();
    idle_.stop();
    prepared_.request_stop();
    if (!pool_->waitForDone(longest_wait_ms)) {
        // A worker that does not answer owns all it touches; leaving it alone lets the program end.
        (void)pool_.release();
    }
}

void Runner::request(const Scenario& scenario) {
    const bool was_busy = isBusy();
    stopJob();
    pending_ = scenario;
    if (!was_busy && !debounce_.isActive()) {
        start();
    } else {
        debounce_.start();
    }
}

void Runner::cancel() {
    if (isBusy()) {
        pending_.reset();
        debounce_.stop();
        stopJob();
        idle_.start();
        emit cancelled();
    }
}

void Runner::stopJob() {
    progress_.stop();
    if (job_) {
        job_->stop.request_stop();
        job_.reset();
    }
}

void Runner::start() {
    auto job = std::make_shared<Job>();
    job->number = ++number_;
    job->scenario = std::move(*pending_);
    job->memory = memory_;
    idle_.stop();
    prepared_.request_stop();
    job->steps = static_cast<int>(algorithmsOf(job->scenario).size());
    pending_.reset();
    job_ = job;
    debounce_.start(); // edits that follow at once are gathered
    progress_.start();
    emit started(job->number);

    auto* watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcher<Outcome>::finished, this, [this, watcher, job] {
        watcher->deleteLater();
        take(*job, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(pool_.get(), [job] { return compute(*job); }));
}

void Runner::take(const Job& job, const Outcome& outcome) {
    if (job_.get() != &job) {
        return; // a newer request has taken its place, or it was cancelled
    }
    progress_.stop();
    job_.reset();
    idle_.start();
    if (outcome.results) {
        shown_ = outcome.results->scenario;
        emit finished(outcome.results);
    } else if (outcome.error.kind == Error::Kind::cancelled) {
        emit cancelled();
    } else {
        emit failed(words(outcome.error.sentence));
    }
}

/// Beside the run, once it lasts long enough for somebody to see it: short ones are not made longer.
void Runner::plan(Job& job, const std::stop_token& done) {
    std::mutex mutex;
    std::condition_variable_any over;
    std::unique_lock lock(mutex);
    over.wait_for(lock, done, std::chrono::milliseconds(progress_ms), [] { return false; });
    std::int64_t intervals = 0;
    for (const std::string& id : algorithmsOf(job.scenario)) {
        if (done.stop_requested()) {
            return;
        }
        const auto one = withoutExceptions([&] {
            return planned_recording(job.scenario, id, {done, nullptr});
        });
        intervals += one && one->fits() ? one->intervals : 0; // The run itself says why not.
    }
    if (!done.stop_requested()) {
        job.planned = intervals;
    }
}

/// A fault leaves no two chips alike, so that far more is recorded than of a healthy torus. Memory for the
/// next result and the one after it is made ready while nobody waits, so that the first edit of a fault is as
/// quick as those that follow.
void Runner::prepare() {
    if (!shown_ || chips_of(shown_->mesh) > most_prepared_chips) {
        return;
    }
    prepared_ = std::stop_source();
    pool_->start([memory = memory_, shown = *shown_, stop = prepared_.get_token()] {
        (void)withoutExceptions([&]() -> Result<void> {
            Scenario faulty = shown;
            faulty.faults.jitter = std::max(faulty.faults.jitter, Time(1));
            std::vector<std::size_t> blocks; // bytes
            for (const std::string& id : algorithmsOf(shown)) {
                const auto planned = planned_recording(faulty, id, {stop, nullptr});
                if (planned && planned->fits()) {
                    blocks.push_back(static_cast<std::size_t>(planned->bytes().value()));
                }
            }
            if (shown.faults.none()) { // Else what is shown is one of the two.
                const std::vector<std::size_t> once = blocks;
                blocks.insert(blocks.end(), once.begin(), once.end());
            }
            memory->make_ready(blocks, stop);
            return {};
        });
    });
}

/// One algorithm's step: only estimated where it is too large to simulate, and then why.
struct Runner::Answer {
    Result<TrainingStep> step;
    std::string not_simulated;
};

Runner::Answer Runner::answer(Job& job, const std::string& id, std::size_t place) {
    const RunControl control{job.stop.get_token(), &job.progress[place], job.memory};
    Answer answer{training_step(job.scenario, id, Depth::simulate, control), {}};
    if (!answer.step && answer.step.error().kind != Error::Kind::cancelled) {
        // What cannot run at all fails again.
        auto estimated = training_step(job.scenario, id, Depth::estimate, control);
        if (estimated || estimated.error().kind == Error::Kind::cancelled) {
            answer.not_simulated = answer.step.error().sentence;
            answer.step = std::move(estimated);
        }
    }
    job.progress[place] = 1;
    return answer;
}

// No exception may leave: in a pool thread it would arrive as an unknown one, or end the program.
Runner::Outcome Runner::compute(Job& job) {
    try {
        auto results = std::make_shared<Results>();
        results->number = job.number;
        results->scenario = job.scenario;
        const std::jthread planner([&job](const std::stop_token& done) { plan(job, done); });
        const std::vector<std::string> ids = algorithmsOf(job.scenario);
        // Beside each other, so that no core waits for the last product of the first.
        std::future<Answer> beside;
        if (ids.size() > 1) {
            beside = std::async([&] {
                Answer other;
                // What goes wrong with it is no reason to lose the first.
                other.step = withoutExceptions([&] {
                    other = answer(job, ids[1], 1);
                    return std::move(other.step);
                });
                return other;
            });
        }
        Answer first;
        try {
            first = answer(job, ids[0], 0);
        } catch (...) {
            job.stop.request_stop(); // Nobody wants the other.
            throw;
        }
        if (!first.step) {
            job.stop.request_stop();
            return {nullptr, first.step.error()};
        }
        results->steps.push_back(std::move(*first.step));
        results->not_simulated = std::move(first.not_simulated);
        if (beside.valid()) {
            Answer second = beside.get();
            if (second.step) {
                results->steps.push_back(std::move(*second.step));
                if (!second.not_simulated.empty()) {
                    results->not_simulated = std::move(second.not_simulated);
                }
            } else if (second.step.error().kind == Error::Kind::cancelled) {
                return {nullptr, second.step.error()};
            } else {
                // The first algorithm's answer stands without it.
                results->objection = second.step.error().sentence;
            }
        }
        return {std::move(results), {}};
    } catch (const std::bad_alloc&) {
        return {nullptr,
                {tr("This run needs more memory than there is; fewer chips or fewer slices need less.")
                     .toStdString()}};
    } catch (const std::exception& mistake) {
        return {nullptr,
                {tr("The run ended by a mistake of the program, not yours: %1.")
                     .arg(QString::fromUtf8(mistake.what()))
                     .toStdString()}};
    }
}

} // namespace meshslice::ui
