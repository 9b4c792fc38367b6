#pragma once

#include "core/plan/pipeline/pipeline_run.h"
#include "ui/timeline/timeline_geometry.h"

#include <QPointF>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice::ui {

/// What bars of a pipeline look like: the activities of its compute and its waits.
enum class PipelineLook : std::uint8_t { forward, backward, update, exposed, bubble };
inline constexpr std::size_t pipeline_looks = 5;
[[nodiscard]] PipelineLook look(PipelineActivity activity);

/// A bar of one interval or, where intervals are narrower than a pixel, of several that follow each other:
/// then it is as high as the shares of the time that each look has.
struct PipelineBar {
    int left = 0;
    int right = 0; ///< above `left`
    std::size_t count = 1;
    PipelineInterval first; ///< the only one where there is one
    Time end;               ///< of the last
    std::array<Time, pipeline_looks> time{};

    bool operator==(const PipelineBar&) const = default;
};
/// What a stage computes and waits for within the scale's range, from left to right. Bars do not overlap and
/// leave no gap; each interval that is a pixel wide has a bar of its own.
[[nodiscard]] std::vector<PipelineBar> pipelineBars(const PipelineRun& run, std::size_t stage,
                                                    const TimeScale& scale);

/// What a stage holds over time as the corners of a line of steps: x in pixels, y in bytes. Of many changes
/// within one pixel the least, the most and the last.
[[nodiscard]] std::vector<QPointF> memoryLine(const PipelineRun& run, std::size_t stage,
                                              const TimeScale& scale);
/// What a stage holds at a time.
[[nodiscard]] Bytes memoryAt(const PipelineRun& run, std::size_t stage, Time time);

/// The stage that holds most, the first of several.
[[nodiscard]] std::size_t fullestStage(const PipelineRun& run);

} // namespace meshslice::ui
