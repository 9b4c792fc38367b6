#include "ui/planner/pipeline_text.h"

#include "core/base/text.h"
#include "core/report/plan/plan_lines.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <cmath>

namespace meshslice::ui {
namespace {

struct PipelineWords {
    Q_DECLARE_TR_FUNCTIONS(PipelineWords)
};

QString roleName(Role role) {
    switch (role) {
    case Role::compute: return PipelineWords::tr("forward");
    case Role::backward: return PipelineWords::tr("backward");
    case Role::weights: return PipelineWords::tr("gradients of weights");
    case Role::update: return PipelineWords::tr("optimizer step");
    case Role::exposed: return PipelineWords::tr("exposed communication");
    default: return PipelineWords::tr("waits for another stage");
    }
}

QString activityName(PipelineActivity activity) {
    switch (activity) {
    case PipelineActivity::forward: return roleName(Role::compute);
    case PipelineActivity::backward: return roleName(Role::backward);
    case PipelineActivity::weights: return roleName(Role::weights);
    case PipelineActivity::update: return roleName(Role::update);
    case PipelineActivity::exposed_send: return PipelineWords::tr("waits for a transfer between stages");
    case PipelineActivity::exposed_gather: return PipelineWords::tr("waits for weights");
    case PipelineActivity::exposed_reduce: return PipelineWords::tr("waits for the reduction of gradients");
    default: return roleName(Role::waits);
    }
}

QString timeText(Time time) {
    return words(text(time));
}

QString stageName(std::size_t stage) {
    return PipelineWords::tr("stage %1").arg(stage + 1);
}

/// What a bar is, its name first.
QStringList barLines(const PlanTimeline& timeline, std::size_t lane, std::uint64_t item) {
    const PipelineRun::Place at = timeline.run->place(lane);
    const PipelineInterval& bar = timeline.run->intervals(at.stage, *at.row)[item];
    QStringList lines = {activityName(bar.activity)};
    if (bar.micro_batch >= 0) {
        lines << PipelineWords::tr("micro-batch %1 of %2")
                     .arg(bar.micro_batch + 1)
                     .arg(timeline.shape.micro_batches);
    }
    return lines;
}

/// The heading above what the stages hold.
QStringList heldWishes(const PlanTimeline& timeline, std::size_t stage) {
    const QString peak = words(text(timeline.run->peak(stage)));
    if (timeline.run->stages() == 1) {
        return {PipelineWords::tr("Memory held: %1 at most").arg(peak)};
    }
    return {PipelineWords::tr("Memory of each stage: %1 at most %2; thin lines, the other stages")
                .arg(stageName(stage), peak),
            PipelineWords::tr("%1 holds at most %2").arg(stageName(stage), peak)};
}

} // namespace

std::size_t fullestStage(const PipelineRun& run) {
    std::size_t fullest = 0;
    for (std::size_t stage = 1; stage < run.stages(); ++stage) {
        fullest = run.peak(stage) > run.peak(fullest) ? stage : fullest;
    }
    return fullest;
}

QString pipelineFinding(const PlanTimeline& timeline) {
    const SimulatedTime time = simulated_time(*timeline.run);
    const auto share = [&](double part) {
        return words(percent_text(time.total > 0 ? part / time.total : 0));
    };
    const QString total = words(seconds_text(time.total));
    const QString exposed = share(time.data + time.pipeline);
    const QString most = words(bytes_text(time.memory));
    const QString capacity = words(bytes_text(timeline.capacity));
    QString finding =
        timeline.run->stages() == 1
            ? PipelineWords::tr(
                  "Simulated: %1 a step; one stage, which waits for no other; %2 of the step in "
                  "exposed communication; it holds %3 of %4.")
                  .arg(total, exposed, most, capacity)
            : PipelineWords::tr("Simulated: %1 a step; stages on average wait for each other for %2 of it, "
                                "and for exposed communication for %3; the fullest holds %4 of %5.")
                  .arg(total, share(time.bubble), exposed, most, capacity);
    if (std::abs(time.total - timeline.estimated) > 0.005 * timeline.estimated) {
        finding +=
            QLatin1Char(' ') +
            PipelineWords::tr("The ranking estimates %1.").arg(words(seconds_text(timeline.estimated)));
    }
    return finding;
}

QStringList stageLines(const PlanTimeline& timeline, std::size_t stage) {
    const PipelineRun& run = *timeline.run;
    QStringList lines = {stageName(stage)};
    for (const PipelineActivity activity :
         {PipelineActivity::forward, PipelineActivity::backward, PipelineActivity::weights,
          PipelineActivity::update, PipelineActivity::bubble, PipelineActivity::exposed_send,
          PipelineActivity::exposed_gather, PipelineActivity::exposed_reduce}) {
        const Time total = run.total(stage, activity);
        if (total > Time(0)) {
            lines << PipelineWords::tr("%1: %2, %3")
                         .arg(activityName(activity), timeText(total),
                              words(percent_text(ratio(total, run.time()))));
        }
    }
    lines << PipelineWords::tr("holds %1 at most").arg(words(text(run.peak(stage))));
    return lines;
}

RunWords pipelineWords(const PlanTimeline& timeline) {
    RunWords said;
    said.finding = pipelineFinding(timeline);
    said.role = [](Role role) { return roleName(role); };
    said.bar = [timeline](std::size_t lane, std::uint64_t item) { return barLines(timeline, lane, item); };
    said.row = [timeline](std::size_t stage) { return stageLines(timeline, stage); };
    said.held = [timeline](std::size_t stage) { return heldWishes(timeline, stage); };
    const QString all = words(bytes_text(timeline.capacity));
    said.limit = {PipelineWords::tr("dashed: what a chip has, %1").arg(all),
                  PipelineWords::tr("dashed: %1").arg(all)};
    return said;
}

static ShownRun shownPipeline(const RunPtr& run) {
    ShownRun shown = shownRun(run, true);
    for (std::size_t stage = 0; stage < shown.rows.size(); ++stage) {
        shown.rows[stage].name = stageName(stage);
    }
    return shown;
}

RunWindow pipelineWindow(const PlanTimeline& timeline, const RunPtr& run) {
    RunWindow window;
    window.runs = {shownPipeline(run)};
    window.words = pipelineWords(timeline);
    window.range = window.whole();
    window.row = fullestStage(*timeline.run);
    window.limit = timeline.capacity;
    window.path = {PipelineWords::tr("pipeline")};
    return window;
}

RunWindow pipelinesWindow(const PlanTimeline& a, const RunPtr& run_of_a, const PlanTimeline& b,
                          const RunPtr& run_of_b, const QString& difference) {
    RunWindow window;
    window.runs = {shownPipeline(run_of_a), shownPipeline(run_of_b)};
    const auto name = [](const QString& whose, const PlanTimeline& timeline) {
        return QStringList{whose, words(split_name(timeline.of.plan)),
                           words(seconds_text(simulated_time(*timeline.run).total))};
    };
    window.runs[0].name = name(QStringLiteral("A"), a);
    window.runs[1].name = name(QStringLiteral("B"), b);
    const std::size_t stages_of_a = window.runs[0].rows.size();
    window.words.finding = difference;
    window.words.role = [](Role role) { return roleName(role); };
    window.words.row = [a, b, stages_of_a](std::size_t row) {
        const bool first = row < stages_of_a;
        QStringList lines = first ? stageLines(a, row) : stageLines(b, row - stages_of_a);
        lines.front().prepend(first ? QStringLiteral("A, ") : QStringLiteral("B, "));
        return lines;
    };
    window.range = window.whole();
    window.row = stages_of_a + fullestStage(*b.run);
    window.path = {PipelineWords::tr("pipeline")};
    return window;
}

} // namespace meshslice::ui
