#include "ui/planner/pipeline_bars.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

namespace meshslice::ui {

PipelineLook look(PipelineActivity activity) {
    switch (activity) {
    case PipelineActivity::forward: return PipelineLook::forward;
    case PipelineActivity::backward: return PipelineLook::backward;
    case PipelineActivity::update: return PipelineLook::update;
    case PipelineActivity::bubble: return PipelineLook::bubble;
    default: return PipelineLook::exposed;
    }
}

std::vector<PipelineBar> pipelineBars(const PipelineRun& run, std::size_t stage, const TimeScale& scale) {
    std::vector<PipelineBar> bars;
    const auto compute = run.intervals(stage, PipelineRow::compute);
    const auto waits = run.intervals(stage, PipelineRow::waits);
    const auto visible = [&](std::span<const PipelineInterval> row) {
        return std::ranges::partition_point(
            row, [&](const PipelineInterval& one) { return one.end <= scale.range.begin; });
    };
    auto a = visible(compute);
    auto b = visible(waits);
    std::optional<PipelineBar> small; // several, or one that is too narrow
    const auto add = [](PipelineBar& bar, const PipelineBar& next) {
        bar.count += next.count;
        bar.right = next.right;
        bar.end = next.end;
        for (std::size_t k = 0; k < pipeline_looks; ++k) {
            bar.time[k] += next.time[k];
        }
    };
    // Less than half a pixel goes to what was merged before it; next to wide bars they have that pixel.
    const auto flush = [&] {
        if (small && small->right > small->left) {
            bars.push_back(*small);
        } else if (small && !bars.empty() && bars.back().count > 1) {
            add(bars.back(), *small);
        }
        small.reset();
    };
    while (a != compute.end() || b != waits.end()) {
        const bool first = b == waits.end() || (a != compute.end() && a->start <= b->start);
        const PipelineInterval& one = first ? *a++ : *b++;
        if (one.start >= scale.range.end) {
            break;
        }
        const Time start = std::max(one.start, scale.range.begin);
        const Time end = std::min(one.end, scale.range.end);
        PipelineBar bar{scale.pixel(start), scale.pixel(end), 1, one, end, {}};
        bar.time[static_cast<std::size_t>(look(one.activity))] = end - start;
        const bool wide = static_cast<double>((end - start).value()) * scale.pixelsPerPicosecond() >= 1 &&
                          bar.right > bar.left;
        if (wide) {
            flush();
            bars.push_back(bar);
            continue;
        }
        if (!small) {
            small = bar;
        } else {
            add(*small, bar);
        }
        if (small->right > small->left) {
            flush();
        }
    }
    flush();
    return bars;
}

Bytes memoryAt(const PipelineRun& run, std::size_t stage, Time time) {
    const auto held = run.memory(stage);
    const auto after =
        std::ranges::partition_point(held, [&](const MemoryHeld& one) { return one.from <= time; });
    return after == held.begin() ? Bytes(0) : std::prev(after)->bytes;
}

std::vector<QPointF> memoryLine(const PipelineRun& run, std::size_t stage, const TimeScale& scale) {
    const auto held = run.memory(stage);
    std::vector<QPointF> corners;
    auto last = static_cast<double>(memoryAt(run, stage, scale.range.begin).value());
    corners.emplace_back(scale.left, last);
    auto next = std::ranges::partition_point(
        held, [&](const MemoryHeld& one) { return one.from <= scale.range.begin; });
    while (next != held.end() && next->from < scale.range.end) {
        const int x = scale.pixel(next->from);
        double least = last, most = last;
        corners.emplace_back(x, last);
        for (; next != held.end() && next->from < scale.range.end && scale.pixel(next->from) == x; ++next) {
            last = static_cast<double>(next->bytes.value());
            least = std::min(least, last);
            most = std::max(most, last);
        }
        for (const double value : {least, most, last}) {
            if (corners.back().y() != value) {
                corners.emplace_back(x, value);
            }
        }
    }
    corners.emplace_back(scale.left + scale.width, last);
    return corners;
}

std::size_t fullestStage(const PipelineRun& run) {
    std::size_t fullest = 0;
    for (std::size_t stage = 1; stage < run.stages(); ++stage) {
        fullest = run.peak(stage) > run.peak(fullest) ? stage : fullest;
    }
    return fullest;
}

} // namespace meshslice::ui
