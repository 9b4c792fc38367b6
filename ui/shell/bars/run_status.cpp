#include "ui/shell/bars/run_status.h"

#include "core/base/text.h"
#include "core/step/run/planned_recording.h"
#include "ui/controls/elided_label.h"
#include "ui/look/words.h"
#include "ui/session/runner.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <cstdint>
#include <set>
#include <utility>

namespace meshslice::ui {
namespace {

/// Of all timelines, as the plan of the run counts them; alike GEMMs share one.
std::int64_t keptIntervals(const Results& results) {
    std::set<const Timeline*> timelines;
    std::size_t intervals = 0;
    for (const TrainingStep& step : results.steps) {
        for (const GemmResult& gemm : step.gemms) {
            if (gemm.timeline && timelines.insert(gemm.timeline.get()).second) {
                intervals += gemm.timeline->stored_intervals();
            }
        }
    }
    return static_cast<std::int64_t>(intervals);
}

QString ranText(const Results& results, qint64 elapsed_ms) {
    const std::int64_t intervals = keptIntervals(results);
    const QString lasted = elapsed_ms < 1 ? RunStatus::tr("under 1 ms")
                                          : words(text(seconds(static_cast<double>(elapsed_ms) * 1e-3)));
    if (intervals == 0) {
        return RunStatus::tr("estimated in %1").arg(lasted);
    }
    if (intervals == 1) {
        return RunStatus::tr("one busy interval simulated in %1").arg(lasted);
    }
    const auto count = static_cast<double>(intervals);
    return (count < 1e6 ? RunStatus::tr("%1 busy intervals simulated in %2; identical chips once")
                        : RunStatus::tr("%1 million busy intervals simulated in %2; identical chips once"))
        .arg(words(number_text(count < 1e6 ? count : count / 1e6)), lasted);
}

} // namespace

RunStatus::RunStatus(Session* session, QWidget* parent)
    : QWidget(parent)
    , session_(session)
    , outcome_(new ElidedLabel(this))
    , plan_(new QLabel(this))
    , bar_(new QProgressBar(this))
    , cancel_(new QPushButton(tr("Cancel"), this)) {
    bar_->setRange(0, 1000);
    bar_->setFixedWidth(160);
    bar_->setAccessibleName(tr("Progress of the run"));
    cancel_->setToolTip(tr("Stop the run (Esc)"));
    cancel_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(8);
    row->addStretch();
    row->addWidget(outcome_);
    row->addWidget(plan_);
    row->addWidget(bar_);
    row->addWidget(cancel_);
    patience_.setSingleShot(true);
    patience_.setInterval(patience_ms);
    connect(&patience_, &QTimer::timeout, this, [this] { setRunning(true); });
    explaining_.setInterval(patience_ms);
    connect(&explaining_, &QTimer::timeout, this, &RunStatus::explain);
    fitHeight();
    setRunning(false);
    connect(cancel_, &QPushButton::clicked, session_, &Session::cancelRun);
    connect(session_, &Session::changed, this, &RunStatus::follow);
    const Runner* runner = session_->runner();
    connect(runner, &Runner::started, this, &RunStatus::begin);
    connect(runner, &Runner::progressed, this,
            [this](double share) { bar_->setValue(qBound(0, static_cast<int>(share * 1000), 1000)); });
    // What the run records stands next to its bar.
    connect(runner, &Runner::planned, this, [this](qint64 intervals) {
        const QString records = tr("records %1").arg(words(text(Recording{intervals})));
        const ResultsPtr before = session_->previous(); // is kept until the next is there
        const Bytes kept = before ? Recording{keptIntervals(*before)}.bytes() : Bytes(0);
        plan_->setText(kept < much_memory
                           ? records
                           : tr("%1; the result before has %2").arg(records, words(text(kept))));
    });
    connect(session_, &Session::taskChanged, this, [this] { setRunning(bar_->isVisibleTo(this)); });
    if (session_->isComputing()) {
        begin();
    }
}

void RunStatus::follow() {
    const SessionState& state = session_->state();
    const Session::Kind before = std::exchange(kind_, state.kind);
    if (state.kind == before) {
        return;
    }
    if (state.kind == Session::Kind::failed) {
        finish(state.cancelled ? tr("Cancelled") : tr("The run failed"));
    } else if (state.kind == Session::Kind::ready) {
        finish(ranText(*state.results, clock_.elapsed()));
        explained_.start();
        explaining_.start();
    }
}

void RunStatus::explain() {
    if (session_->state().kind != Session::Kind::ready || !session_->isExplaining()) {
        explaining_.stop();
        if (session_->state().kind == Session::Kind::ready) {
            setRunning(false);
        }
    } else if (explained_.elapsed() > patience_with_reasons_ms) {
        plan_->setText(tr("looks for what bounds the run"));
        bar_->setValue(static_cast<int>(session_->explainer()->progress() * 1000));
        setRunning(true);
    }
}

void RunStatus::fitHeight() {
    const int height = fontMetrics().height() + 6;
    bar_->setFixedHeight(height - 2);
    cancel_->setFixedHeight(height);
    setMinimumHeight(height);
}

void RunStatus::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitHeight();
    }
}

void RunStatus::setRunning(bool running) {
    outcome_->setVisible(!running && has(on_a_mesh, session_->task())); // of other tasks it says nothing
    plan_->setVisible(running);
    bar_->setVisible(running);
    cancel_->setVisible(running);
}

void RunStatus::begin() {
    bar_->setValue(0);
    plan_->clear();
    clock_.start();
    if (!bar_->isVisibleTo(this)) {
        patience_.start();
    }
}

void RunStatus::finish(const QString& outcome) {
    patience_.stop();
    outcome_->setText(outcome);
    setRunning(false);
}

} // namespace meshslice::ui
