#include "ui/session/session.h"

#include "core/scenario/fields.h"
#include "ui/session/plans.h"
#include "ui/session/runner.h"

#include <utility>

namespace meshslice::ui {

Session::Session(Document* document, QObject* parent)
    : QObject(parent)
    , document_(document)
    , runner_(new Runner(this))
    , explainer_(new Explainer(this))
    , plans_(new Plans(this)) {
    patience_.setSingleShot(true);
    patience_.setInterval(patience_ms);
    connect(&patience_, &QTimer::timeout, this, [this] {
        state_.late = true;
        emit changed();
    });
    connect(runner_, &Runner::finished, this, &Session::takeResults);
    connect(runner_, &Runner::failed, this, [this](const QString& sentence) { fail(sentence, false); });
    connect(runner_, &Runner::cancelled, this, [this] {
        fail(tr("The run was cancelled. F5 starts it again, Ctrl+Z undoes the last change."), true);
    });
    connect(explainer_, &Explainer::finished, this, [this](const ReasonsPtr& reasons) {
        state_.reasons = reasons;
        emit changed();
    });
}

// What is still at work has nobody to answer to.
Session::~Session() {
    delete plans_;
    delete explainer_;
    delete runner_;
}

void Session::follow() {
    known_task_ = task();
    connect(document_, &Document::projectChanged, this, &Session::followTask);
    connect(document_, &Document::replaced, this, [this] {
        aside_.reset(); // what was opened is to be seen
        followTask();
    });
    connect(document_, &Document::scenarioChanged, this, [this] { beginRun(state_.results); });
    beginRun(nullptr);
}

/// The run begins first and what shows it follows.
void Session::beginRun(const ResultsPtr& known) {
    explainer_->cancel(); // what it looks into is about to be of the past
    const Project& project = document_->project();
    const Variant* reference = document_->reference();
    runner_->request(
        {project.variants[project.current], reference != nullptr ? std::optional(*reference) : std::nullopt},
        known);
    SessionState next = state_;
    next.kind = Kind::computing;
    next.scenario = document_->scenario();
    next.reference = reference != nullptr ? std::optional(*reference) : std::nullopt;
    next.cancelled = false;
    become(std::move(next));
}

void Session::takeResults(const ResultsPtr& results) {
    SessionState next;
    next.kind = Kind::ready;
    next.scenario = results->scenario;
    next.reference = results->reference;
    next.results = results;
    explainer_->request(results); // begins after the results have been painted
    become(std::move(next));
}

void Session::fail(const QString& sentence, bool cancelled) {
    SessionState next;
    next.kind = Kind::failed;
    next.scenario = state_.scenario;
    next.reference = state_.reference;
    next.sentence = sentence;
    next.cancelled = cancelled;
    become(std::move(next));
}

void Session::become(SessionState state) {
    if (state.kind != Kind::computing) {
        patience_.stop();
        state.late = false;
    } else if (!state.late && !patience_.isActive()) {
        patience_.start();
    }
    state_ = std::move(state);
    if (state_.kind == Kind::ready) {
        repairSelection();
    }
    emit changed();
}

/// What was selected may not be there any more; a GEMM by its place still is what the user was reading.
void Session::repairSelection() {
    if (auto selected = selection_.selected()) {
        const auto& steps = state_.results->steps;
        const bool there =
            selected->step < steps.size() && selected->gemm < steps[selected->step].gemms.size();
        selected->row.reset();
        selected->interval.reset();
        selection_.select(there ? selected : std::nullopt);
    }
}

Task Session::taskOfDocument() const {
    if (document_->project().task == ProjectTask::serving) {
        return Task::serving;
    }
    if (document_->scenario().gemm) {
        return Task::gemm;
    }
    return document_->project().task == ProjectTask::training ? Task::training : Task::block;
}

Task Session::task() const {
    return aside_.value_or(taskOfDocument());
}

void Session::followTask() {
    if (std::exchange(known_task_, task()) != task()) {
        emit taskChanged();
    }
}

void Session::setTask(Task task) {
    aside_ = has(of_document, task) ? std::nullopt : std::optional(task);
    if (!aside_) {
        document_->setTask(task == Task::training  ? ProjectTask::training
                           : task == Task::serving ? ProjectTask::serving
                                                   : ProjectTask::step);
        if (has(of_scenario, task) && (task == Task::gemm) != document_->scenario().gemm.has_value()) {
            edit(
                [task](Scenario& scenario) {
                    (void)scenario_field("task").set(scenario,
                                                     std::string(task == Task::gemm ? "gemm" : "step"));
                },
                "task");
        }
    }
    followTask();
}

void Session::setTaskAmong(Tasks tasks) {
    if (has(tasks, task())) {
        return;
    }
    for (const Task one : {taskOfDocument(), Task::block, Task::gemm, Task::training, Task::serving,
                           Task::papers, Task::lab}) {
        if (has(tasks, one)) {
            setTask(one);
            return;
        }
    }
}

ResultsPtr Session::current() const {
    return state_.kind == Kind::ready ? state_.results : nullptr;
}

ResultsPtr Session::previous() const {
    return state_.kind == Kind::computing ? state_.results : nullptr;
}

ReasonsPtr Session::reasons() const {
    return state_.reasons && state_.reasons->results == state_.results ? state_.reasons : nullptr;
}

QString Session::whyNoResults() const {
    switch (state_.kind) {
    case Kind::ready: return {};
    case Kind::failed: return state_.sentence.isEmpty() ? tr("The run failed.") : state_.sentence;
    case Kind::computing:
        // A short run after a failed one changes nothing on the screen before it has ended.
        return state_.late || state_.sentence.isEmpty() ? tr("Computing…") : state_.sentence;
    case Kind::empty: break;
    }
    return tr("Nothing to show yet. Choose a model and a mesh on the left, or open an example.");
}

void Session::edit(const std::function<void(Scenario&)>& change, std::string_view field) {
    Scenario next = document_->scenario();
    change(next);
    document_->endEdit(); // what was typed before is an undo step of its own
    (void)document_->edit(next, field);
    document_->endEdit();
}

void Session::runAgain() {
    beginRun(nullptr);
}

void Session::cancelRun() {
    runner_->cancel();
    if (isExplaining()) {
        explainer_->cancel();
        emit changed();
    }
}

} // namespace meshslice::ui
