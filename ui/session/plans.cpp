#include "ui/session/plans.h"

#include "core/evidence/own_step.h"
#include "ui/session/session.h"

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

/// Asks what is wanted, if anything.
template <class Request, class Reply>
void ask(Inquiry<Request, Reply>& inquiry, const std::optional<Request>& wanted) {
    if (wanted) {
        static_cast<void>(inquiry.ask(*wanted));
    } else {
        inquiry.clear();
    }
}

ExpectedPlans withExpected(const PlanAnswer& answer) {
    ExpectedPlans made{answer, {}};
    for (const RankedPlan& one : answer.plans()) {
        made.expected.push_back(expected_of(answer.question, one));
    }
    return made;
}

/// What the plans are expected to take, by a measured step of the chosen one too.
void correct(FoundPlans& found, const std::optional<double>& measured_step) {
    if (const std::optional<OwnStep> own = own_step_of(found.answer, measured_step)) {
        for (ExpectedStep& one : found.expected) {
            one = narrowed(one, *own);
        }
    }
}

} // namespace

const ExpectedStep& FoundPlans::expectedOf(const Plan& plan) const {
    static const ExpectedStep none;
    const auto at =
        static_cast<std::size_t>(std::ranges::find(plans, plan, &RankedPlan::plan) - plans.begin());
    return at < expected.size() ? expected[at] : none;
}

Plans::Plans(Session* session)
    : QObject(session)
    , session_(session)
    , search_(
          [groups = groups_](const PlanQuestion& question, const RunControl& control) {
              return answer(question, ranked, control, groups, ranks_by(question)).map(withExpected);
          },
          [this] { takeAnswers(); })
    , loaded_(
          [groups = groups_](const ChosenPlan& chosen, const RunControl&) {
              return read_chosen_plan(chosen, groups).map([&](const RankedPlan& plan) {
                  return ExpectedPlan{plan, expected_of(chosen.question, plan)};
              });
          },
          [this] { takeAnswers(); })
    , of_a_(
          [groups = groups_](const AskedPlans& asked, const RunControl& control) {
              return answer(asked, ranked, control, groups, ranks_by(asked.question));
          },
          [this] { takeAnswers(); }) {
    connect(session, &Session::changed, this, &Plans::follow);
}

Result<PlanQuestion> Plans::question() const {
    return plan_question(session_->state().scenario);
}

std::optional<WantedPlans> Plans::wanted() const {
    const std::optional<AskedPlans> own = asked_plans(session_->state().scenario);
    if (!own) {
        return std::nullopt;
    }
    WantedPlans wanted{*own, session_->state().scenario.planning.measured_step, {}, {}, {}};
    if (const std::optional<Variant>& reference = session_->state().reference) {
        wanted.of_a = asked_plans(reference->scenario);
        if (wanted.of_a == own) {
            wanted.of_a.reset(); // the same plans
        } else {
            wanted.name_of_a = reference->name;
            wanted.measured_step_of_a = reference->scenario.planning.measured_step;
        }
    }
    return wanted;
}

bool Plans::isFound(const WantedPlans& wanted) const {
    return search_.answer() && search_.answered() == wanted.own.question &&
           (!wanted.own.loaded || loaded_.answered() == wanted.own.loaded) &&
           (!wanted.of_a || of_a_.answered() == wanted.of_a);
}

void Plans::want(const QObject* reader, bool wanted) {
    if (!wanted) {
        if (readers_.erase(reader) > 0) {
            reader->disconnect(this);
            giveUpUnlessAwaited();
        }
        return;
    }
    if (readers_.insert(reader).second) {
        connect(reader, &QObject::destroyed, this, [this, reader] {
            disconnect(this, nullptr, reader, nullptr); // it is half gone, and must hear of nothing
            readers_.erase(reader);
            giveUpUnlessAwaited();
        });
    }
    follow();
}

void Plans::giveUpUnlessAwaited() {
    if (readers_.empty()) {
        search_.cancelUnlessAwaited();
        loaded_.cancelUnlessAwaited();
        of_a_.cancelUnlessAwaited();
        takeAnswers();
    }
}

void Plans::giveUp() {
    search_.cancel();
    loaded_.cancel();
    of_a_.cancel();
    follow();
}

/// Plans do not wait for the run, which they have nothing to do with.
void Plans::follow() {
    const std::optional<WantedPlans> now = wanted();
    if (!now) {
        search_.clear();
        loaded_.clear();
        of_a_.clear();
    } else if (!readers_.empty()) {
        static_cast<void>(search_.ask(now->own.question));
        ask(loaded_, now->own.loaded);
        ask(of_a_, now->of_a);
    }
    takeAnswers();
}

void Plans::takeAnswers() {
    const std::optional<WantedPlans> now = wanted();
    PlansState next;
    if (!now) {
        next.kind = Kind::failed;
        next.sentence = words(question().error().sentence);
    } else if (isFound(*now)) {
        next.kind = Kind::ready;
        next.found = state_.found && state_.found->of == *now ? state_.found : collect(*now);
    } else if (isAsking()) {
        next.kind = Kind::computing;
        next.found = state_.found;
        next.sentence = tr("Computing…");
    } else if (search_.answered() == now->own.question && !search_.refusal().isEmpty()) {
        next.kind = Kind::failed;
        next.sentence = search_.refusal();
    } else {
        next.found = state_.found;
        next.sentence = tr("Plans are searched when a view asks for them.");
    }
    const bool same =
        next.kind == state_.kind && next.found == state_.found && next.sentence == state_.sentence;
    const bool others = next.kind == Kind::ready && next.found != state_.found;
    state_ = std::move(next);
    if (others) {
        selected_ = static_cast<int>(state_.found->answer.place_of_loaded().value_or(0));
    }
    if (!same) {
        emit changed();
    }
}

FoundPlansPtr Plans::collect(const WantedPlans& wanted) const {
    auto found = std::make_shared<FoundPlans>();
    found->of = wanted;
    found->answer = search_.answer()->answer;
    const std::vector<RankedPlan> searched = found->answer.plans();
    const std::optional<ExpectedPlan>& loaded = loaded_.answer();
    if (wanted.own.loaded) {
        found->answer.loaded = loaded ? std::optional(loaded->plan) : std::nullopt;
        found->why_not_loaded = loaded_.refusal();
    }
    found->plans = found->answer.plans();
    for (const RankedPlan& one : found->plans) { // of which only the loaded one was not searched
        const auto at = std::ranges::find(searched, one.plan, &RankedPlan::plan);
        found->expected.push_back(
            at == searched.end()
                ? loaded->expected
                : search_.answer()->expected[static_cast<std::size_t>(at - searched.begin())]);
    }
    correct(*found, wanted.measured_step);
    if (wanted.of_a && of_a_.answer()) {
        const PlanAnswer& its = *of_a_.answer();
        found->of_a =
            PlansOfA{wanted.name_of_a, its, corrected_of(its, its.chosen(), wanted.measured_step_of_a)};
    }
    return found;
}

void Plans::complete(const Completed& completed) {
    const std::optional<WantedPlans> now = wanted();
    if (!now) {
        completed(refuse(question().error()));
        return;
    }
    // One after the other. A loaded plan that does not suit the scenario, or an A without plans, is left out.
    const Completed then_of_a = [this, now, completed](const Result<void>& outcome) {
        if (outcome && now->of_a) {
            of_a_.ask(*now->of_a, [completed](const Result<void>&) { completed({}); });
        } else {
            completed(outcome);
        }
    };
    search_.ask(now->own.question, [this, now, then_of_a](const Result<void>& outcome) {
        if (outcome && now->own.loaded) {
            loaded_.ask(*now->own.loaded, [then_of_a](const Result<void>&) { then_of_a({}); });
        } else {
            then_of_a(outcome);
        }
    });
    takeAnswers();
}

const RankedPlan* Plans::selectedPlan() const {
    const FoundPlansPtr found = current();
    const auto at = static_cast<std::size_t>(selected_);
    return found && at < found->plans.size() ? &found->plans[at] : nullptr;
}

void Plans::select(int plan) {
    const FoundPlansPtr found = current();
    if (found && plan >= 0 && static_cast<std::size_t>(plan) < found->plans.size()) {
        selected_ = plan;
        emit selectionChanged();
    }
}

} // namespace meshslice::ui
