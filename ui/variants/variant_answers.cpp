#include "ui/variants/variant_answers.h"

#include "core/report/words/headline.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/run.h"
#include "ui/session/session.h"

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

/// What is compared with a variant changes nothing of its own answer.
Scenario alone(Scenario scenario) {
    scenario.compare.clear();
    return scenario;
}

VariantAnswer answerOf(const Scenario& scenario, const TrainingStep& step) {
    VariantAnswer answer;
    answer.scenario = alone(scenario);
    answer.time = step.time;
    answer.flop = step.flop;
    answer.usage = step.usage;
    answer.utilization = step.utilization;
    answer.fits = step.fits();
    answer.headline = words(headline(step));
    return answer;
}

} // namespace

VariantAnswers::VariantAnswers(Session* session, QObject* parent) : QObject(parent), session_(session) {
    connect(session_, &Session::changed, this, &VariantAnswers::follow);
    connect(session_->document(), &Document::projectChanged, this, &VariantAnswers::follow);
    follow();
}

const VariantAnswer* VariantAnswers::of(const Scenario& scenario) const {
    const auto found = std::ranges::find(known_, alone(scenario), &VariantAnswer::scenario);
    return found == known_.end() ? nullptr : &*found;
}

void VariantAnswers::take(VariantAnswer answer) {
    const auto same = std::ranges::find(known_, answer.scenario, &VariantAnswer::scenario);
    if (same != known_.end()) {
        *same = std::move(answer);
    } else {
        known_.push_back(std::move(answer));
    }
}

void VariantAnswers::takeResults(const Results& results) {
    for (std::size_t step = 0; step < results.steps.size(); ++step) {
        const Scenario& of = results.scenario_of(step);
        if (results.steps[step].algorithm == of.plan.algorithm) { // else it is the algorithm to compare with
            take(answerOf(of, results.steps[step]));
        }
    }
    if (results.reference && !results.objection.empty()) {
        VariantAnswer refused;
        refused.scenario = alone(results.reference->scenario);
        refused.refusal = words(results.objection);
        take(std::move(refused));
    }
}

void VariantAnswers::forgetOthers() {
    std::vector<Scenario> wanted;
    for (const Variant& variant : session_->document()->project().variants) {
        wanted.push_back(alone(variant.scenario));
    }
    std::erase_if(known_, [&](const VariantAnswer& one) {
        return std::ranges::find(wanted, one.scenario) == wanted.end();
    });
}

void VariantAnswers::follow() {
    const SessionState& state = session_->state();
    if (const ResultsPtr results = session_->current(); results && isAnother(taken_, results)) {
        taken_ = results;
        takeResults(*results);
    } else if (state.kind == Session::Kind::failed && !state.cancelled) {
        VariantAnswer refused;
        refused.scenario = alone(state.scenario);
        refused.refusal = state.sentence;
        take(std::move(refused));
    }
    forgetOthers();
    if (session_->isComputing()) { // which goes first
        job_.cancel();
        asked_.reset();
    } else {
        computeNext();
    }
    emit changed();
}

void VariantAnswers::computeNext() {
    const auto& variants = session_->document()->project().variants;
    if (variants.size() < 2) {
        job_.cancel();
        asked_.reset();
        return;
    }
    // The session answers the current one; who has stopped its run wants no other one to begin.
    const Variant* current = &variants[session_->document()->project().current];
    const auto next = std::ranges::find_if(variants, [&](const Variant& variant) {
        return &variant != current && of(variant.scenario) == nullptr;
    });
    if (next == variants.end() || session_->state().cancelled) {
        return;
    }
    const Scenario scenario = alone(next->scenario);
    if (asked_ == scenario) {
        return;
    }
    asked_ = scenario;
    job_.start([this, scenario](const RunControl& control) -> LatestJob::Tell {
        RunProgress progress;
        const Result<ResultsPtr> outcome = runScenario(scenario, 0, progress, control);
        VariantAnswer answer;
        if (outcome) {
            answer = answerOf(scenario, (*outcome)->steps.front());
        } else {
            answer.scenario = scenario;
            answer.refusal = words(outcome.error().sentence);
        }
        return [this, answer] {
            asked_.reset();
            take(answer);
            forgetOthers();
            computeNext();
            emit changed();
        };
    });
}

} // namespace meshslice::ui
