// What the tuner asks for and waits for: the maps of A and B, whose is shown and how it is computed. Its
// painting is in tuner_view.cpp.

#include "ui/tuner/tuner_view.h"

#include <algorithm>
#include <utility>

namespace meshslice::ui {

TunerSide TunerView::side() const {
    return results() && results()->reference ? side_ : TunerSide::b;
}

void TunerView::setSide(TunerSide side) {
    side_ = side;
    selected_.reset(); // the same cell stands elsewhere
    picture_.reset();
    renew();
    renewControls();
    describe();
    takeHeight();
    update();
}

QString TunerView::sideName() const {
    if (!results() || !results()->reference) {
        return {};
    }
    return side() == TunerSide::a ? QStringLiteral("A") : QStringLiteral("B");
}

TunerAnswerPtr TunerView::answer() const {
    return (side() == TunerSide::a ? inquiry_of_a_ : inquiry_).answer().value_or(nullptr);
}

TunerDifferencePtr TunerView::difference() const {
    if (side() != TunerSide::difference || !inquiry_.answer() || !inquiry_of_a_.answer()) {
        return nullptr;
    }
    if (!difference_) {
        difference_ = tunerDifference(*inquiry_of_a_.answer(), *inquiry_.answer());
    }
    return difference_;
}

const Scenario& TunerView::shownScenario() const {
    return side() == TunerSide::a ? results()->reference->scenario : results()->scenario;
}

std::optional<TunerRequest> TunerView::wanted() const {
    return results() && side() != TunerSide::a ? std::optional(tunerRequest(results()->scenario, depth_))
                                               : std::nullopt;
}

std::optional<TunerRequest> TunerView::wantedOfA() const {
    return results() && side() != TunerSide::b
               ? std::optional(tunerRequest(results()->reference->scenario, depth_))
               : std::nullopt;
}

void TunerView::renew() {
    if (session().isComputing() || !results()) {
        return;
    }
    bool busy = false;
    const auto ask = [&](auto& inquiry, const std::optional<TunerRequest>& request) {
        if (request && isVisible()) {
            busy = inquiry.ask(*request) || busy;
        } else if (!request || inquiry.asked() != request) {
            inquiry.cancel();
        } else {
            busy = true; // a file waits for it
        }
    };
    ask(inquiry_, wanted());
    ask(inquiry_of_a_, wantedOfA());
    setUpdating(busy);
    renewControls();
}

bool TunerView::isCurrent() const {
    const auto answered = [](const auto& inquiry, const std::optional<TunerRequest>& request) {
        return !request || (inquiry.answer() && inquiry.answered() == request);
    };
    return PaintedView::isCurrent() && answered(inquiry_, wanted()) && answered(inquiry_of_a_, wantedOfA());
}

void TunerView::complete(const Completed& completed) {
    if (!session().current()) {
        PaintedView::complete(completed);
        return;
    }
    const auto own = wanted();
    const auto of_a = wantedOfA();
    if (own && of_a) {
        inquiry_of_a_.ask(*of_a); // both at once
        inquiry_.ask(*own, [this, of_a, completed](const Result<void>& done) {
            if (done) {
                inquiry_of_a_.ask(*of_a, completed);
            } else {
                completed(done);
            }
        });
    } else {
        (own ? inquiry_ : inquiry_of_a_).ask(own ? *own : *of_a, completed);
    }
    renewControls();
}

double TunerView::progress() const {
    const double own = inquiry_.asked() ? inquiry_.progress() : 1.0;
    const double of_a = inquiry_of_a_.asked() ? inquiry_of_a_.progress() : 1.0;
    return side() == TunerSide::difference ? (own + of_a) / 2
           : side() == TunerSide::a        ? inquiry_of_a_.progress()
                                           : inquiry_.progress();
}

void TunerView::giveUp() {
    inquiry_.cancel();
    inquiry_of_a_.cancel();
    setUpdating(false);
    renew(); // what is seen is still asked for
}

void TunerView::take() {
    const auto scenario_of = [](const auto& inquiry) {
        return inquiry.answered() ? std::optional(inquiry.answered()->scenario) : std::nullopt;
    };
    if (std::pair now(scenario_of(inquiry_), scenario_of(inquiry_of_a_)); now != cells_of_) {
        cells_of_ = std::move(now);
        selected_.reset();
    }
    picture_.reset();
    difference_.reset();
    setUpdating(inquiry_.asked() || inquiry_of_a_.asked());
    renewControls();
    describe();
    takeHeight();
    update();
}

void TunerView::setDepth(Depth depth) {
    depth_ = depth;
    renew();
    renewControls();
}

} // namespace meshslice::ui
