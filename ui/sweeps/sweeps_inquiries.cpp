// What the sweep asks for and waits for: its points, and those of A. What it shows is in sweeps_view.cpp.

#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/step_points.h"
#include "ui/sweeps/sweeps_view.h"

#include <QComboBox>
#include <QPushButton>

#include <memory>

namespace meshslice::ui {

SweepsView::Asks SweepsView::asks() const {
    return static_cast<Asks>(depth_->currentIndex());
}

Sweep SweepsView::sweepOver(Asks asks) const {
    const Scenario& scenario = session().state().scenario;
    if (asks != Asks::plans) {
        return sweep_of_steps(scenario, {}, asks == Asks::estimates ? Depth::estimate : Depth::simulate);
    }
    static const auto plan = std::make_shared<const Question>(plan_question());
    Sweep sweep{plan, {}, scenario};
    sweep.said.file = true; // The scenario says what no field says.
    return sweep;
}

Result<Sweep> SweepsView::sweepOf(const Chosen& chosen) const {
    Sweep sweep = sweepOver(chosen.asks);
    sweep.fields = chosen.fields;
    if (const Result<void> valid = checked(sweep); !valid) {
        return refuse(valid.error());
    }
    // What varies has no value of its own, so that taking a point over asks no other question.
    sweep.scenario = shared_by_points(sweep);
    return sweep;
}

Result<Sweep> SweepsView::wanted() const {
    Result<Sweep> sweep = sweepOf(chosen_);
    const bool nothing_shown = !sweep && !refused_.sentence.empty();
    return nothing_shown ? refuse(refused_.sentence) : sweep;
}

std::optional<Sweep> SweepsView::wantedOfA() const {
    const ResultsPtr shown = session().shown();
    const Result<Sweep> own = wanted();
    if (!shown || !shown->reference || !own) {
        return std::nullopt;
    }
    Sweep of_a = *own;
    of_a.scenario = shown->reference->scenario;
    if (!checked(of_a)) {
        return std::nullopt;
    }
    of_a.scenario = shared_by_points(of_a);
    return of_a;
}

const std::vector<SweepPoint>* SweepsView::pointsOfA() const {
    return inquiry_of_a_.answer() && inquiry_of_a_.answered() == wantedOfA() ? &*inquiry_of_a_.answer()
                                                                             : nullptr;
}

void SweepsView::renew() {
    takeControls();
    const Result<Sweep> sweep = wanted();
    if (!isVisible()) {
        return;
    }
    // Of one that was stopped too: what is done stays next to A's points.
    if (const std::optional<Sweep> of_a = wantedOfA()) {
        inquiry_of_a_.ask(*of_a);
    } else {
        inquiry_of_a_.clear();
    }
    if (sweep && (inquiry_.asked() == *sweep || stopped_ == *sweep)) {
        showPoints();
        return;
    }
    stopped_.reset();
    if (sweep) {
        inquiry_.ask(*sweep);
    } else {
        inquiry_.clear();
    }
    showPoints();
}

void SweepsView::cancel(bool awaited) {
    awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited();
    awaited ? inquiry_of_a_.cancel() : inquiry_of_a_.cancelUnlessAwaited();
    growing_.stop();
}

void SweepsView::stopOrGoOn() {
    if (inquiry_.asked()) {
        stopped_ = inquiry_.asked();
        inquiry_.cancel();
    } else if (const Result<Sweep> sweep = wanted()) {
        stopped_.reset();
        inquiry_.ask(*sweep);
    }
    showPoints();
}

bool SweepsView::isCurrent() const {
    const Result<Sweep> sweep = wanted();
    return sweep && inquiry_.answer() && inquiry_.answered() == *sweep && (!wantedOfA() || pointsOfA());
}

void SweepsView::complete(const Completed& completed) {
    const Result<Sweep> sweep = wanted();
    const std::optional<Sweep> of_a = wantedOfA();
    if (sweep && of_a) {
        inquiry_.ask(*sweep, [this, of_a, completed](const Result<void>& done) {
            if (done) {
                inquiry_of_a_.ask(*of_a, completed);
            } else {
                completed(done);
            }
        });
    } else if (sweep) {
        inquiry_.ask(*sweep, completed);
    } else {
        completed(refuse(sweep.error()));
    }
}

} // namespace meshslice::ui
