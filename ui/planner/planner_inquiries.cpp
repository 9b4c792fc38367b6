// What the plan view asks for and waits for: the plans of its scenario, the plan that is loaded, and A's
// plans. What it shows is in planner_view.cpp.

#include "ui/planner/plan_pane.h"
#include "ui/planner/planner_view.h"

#include <QTabWidget>

namespace meshslice::ui {
namespace {

/// Asks what is wanted, if anything; true if something is under way then.
template <class Request, class Reply>
bool ask(Inquiry<Request, Reply>& inquiry, const std::optional<Request>& wanted) {
    if (!wanted) {
        inquiry.clear();
        return false;
    }
    return inquiry.ask(*wanted);
}

} // namespace

Result<PlanQuestion> PlannerView::wanted() const {
    return plan_question(session().state().scenario);
}

void PlannerView::renew() {
    const Result<PlanQuestion> question = wanted();
    if (PlanPane* pane = shownPane(); pane != nullptr && isVisible() && isFound() && !pane->isReady()) {
        pane->renew(); // after it was given up
    }
    if (!isVisible()) {
        return;
    }
    if (!question) {
        inquiry_.clear();
    }
    const std::optional<Shown> wanted_now = wantedShown();
    const bool searching = question && inquiry_.ask(*question);
    const bool reading = ask(loaded_, wanted_now ? wanted_now->own.loaded : std::nullopt);
    const bool comparing = ask(of_a_, wanted_now ? wanted_now->of_a : std::nullopt);
    if ((searching || comparing) && shown_) {
        setUpdating(true); // the old picture stays, under a veil
    } else if (!searching && !reading && !comparing) {
        showAnswer();
    }
}

void PlannerView::cancel(bool awaited) {
    awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited();
    awaited ? loaded_.cancel() : loaded_.cancelUnlessAwaited();
    awaited ? of_a_.cancel() : of_a_.cancelUnlessAwaited();
    for (PlanPane* pane : panes()) {
        pane->cancel(awaited);
    }
    setUpdating(false);
}

bool PlannerView::isCurrent() const {
    const PlanPane* pane = shownPane();
    return isFound() && (pane == nullptr || pane->isReady());
}

bool PlannerView::isFound() const {
    const std::optional<Shown> wanted = wantedShown();
    return wanted && inquiry_.answer() && inquiry_.answered() == wanted->own.question &&
           (!wanted->own.loaded || loaded_.answered() == wanted->own.loaded) &&
           (!wanted->of_a || of_a_.answered() == wanted->of_a);
}

std::optional<PlannerView::Shown> PlannerView::wantedShown() const {
    const std::optional<AskedPlans> own = asked_plans(session().state().scenario);
    if (!own) {
        return std::nullopt;
    }
    Shown wanted{*own, std::nullopt, {}};
    if (const std::optional<Variant>& reference = session().state().reference) {
        wanted.of_a = asked_plans(reference->scenario);
        if (wanted.of_a == own) {
            wanted.of_a.reset(); // the same plans
        } else {
            wanted.name_of_a = reference->name;
        }
    }
    return wanted;
}

void PlannerView::complete(const Completed& completed) {
    const std::optional<Shown> wanted = wantedShown();
    if (!wanted) {
        completed(refuse(sentence().toStdString()));
        return;
    }
    // One after the other. A loaded plan that does not suit the scenario, or an A without plans, is left out.
    const Completed then_pane = [this, completed](const Result<void>& outcome) {
        if (PlanPane* pane = shownPane(); outcome && pane != nullptr) {
            pane->complete(completed);
        } else {
            completed(outcome);
        }
    };
    const Completed then_of_a = [this, wanted, then_pane](const Result<void>& outcome) {
        if (outcome && wanted->of_a) {
            of_a_.ask(*wanted->of_a, [then_pane](const Result<void>&) { then_pane({}); });
        } else {
            then_pane(outcome);
        }
    };
    inquiry_.ask(wanted->own.question, [this, wanted, then_of_a](const Result<void>& outcome) {
        if (outcome && wanted->own.loaded) {
            loaded_.ask(*wanted->own.loaded, [then_of_a](const Result<void>&) { then_of_a({}); });
        } else {
            then_of_a(outcome);
        }
    });
}

double PlannerView::progress() const {
    const PlanPane* pane = shownPane();
    return pane != nullptr && isFound() ? pane->progress() : inquiry_.progress();
}

QString PlannerView::sentence() const {
    const Result<PlanQuestion> question = wanted();
    if (!question) {
        return words(question.error().sentence);
    }
    if (isFound()) {
        return shownPane() != nullptr ? shownPane()->sentence() : QString();
    }
    if (inquiry_.asked() || loaded_.asked() || of_a_.asked()) {
        return tr("Computing…");
    }
    return inquiry_.answered() == *question && !inquiry_.refusal().isEmpty()
               ? inquiry_.refusal()
               : tr("Plans are searched when this view is opened.");
}

} // namespace meshslice::ui
