#include "ui/variants/variant_answers.h"

#include "core/evidence/own_step.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_findings.h"
#include "core/report/words/headline.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/plans.h"
#include "ui/session/run.h"
#include "ui/session/session.h"

#include <algorithm>
#include <optional>
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

/// Of a plan: what is not computing is waited for.
VariantAnswer planAnswerOf(const Scenario& scenario, const PlanAnswer& plans) {
    const PlanReading& reading = plans.chosen().reading;
    VariantAnswer answer;
    answer.scenario = alone(scenario);
    const std::optional<double>& measured = scenario.planning.measured_step;
    const ExpectedStep expected = corrected_of(plans, plans.chosen(), measured);
    const bool leads = leads_expected(plans.question, plans.chosen(), expected);
    answer.time = seconds(leads ? expected.seconds : reading.time.total);
    answer.usage.compute = seconds(leads ? expected.parts.compute : reading.time.compute);
    answer.usage.exposed = answer.time - answer.usage.compute;
    answer.utilization = leads ? expected_utilization(plans.chosen(), expected) : reading.utilization;
    answer.fits = reading.fits;
    answer.headline =
        words(plans.loaded ? loaded_finding(plans, expected, corrected_of(plans, plans.best(), measured))
                           : plan_finding(plans, expected));
    return answer;
}

VariantAnswer refusedAnswer(const Scenario& scenario, const QString& sentence) {
    VariantAnswer refused;
    refused.scenario = alone(scenario);
    refused.refusal = sentence;
    return refused;
}

VariantAnswer plannedAnswer(const Scenario& scenario, const RunControl& control,
                            const std::shared_ptr<TunedGroups>& groups) {
    const std::optional<AskedPlans> asked = asked_plans(scenario);
    if (!asked) {
        return refusedAnswer(scenario, words(plan_question(scenario).error().sentence));
    }
    const Result<PlanAnswer> found = answer(*asked, 1, control, groups, ranks_by(asked->question));
    return found ? planAnswerOf(scenario, *found) : refusedAnswer(scenario, words(found.error().sentence));
}

VariantAnswer steppedAnswer(const Scenario& scenario, const RunControl& control) {
    RunProgress progress;
    const Result<ResultsPtr> outcome = runScenario(scenario, 0, progress, control);
    return outcome ? answerOf(scenario, (*outcome)->steps.front())
                   : refusedAnswer(scenario, words(outcome.error().sentence));
}

} // namespace

VariantAnswers::VariantAnswers(Session* session, QObject* parent) : QObject(parent), session_(session) {
    connect(session_, &Session::changed, this, &VariantAnswers::follow);
    connect(session_->document(), &Document::projectChanged, this, &VariantAnswers::follow);
    connect(session_->plans(), &Plans::changed, this, &VariantAnswers::follow);
    connect(session_, &Session::taskChanged, this, &VariantAnswers::follow);
    follow();
}

bool VariantAnswers::isPlanned() const {
    return session_->task() == Task::training;
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
        take(refusedAnswer(results.reference->scenario, words(results.objection)));
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

void VariantAnswers::takeStep() {
    const SessionState& state = session_->state();
    if (const ResultsPtr results = session_->current(); results && isAnother(taken_, results)) {
        taken_ = results;
        takeResults(*results);
    } else if (state.kind == Session::Kind::failed && !state.cancelled) {
        take(refusedAnswer(state.scenario, state.sentence));
    }
}

void VariantAnswers::takePlans() {
    const SessionState& state = session_->state();
    const PlansState& plans = session_->plans()->state();
    if (plans.kind == Plans::Kind::failed) {
        take(refusedAnswer(state.scenario, plans.sentence));
    } else if (const FoundPlansPtr found = session_->plans()->current()) {
        take(planAnswerOf(state.scenario, found->answer));
        if (found->of_a && state.reference) {
            take(planAnswerOf(state.reference->scenario, found->of_a->answer));
        }
    }
}

void VariantAnswers::follow() {
    if (std::exchange(planned_, isPlanned()) != isPlanned()) {
        known_.clear();
        taken_.reset();
        job_.cancel();
        asked_.reset();
    }
    if (planned_) {
        takePlans();
    } else {
        takeStep();
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
    job_.start([this, scenario, planned = planned_,
                groups = session_->plans()->groups()](const RunControl& control) -> LatestJob::Tell {
        const VariantAnswer answer =
            planned ? plannedAnswer(scenario, control, groups) : steppedAnswer(scenario, control);
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
