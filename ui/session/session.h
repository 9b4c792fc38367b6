#pragma once

#include "ui/document/document.h"
#include "ui/session/explainer.h"
#include "ui/session/results.h"
#include "ui/session/selection.h"
#include "ui/session/task.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <string_view>

namespace meshslice::ui {

class Plans;
class Runner;

/// What is true of the scenario at the moment.
struct SessionState {
    enum class Kind : std::uint8_t {
        empty,     ///< nothing has been run yet
        computing, ///< `results` are of the previous run, null where there are none
        ready,     ///< `results` are the scenario's
        failed     ///< `sentence` says why; there are no results
    };

    Kind kind = Kind::empty;
    Scenario scenario;                ///< what the state is about: the newest that was asked for
    std::optional<Variant> reference; ///< and what it is compared with
    ResultsPtr results;
    ReasonsPtr reasons;     ///< why the results are as they are; null until they are found
    QString sentence;       ///< computing: why the previous run failed, where it did
    bool cancelled = false; ///< it failed because the user stopped it
    bool late = false;      ///< it computes for longer than `Session::patience_ms`: say so
};

/// The one answer to "what is on the screen true of?": scenario -> state -> results -> reasons. Views, the
/// headline, details and exports pull from it whenever it says `changed`, and keep no results of their own.
class Session : public QObject {
    Q_OBJECT
  public:
    using Kind = SessionState::Kind;

    /// A run shorter than this changes no picture before it has ended, so that nothing flickers.
    static constexpr int patience_ms = 250;

    explicit Session(Document* document, QObject* parent = nullptr);
    ~Session() override;

    /// Runs the document's scenario, now and after every edit. Connect this before anything else that follows
    /// the document: the run has begun while fields and pictures follow the edit.
    void follow();

    [[nodiscard]] const SessionState& state() const { return state_; }
    [[nodiscard]] bool isComputing() const { return state_.kind == Kind::computing; }
    /// What the engine answered to the scenario; null unless the state is `ready`. What leaves the program
    /// comes from here.
    [[nodiscard]] ResultsPtr current() const;
    /// What the previous run answered, while the next one computes; only to be painted under a veil.
    [[nodiscard]] ResultsPtr previous() const;
    /// Whichever of the two there is.
    [[nodiscard]] ResultsPtr shown() const { return state_.results; }
    /// Of the current results; null until they are found.
    [[nodiscard]] ReasonsPtr reasons() const;
    [[nodiscard]] bool isExplaining() const { return explainer_->isBusy(); }

    /// Why there are no current results, and what to do about it; empty where there are.
    [[nodiscard]] QString whyNoResults() const;

    /// What the frame is about. The document says which of those that are about its scenario.
    [[nodiscard]] Task task() const;
    /// A GEMM in place of a block, or a block in place of a GEMM, is an edit of the scenario; the rest is
    /// none.
    void setTask(Task task);
    /// The same, to one of these, unless it is one already: the document's own where that is among them.
    void setTaskAmong(Tasks tasks);

    [[nodiscard]] Selection* selection() { return &selection_; }
    [[nodiscard]] Document* document() { return document_; }
    [[nodiscard]] Runner* runner() { return runner_; }
    [[nodiscard]] Explainer* explainer() { return explainer_; }
    /// Of the scenario as a training run.
    [[nodiscard]] Plans* plans() const { return plans_; }

    /// Asks the document for an edit of a field, by its key, that is an undo step of its own. A refusal is
    /// said by the editor.
    void edit(const std::function<void(Scenario&)>& change, std::string_view field);
    void runAgain();
    /// Gives up the run, or the search for its reasons where it has ended.
    void cancelRun();

  signals:
    /// The state is another one.
    void changed();
    void taskChanged();

  protected:
    /// Takes a state over and says so, if it is another one.
    void become(SessionState state);

  private:
    /// `known`: results that need not be computed again; null for none.
    void beginRun(const ResultsPtr& known);
    void takeResults(const ResultsPtr& results);
    void fail(const QString& sentence, bool cancelled);
    void repairSelection();
    /// Says so where the task is another one than before.
    void followTask();
    [[nodiscard]] Task taskOfDocument() const;

    Document* document_;
    std::optional<Task> aside_; ///< what the document does not ask
    Task known_task_ = Task::block;
    Selection selection_;
    SessionState state_;
    Runner* runner_;
    Explainer* explainer_;
    Plans* plans_;
    QTimer patience_;
};

/// Whether what was derived from `before` has to be derived from `now` again. Remembers no results for it: a
/// weak pointer knows them apart also when they are gone.
template <class T>
[[nodiscard]] bool isAnother(const std::weak_ptr<const T>& before, const std::shared_ptr<const T>& now) {
    return before.owner_before(now) || now.owner_before(before);
}

} // namespace meshslice::ui
