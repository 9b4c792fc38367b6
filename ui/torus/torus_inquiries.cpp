// What the torus asks for and waits for: slack, and what is measured of the runs it shows. Its painting is in
// torus_view.cpp.

#include "ui/torus/torus_view.h"

#include <algorithm>

namespace meshslice::ui {

bool TorusView::measures() const {
    return !atMoment(shows_) && step_ < runs_.size() && !runs_[step_]->chip_rows().empty();
}

std::optional<SlackRequest> TorusView::wantedSlack() const {
    return shows_ == TorusShows::slack && measures() ? std::optional(SlackRequest{runs_}) : std::nullopt;
}

const StepSlack* TorusView::slackNow(std::size_t step) const {
    return slack_.answer() && slack_.answered() == wantedSlack() ? &(**slack_.answer())[step] : nullptr;
}

std::optional<MeasureRequest> TorusView::wantedMeasures() const {
    if (!measures() || (wantedSlack() && slackNow(step_) == nullptr)) {
        return std::nullopt;
    }
    MeasureRequest request{runs_, shows_, {}, nullptr};
    for (const std::size_t step : stepsShown()) {
        request.over.push_back({step, loadRange(step)});
    }
    if (wantedSlack()) {
        request.slack = *slack_.answer();
    }
    return request;
}

TorusTableRequest TorusView::wantedTable() const {
    return {runs_, step_, moment(), loadRange(step_), slackNow(step_) ? *slack_.answer() : nullptr};
}

const TorusMeasure* TorusView::measureNow(std::size_t step) const {
    const auto& known = measures_.answered();
    if (!measures_.answer() || known->runs != runs_ || known->shows != shows_) {
        return nullptr;
    }
    const auto run = std::ranges::find(known->over, step, &MeasureRequest::Run::step);
    return run == known->over.end()
               ? nullptr
               : &(**measures_.answer())[static_cast<std::size_t>(run - known->over.begin())];
}

void TorusView::ask() {
    const auto one = [this](auto& inquiry, const auto& wanted) {
        if (wanted && isVisible() && inquiry.answered() != wanted) {
            inquiry.ask(*wanted);
        } else if (inquiry.asked() && inquiry.asked() != wanted) {
            inquiry.cancel();
        } // else it is known, or a file waits for it
    };
    one(slack_, session().isComputing() ? std::nullopt : wantedSlack());
    one(measures_, wantedMeasures());
    setUpdating(slack_.asked() || measures_.asked());
}

void TorusView::forgetOldAnswers() {
    const auto forget = [this](auto& inquiry) {
        const auto old = [this](const auto& request) { return request && request->runs != runs_; };
        if (old(inquiry.asked()) || old(inquiry.answered())) {
            inquiry.clear();
        }
    };
    forget(slack_);
    forget(measures_);
    forget(tables_);
}

bool TorusView::isCurrent() const {
    if (!measures()) {
        return PaintedView::isCurrent();
    }
    const auto wanted = wantedMeasures();
    return PaintedView::isCurrent() && wanted && measures_.answer() && measures_.answered() == wanted;
}

void TorusView::complete(const Completed& completed) {
    const auto wanted = wantedMeasures();
    if (!session().current() || step_ >= runs_.size() || runs_[step_]->chip_rows().empty()) {
        PaintedView::complete(completed);
    } else if (!measures()) {
        tables_.ask(wantedTable(), completed);
    } else if (wanted) {
        measures_.ask(*wanted, [this, completed](const Result<void>& found) {
            found ? tables_.ask(wantedTable(), completed) : completed(found);
        });
    } else {
        slack_.ask(*wantedSlack(), [this, completed](const Result<void>& found) {
            found ? complete(completed) : completed(found);
        });
    }
}

void TorusView::giveUp() {
    slack_.cancel();
    measures_.cancel();
    tables_.cancel();
    ask(); // what is seen is still asked for
}

} // namespace meshslice::ui
