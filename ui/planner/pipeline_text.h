#pragma once

#include "core/plan/search/chosen_plan.h"
#include "ui/timeline/run_window.h"

#include <QString>
#include <QStringList>

#include <cstddef>

namespace meshslice::ui {

/// The stage that holds most, the first of several.
[[nodiscard]] std::size_t fullestStage(const PipelineRun& run);
/// What the picture of a simulated step shows, as a sentence.
[[nodiscard]] QString pipelineFinding(const PlanTimeline& timeline);
/// What a stage does in all, line by line, its name first.
[[nodiscard]] QStringList stageLines(const PlanTimeline& timeline, std::size_t stage);
/// The pipeline as it is looked at first: a row for each stage, all of the step, the fullest stage selected.
/// `run`: its lanes, which may open.
[[nodiscard]] RunWindow pipelineWindow(const PlanTimeline& timeline, const RunPtr& run);

/// The same of two variants' plans, A's above B's on one axis of time. `difference`: how they compare, as a
/// sentence.
[[nodiscard]] RunWindow pipelinesWindow(const PlanTimeline& a, const RunPtr& run_of_a, const PlanTimeline& b,
                                        const RunPtr& run_of_b, const QString& difference);

} // namespace meshslice::ui
