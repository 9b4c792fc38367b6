#include "ui/planner/pipeline_pane.h"

#include "core/plan/inside/plan_run.h"
#include "ui/look/picture_scale.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

Result<SimulatedPipeline> simulatedPipeline(const ChosenPlan& chosen, const RunControl& control) {
    return plan_timeline(chosen, control).map([](const PlanTimeline& timeline) {
        auto plan = std::make_shared<const PlanAndModel>(PlanAndModel{*timeline.model, timeline.of.plan});
        return SimulatedPipeline{timeline, std::make_shared<const PlanRun>(timeline.run, std::move(plan))};
    });
}

} // namespace

PipelinePane::PipelinePane(QWidget* parent)
    : PicturePane(simulatedPipeline, parent)
    , of_a_(simulatedPipeline,
            [this] {
                showAnswer();
                emit answered();
            })
    , browser_([this] { browsed(); },
               [this](const RunKey& key) {
                   if (!opening_.ask({browser_.depth(), key})) {
                       opened();
                   }
               })
    , opened_runs_(std::make_shared<OpenedRuns>())
    , opening_([runs = opened_runs_](const Opening& opening,
                                     const RunControl& control) { return runs->open(opening.key, control); },
               [this] { opened(); }) {
    setAccessibleName(tr("Timeline of the pipeline"));
    setMouseTracking(true);
}

std::vector<KeyHelp> PipelinePane::keys() const {
    return {{tr("W and S, Ctrl+wheel"), tr("Zoom into the pipeline's time and out")},
            {tr("A and D, left and right, drag"), tr("Move in time")},
            {tr("Up and down"), tr("Select a stage")},
            {tr("Enter or double click"), tr("Go into a bar: a pass, a block, a task, a collective")},
            {tr("Backspace"), tr("Go back out")},
            {tr("Home, or double click elsewhere"), tr("Show the whole step")}};
}

const PlanTimeline* PipelinePane::timeline() const {
    return answer() != nullptr ? &answer()->timeline : nullptr;
}

void PipelinePane::compareWith(const std::optional<ChosenPlan>& of_a, const QString& difference) {
    difference_ = difference;
    if (wanted_of_a_ != of_a) {
        wanted_of_a_ = of_a;
        renew();
    }
}

bool PipelinePane::isReady() const {
    return PicturePane::isReady() && (!wanted_of_a_ || of_a_.answered() == wanted_of_a_);
}

QString PipelinePane::sentence() const {
    return PicturePane::isReady() && of_a_.asked() ? tr("Computing the pipeline of A…")
                                                   : PicturePane::sentence();
}

void PipelinePane::complete(const Completed& completed) {
    PicturePane::complete([this, completed](const Result<void>& outcome) {
        if (outcome && wanted_of_a_) {
            of_a_.ask(*wanted_of_a_, [completed](const Result<void>&) { completed({}); });
        } else {
            completed(outcome);
        }
    });
}

void PipelinePane::renew() {
    if (!wanted_of_a_) {
        of_a_.clear();
    } else if (isVisible()) {
        of_a_.ask(*wanted_of_a_);
    }
    PicturePane::renew();
}

void PipelinePane::showAnswer() {
    const SimulatedPipeline* now = answer();
    const std::optional<ChosenPlan> beside = of_a_.answer() ? wanted_of_a_ : std::nullopt;
    if (now == nullptr) {
        of_.reset();
        opening_.clear();
        browser_.clear();
        setAccessibleDescription(sentence());
        pictureChanged();
    } else if (of_ != now->timeline.of || beside_ != beside) {
        of_ = now->timeline.of;
        beside_ = beside;
        opened_runs_->clear();
        opening_.clear();
        browser_.show(beside ? pipelinesWindow(of_a_.answer()->timeline, of_a_.answer()->run, now->timeline,
                                               now->run, difference_)
                             : pipelineWindow(now->timeline, now->run));
        setAccessibleDescription(beside ? difference_ : pipelineFinding(now->timeline));
    }
}

void PipelinePane::browsed() {
    if (const RunWindow* window = browser_.window(); window != nullptr && timeline() != nullptr) {
        const bool outermost = browser_.depth() == 1;
        setAccessibleDescription(outermost
                                     ? window->words.row(window->row.value_or(0)).join(QStringLiteral("; "))
                                     : QString(window->path.join(QStringLiteral(", ")) +
                                               QStringLiteral(": ") + window->words.finding));
    }
    pictureChanged();
}

void PipelinePane::opened() {
    if (opening_.answered() && opening_.answered()->depth == browser_.depth() && opening_.answer()) {
        browser_.enter(opening_.answered()->key, *opening_.answer());
    }
    browser_.note(opening_.refusal());
}

void PipelinePane::cancel(bool awaited) {
    opening_.cancel();
    awaited ? of_a_.cancel() : of_a_.cancelUnlessAwaited();
    PicturePane::cancel(awaited);
}

RunLayout PipelinePane::layoutNow() const {
    return browser_.window() != nullptr ? layoutRun(toPicture(size()), *browser_.window()) : RunLayout();
}

void PipelinePane::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    if (!plain || !browser_.key(event->key(), toPicture(size()))) {
        PicturePane::keyPressEvent(event);
    }
}

void PipelinePane::wheelEvent(QWheelEvent* event) {
    const TimeStep step = timeStep(*event);
    if (browser_.window() == nullptr || step.move == TimeMove::rows) {
        event->ignore(); // the page scrolls
        return;
    }
    browser_.move(step, event->position().x() / pictureScale(), toPicture(size()));
    event->accept();
}

void PipelinePane::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && browser_.window() != nullptr) {
        browser_.press(toPicture(event->pos()));
        return;
    }
    PicturePane::mousePressEvent(event);
}

void PipelinePane::mouseMoveEvent(QMouseEvent* event) {
    browser_.hover(toPicture(event->pos()));
    update();
    if (!browser_.drag(toPicture(event->pos()), toPicture(size()))) {
        PicturePane::mouseMoveEvent(event);
    }
}

void PipelinePane::leaveEvent(QEvent* event) {
    browser_.hover(std::nullopt);
    update();
    PicturePane::leaveEvent(event);
}

void PipelinePane::mouseReleaseEvent(QMouseEvent* event) {
    browser_.release(toPicture(event->pos()), toPicture(size()));
    PicturePane::mouseReleaseEvent(event);
}

void PipelinePane::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        browser_.doubleClick(toPicture(event->pos()), toPicture(size()));
    }
}

void PipelinePane::paintNow(QPainter& painter, const QSize& size, Theme theme) const {
    paintRun(painter, size, *browser_.window(), theme);
}

void PipelinePane::paintOver(QPainter& painter, const QSize& size, Theme theme) const {
    browser_.paintCursor(painter, size, theme);
}

QStringList PipelinePane::linesAt(const QPoint& point) const {
    return runLinesAt(*browser_.window(), layoutNow(), point);
}

int PipelinePane::leastHeight(int /*width*/) const {
    return leastRunHeight(*browser_.window());
}

Table PipelinePane::table() const {
    const PipelineRun& run = *answer()->timeline.run;
    Table table{"Stages of the pipeline",
                {"stage", "forward_s", "backward_s", "waits_s", "exposed_s", "peak_memory_bytes"},
                {}};
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        const auto total = [&](PipelineActivity activity) { return in_seconds(run.total(stage, activity)); };
        table.rows.push_back({static_cast<std::int64_t>(stage + 1), total(PipelineActivity::forward),
                              total(PipelineActivity::backward) + total(PipelineActivity::weights),
                              total(PipelineActivity::bubble),
                              total(PipelineActivity::exposed_send) +
                                  total(PipelineActivity::exposed_gather) +
                                  total(PipelineActivity::exposed_reduce),
                              run.peak(stage).value()});
    }
    return table;
}

QString PipelinePane::readAloud() const {
    return browser_.window() != nullptr
               ? QString(browser_.window()->words.finding + QLatin1Char(' ') + accessibleDescription())
               : sentence();
}

std::vector<ReadablePart> PipelinePane::readableParts() const {
    return browser_.window() != nullptr ? readableRuns(*browser_.window(), layoutNow())
                                        : std::vector<ReadablePart>();
}

} // namespace meshslice::ui
