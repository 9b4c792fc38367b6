#pragma once

#include "core/evidence/expected_plan.h"
#include "core/plan/search/loaded_plan.h"
#include "core/report/plan/plan_findings.h"
#include "ui/session/inquiry.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace meshslice::ui {

class Session;

/// What plans are asked for: the scenario's and, where it is compared with an A that has others, A's.
struct WantedPlans {
    AskedPlans own;
    std::optional<double> measured_step; ///< seconds, of the loaded or the best plan, as the user timed it
    std::optional<AskedPlans> of_a;
    std::optional<double> measured_step_of_a;
    std::string name_of_a;

    bool operator==(const WantedPlans&) const = default;
};

/// A question's plans, and what is expected of each of PlanAnswer::plans() by measured runs.
struct ExpectedPlans {
    PlanAnswer answer;
    std::vector<ExpectedStep> expected;
};
/// One that was read.
struct ExpectedPlan {
    RankedPlan plan;
    ExpectedStep expected;
};

/// What was found. Immutable; views share it.
struct FoundPlans {
    WantedPlans of;
    PlanAnswer answer;                  ///< the search's, with the plan that is loaded
    std::vector<RankedPlan> plans;      ///< answer.plans(), which are selected by their place
    std::vector<ExpectedStep> expected; ///< of each of them, by measured runs, corrected by the user's own
    QString why_not_loaded;       ///< why the scenario's loaded plan does not suit it; empty where it does
    std::optional<PlansOfA> of_a; ///< none where A has no plans

    /// What is expected of a plan that was found.
    [[nodiscard]] const ExpectedStep& expectedOf(const Plan& plan) const;
    /// Of the plan that is loaded, or the best one.
    [[nodiscard]] const ExpectedStep& expectedOfChosen() const { return expectedOf(answer.chosen().plan); }
};
using FoundPlansPtr = std::shared_ptr<const FoundPlans>;

/// What is known of the plans of the session's scenario at the moment.
struct PlansState {
    enum class Kind : std::uint8_t {
        empty,     ///< nothing was asked yet, or it was given up; `found` are of an older question
        computing, ///< `found` are of the previous question, null where there are none
        ready,     ///< `found` are the scenario's
        failed     ///< `sentence` says why; `found` is null
    };

    Kind kind = Kind::empty;
    FoundPlansPtr found;
    QString sentence; ///< what stands in the place of a picture; empty where it is ready
};

/// The plans of the session's scenario, of one training run: the best that a search finds and the loaded one,
/// next to those of A. Computed off the UI thread, and only while a reader wants them or a file waits. The
/// plan view, the summary, headline, details and exports pull from it whenever it says `changed`.
class Plans : public QObject {
    Q_OBJECT
  public:
    using Kind = PlansState::Kind;

    /// As many ranked plans as are read.
    static constexpr std::size_t ranked = 12;

    /// Follows the session from now on.
    explicit Plans(Session* session);

    [[nodiscard]] const PlansState& state() const { return state_; }
    /// Null unless the state is `ready`. What leaves the program comes from here.
    [[nodiscard]] FoundPlansPtr current() const {
        return state_.kind == Kind::ready ? state_.found : nullptr;
    }
    /// These, or while the next ones are computed the previous ones, to be painted under a veil.
    [[nodiscard]] FoundPlansPtr shown() const { return state_.found; }
    /// What a scenario asks; refused where it is not a training run.
    [[nodiscard]] Result<PlanQuestion> question() const;

    /// A reader begins or ends to want them; one that is destroyed wants nothing.
    void want(const QObject* reader, bool wanted);
    /// For a file: calls `completed` when they are there, at once if they are, or with why there are none.
    void complete(const Completed& completed);
    /// Gives up what is under way, files that wait for it included; what a reader wants is asked again.
    void giveUp();
    [[nodiscard]] double progress() const { return search_.progress(); }

    /// The plan that is looked into, a place in FoundPlans::plans: at first the loaded or the best one.
    [[nodiscard]] int selected() const { return selected_; }
    /// Null where there are no current plans.
    [[nodiscard]] const RankedPlan* selectedPlan() const;
    void select(int plan);

    /// What searches and other readers have tuned is there for the next, so that an edit costs only what is
    /// new.
    [[nodiscard]] const std::shared_ptr<TunedGroups>& groups() const { return groups_; }
    /// What searches, for tests that hold it at a gate.
    [[nodiscard]] LatestJob* job() { return search_.job(); }

  signals:
    /// The state is another one.
    void changed();
    /// Another plan of the same ones is selected, or the same again.
    void selectionChanged();

  private:
    void follow();
    /// Gives up what only a reader wanted.
    void giveUpUnlessAwaited();
    void takeAnswers();
    [[nodiscard]] std::optional<WantedPlans> wanted() const;
    [[nodiscard]] bool isFound(const WantedPlans& wanted) const;
    [[nodiscard]] FoundPlansPtr collect(const WantedPlans& wanted) const;
    [[nodiscard]] bool isAsking() const { return search_.asked() || loaded_.asked() || of_a_.asked(); }

    Session* session_;
    std::set<const QObject*> readers_;
    PlansState state_;
    int selected_ = 0;
    const std::shared_ptr<TunedGroups> groups_ = std::make_shared<TunedGroups>();
    Inquiry<PlanQuestion, ExpectedPlans> search_;
    Inquiry<ChosenPlan, ExpectedPlan> loaded_;
    Inquiry<AskedPlans, PlanAnswer> of_a_;
};

} // namespace meshslice::ui
