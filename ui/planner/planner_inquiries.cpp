// What the plan view waits for: the session's plans, and what its pages compute of the selected one. What it
// shows is in planner_view.cpp.

#include "ui/planner/plan_pane.h"
#include "ui/planner/planner_view.h"

namespace meshslice::ui {

void PlannerView::renew() {
    if (PlanPane* pane = shownPane(); pane != nullptr && isVisible() && isFound() && !pane->isReady()) {
        pane->renew(); // after it was given up
    }
    if (isVisible()) {
        session().plans()->want(this, true);
        showPlans();
    }
}

void PlannerView::cancel(bool awaited) {
    if (awaited) {
        session().plans()->giveUp();
    } else {
        session().plans()->want(this, false);
    }
    for (PlanPane* pane : panes()) {
        pane->cancel(awaited);
    }
    setUpdating(false);
}

bool PlannerView::isFound() const {
    return shown_ && shown_ == session().plans()->current();
}

bool PlannerView::isCurrent() const {
    const PlanPane* pane = shownPane();
    return isFound() && (pane == nullptr || pane->isReady());
}

void PlannerView::complete(const Completed& completed) {
    session().plans()->complete([this, completed](const Result<void>& outcome) {
        showAnswer(); // also where the view is hidden
        if (PlanPane* pane = shownPane(); outcome && pane != nullptr) {
            pane->complete(completed);
        } else {
            completed(outcome);
        }
    });
}

double PlannerView::progress() const {
    const PlanPane* pane = shownPane();
    return pane != nullptr && isFound() ? pane->progress() : session().plans()->progress();
}

QString PlannerView::sentence() const {
    if (isFound()) {
        return shownPane() != nullptr ? shownPane()->sentence() : QString();
    }
    return session().plans()->current() ? tr("Plans are searched when this view is opened.")
                                        : session().plans()->state().sentence;
}

} // namespace meshslice::ui
