#pragma once

#include "core/plan/search/chosen_plan.h"
#include "ui/look/palette.h"
#include "ui/planner/pipeline_bars.h"

#include <QRect>
#include <QSize>
#include <QStringList>

#include <cstddef>
#include <optional>

class QPainter;

namespace meshslice::ui {

/// Where everything stands.
struct PipelineLayout {
    QRect title;
    QRect legend;
    QRect ruler; ///< over the data
    QRect rows;  ///< one of `row` pixels for each stage
    int row = 0;
    QRect memory; ///< the plot, without its labels
    int labels = 0;

    [[nodiscard]] QRect rowOf(std::size_t stage) const {
        return {rows.left(), rows.top() + row * static_cast<int>(stage), rows.width(), row};
    }
    [[nodiscard]] std::optional<std::size_t> stageAt(int y) const;
};
[[nodiscard]] PipelineLayout layoutPipeline(const QSize& size, std::size_t stages);
/// How high the picture has to be for its rows to be seen one by one.
[[nodiscard]] int leastPipelineHeight(std::size_t stages);

/// What is shown of a simulated step.
struct PipelinePicture {
    PlanTimeline timeline;
    TimeRange range;       ///< visible
    std::size_t stage = 0; ///< selected

    [[nodiscard]] TimeRange whole() const { return {Time(0), timeline.run->time()}; }
    [[nodiscard]] TimeScale scale(const PipelineLayout& layout) const {
        return {range, layout.rows.left(), layout.rows.width()};
    }
};
/// What the picture shows, as a sentence.
[[nodiscard]] QString pipelineFinding(const PlanTimeline& timeline);
/// What stands at a point of a picture of this layout, line by line; empty where there is nothing.
[[nodiscard]] QStringList pipelineLinesAt(const PipelinePicture& picture, const PipelineLayout& layout,
                                          const QPoint& point);
/// What a stage does in all, line by line, its name first.
[[nodiscard]] QStringList stageLines(const PlanTimeline& timeline, std::size_t stage);
void paintPipeline(QPainter& painter, const QSize& size, const PipelinePicture& picture, Theme theme);

} // namespace meshslice::ui
