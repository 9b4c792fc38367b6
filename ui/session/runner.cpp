#include "ui/session/runner.h"

#include "core/scenario/choices.h"
#include "core/step/run/planned_recording.h"
#include "ui/look/words.h"
#include "ui/session/run.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace meshslice::ui {

Runner::Runner(QObject* parent) : QObject(parent), run_(new LatestJob(this)), plan_(new LatestJob(this)) {
    gather_.setSingleShot(true);
    gather_.setInterval(gather_ms);
    connect(&gather_, &QTimer::timeout, this, [this] {
        if (pending_) {
            start();
        }
    });
    progress_.setInterval(progress_ms);
    connect(&progress_, &QTimer::timeout, this, [this] {
        emit progressed(share_->share());
        plan();
    });
    idle_.setSingleShot(true);
    idle_.setInterval(idle_ms);
    connect(&idle_, &QTimer::timeout, this, &Runner::prepare);
}

// Both are stopped before either is waited for.
Runner::~Runner() {
    stop();
    run_->cancel();
}

void Runner::request(RunRequest request, ResultsPtr known) {
    stop();
    pending_ = std::move(request);
    known_ = std::move(known);
    if (!gather_.isActive()) {
        start();
    }
}

void Runner::cancel() {
    if (isBusy()) {
        pending_.reset();
        gather_.stop();
        stop();
        idle_.start();
        emit cancelled();
    }
}

void Runner::stop() {
    progress_.stop();
    plan_->cancel();
    if (std::exchange(running_, false)) {
        run_->cancel();
    }
}

void Runner::start() {
    newest_ = std::exchange(pending_, std::nullopt);
    share_ = std::make_shared<RunProgress>();
    share_->algorithms = static_cast<int>(partsOf(*newest_).size());
    running_ = true;
    planning_ = false;
    idle_.stop();
    run_->start([this, request = *newest_, number = ++number_, share = share_, memory = memory_,
                 known = std::exchange(known_, nullptr)](RunControl control) -> LatestJob::Tell {
        control.memory = memory;
        const Result<ResultsPtr> outcome = runScenario(request, number, *share, control, known);
        return [this, outcome] { take(outcome); };
    });
    gather_.start(); // edits that follow at once are gathered
    progress_.start();
    emit started(number_);
}

void Runner::take(const Result<ResultsPtr>& outcome) {
    stop();
    idle_.start();
    if (outcome) {
        shown_ = newest_;
        emit finished(*outcome);
    } else if (outcome.error().kind == Error::Kind::cancelled) {
        emit cancelled();
    } else {
        emit failed(words(outcome.error().sentence));
    }
}

/// While the run goes on, once it lasts long enough to be seen: short ones are not made longer.
void Runner::plan() {
    if (std::exchange(planning_, true)) {
        return;
    }
    plan_->start([this, request = *newest_](const RunControl& control) -> LatestJob::Tell {
        std::int64_t intervals = 0;
        for (const RunPart& part : partsOf(request)) {
            const auto one = withoutExceptions([&] {
                return planned_recording(*part.scenario, part.algorithm, {control.stop, nullptr});
            });
            intervals += one && one->fits() ? one->intervals : 0; // The run itself says why not.
        }
        return [this, intervals] {
            if (intervals > 0) {
                emit planned(intervals);
            }
        };
    });
}

/// A fault leaves no two chips alike, so that far more is recorded than of a healthy torus. Memory for the
/// next result and the one after it is made ready while there is nothing to run, so that the first edit of a
/// fault is as quick as those that follow.
void Runner::prepare() {
    if (!shown_ || chips_of(shown_->scenario.mesh) > most_prepared_chips) {
        return;
    }
    run_->start([memory = memory_, shown = *shown_](const RunControl& control) -> LatestJob::Tell {
        (void)withoutExceptions([&]() -> Result<void> {
            std::vector<std::size_t> blocks; // bytes
            for (const RunPart& part : partsOf(shown)) {
                Scenario faulty = *part.scenario;
                faulty.assume.faults.jitter = std::max(faulty.assume.faults.jitter, Time(1));
                const auto planned = planned_recording(faulty, part.algorithm, {control.stop, nullptr});
                if (planned && planned->fits()) {
                    blocks.push_back(static_cast<std::size_t>(planned->bytes().value()));
                }
            }
            if (shown.scenario.assume.faults.none()) { // Else what is shown is one of the two.
                const std::vector<std::size_t> once = blocks;
                blocks.insert(blocks.end(), once.begin(), once.end());
            }
            memory->make_ready(blocks, control.stop);
            return {};
        });
        return [] {};
    });
}

} // namespace meshslice::ui
