#include "core/report/chart/pipeline_charts.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/pipeline/simulate_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// Of a stage; by layer gradients are summed.
constexpr std::int32_t sketched_layers = 8;
/// More than a picture shows apart.
constexpr std::size_t most_drawn_bars = 1500;
/// Bytes that stand for the activations of a micro-batch in a stage: any number of chunks up to 16 divides
/// it.
constexpr std::int64_t kept_unit = 720720;

/// A kind of bar in the picture of a pipeline.
struct BarKind {
    std::string name;
    Role role;
};
std::array<BarKind, 6> bar_kinds() {
    return {{{said("forward"), Role::compute},
             {said("backward"), Role::backward},
             {said("gradients of weights"), Role::weights},
             {said("waits for another stage"), Role::waits},
             {said("waits for a transfer"), Role::exposed},
             {said("sums gradients"), Role::exposed}}};
}

std::size_t kind_of(PipelineActivity activity) {
    switch (activity) {
    case PipelineActivity::forward: return 0;
    case PipelineActivity::backward: return 1;
    case PipelineActivity::weights: return 2;
    case PipelineActivity::exposed_send: return 4;
    case PipelineActivity::exposed_gather:
    case PipelineActivity::exposed_reduce: return 5;
    default: return 3;
    }
}

/// What a stage computes and why it waits, one after the other.
std::vector<PipelineInterval> bars_of(const PipelineRun& run, std::size_t stage) {
    std::vector<PipelineInterval> bars;
    for (const PipelineRow row : {PipelineRow::compute, PipelineRow::waits}) {
        const auto its = run.intervals(stage, row);
        bars.insert(bars.end(), its.begin(), its.end());
    }
    std::ranges::sort(bars, {}, &PipelineInterval::start);
    return bars;
}

std::string bar_words(const PipelineInterval& bar, std::int32_t chunks) {
    if (bar.micro_batch < 0) {
        return {};
    }
    return chunks > 1 ? say("micro-batch {}, chunk {}", bar.micro_batch + 1, bar.chunk + 1)
                      : say("micro-batch {}", bar.micro_batch + 1);
}

} // namespace

PipelineWork SketchedPipeline::work() const {
    const std::int32_t parts = order == PipelineOrder::interleaved ? chunks : 1;
    PipelineChunk chunk;
    chunk.forward = seconds(forward_s / parts);
    chunk.backward = seconds(backward_s / parts);
    if (passes_of(order) == 3) {
        chunk.weights = seconds(backward_s / 2);
        chunk.backward -= chunk.weights;
    }
    chunk.activations = Bytes(kept_unit / parts);
    chunk.layers = std::max(1, sketched_layers / parts);
    chunk.reduce_gradients = seconds(sums_s / parts / chunk.layers);
    PipelineStage stage;
    stage.chunks.assign(static_cast<std::size_t>(parts), chunk);
    stage.send_forward = stage.send_backward = seconds(send_s);
    return {order, micro_batches, std::vector<PipelineStage>(static_cast<std::size_t>(stages), stage)};
}

double SketchedPipeline::closed_form_bubble_s() const {
    const double once = forward_s + backward_s;
    switch (order) {
    case PipelineOrder::interleaved: return (stages - 1) * once / chunks;
    case PipelineOrder::zero_bubble:
        return zero_bubble_wait(stages, micro_batches, forward_s, backward_s / 2, backward_s / 2);
    case PipelineOrder::gpipe:
    case PipelineOrder::one_forward_one_backward: break;
    }
    return (stages - 1) * once;
}

std::string closed_form_words(PipelineOrder order) {
    switch (order) {
    case PipelineOrder::interleaved: return "(p - 1) (F + B) / v";
    case PipelineOrder::zero_bubble: return "(p - 1) (F + B - W) - (min(n, p) - 1) min(F, W)";
    case PipelineOrder::gpipe:
    case PipelineOrder::one_forward_one_backward: break;
    }
    return "(p - 1) (F + B)";
}

Result<OrderedPipeline> ordered_pipeline(const SketchedPipeline& its, const RunControl& control) {
    OrderedPipeline made{its.order, {}};
    const Result<PipelineRun> run = simulate_pipeline(its.work(), control);
    if (!run) {
        if (control.stop.stop_requested()) {
            return refuse(run.error());
        }
        made.refusal = run.error().sentence;
        return made;
    }
    made.step_s = in_seconds(run->time());
    const double all = made.step_s * its.stages;
    for (std::size_t stage = 0; stage < run->stages(); ++stage) {
        const auto share = [&](PipelineActivity activity) {
            return in_seconds(run->total(stage, activity)) / all;
        };
        made.computes += share(PipelineActivity::forward) + share(PipelineActivity::backward) +
                         share(PipelineActivity::weights);
        made.bubble += share(PipelineActivity::bubble);
        made.exposed += share(PipelineActivity::exposed_send) + share(PipelineActivity::exposed_reduce);
        made.kept = std::max(made.kept, static_cast<double>(run->peak(stage).value()) / kept_unit);
    }
    return made;
}

std::string pipeline_finding(const SketchedPipeline& its, const OrderedPipeline& run) {
    const std::string step = say("{}: a step takes {}; stages wait for each other for {} of it",
                                 name(its.order), seconds_text(run.step_s), percent_text(run.bubble));
    return run.exposed > 0 ? say("{}, for communication {}", step, percent_text(run.exposed)) : step;
}

Chart pipeline_chart(const SketchedPipeline& its, const PipelineRun& run, std::string title) {
    Chart chart{std::move(title), {}};
    std::vector<std::vector<PipelineInterval>> stages;
    std::size_t bars = 0, most = 0;
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        stages.push_back(bars_of(run, stage));
        bars += stages.back().size();
        most = std::max(most, stages.back().size());
    }
    if (bars > most_drawn_bars) {
        return chart;
    }
    ChartPanel panel;
    panel.x = {said("time"), ChartUnit::seconds};
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        panel.y.categories.push_back(say("stage {}", stage + 1));
    }
    const std::array<BarKind, 6> kinds = bar_kinds();
    constexpr std::size_t passes = 3; // come first of the kinds
    // The k-th bars of all stages stand on the ones before them.
    for (std::size_t k = 0; k < most; ++k) {
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            ChartSeries series{kinds[kind].name, SeriesKind::stack};
            series.role = kinds[kind].role;
            bool any = false;
            for (const std::vector<PipelineInterval>& own : stages) {
                const bool here = k < own.size() && kind_of(own[k].activity) == kind;
                any = any || here;
                series.values.emplace_back(here ? std::optional(in_seconds(own[k].end - own[k].start))
                                                : std::nullopt);
                series.labels.push_back(here && kind < passes ? fmt::format("{}", own[k].micro_batch + 1)
                                                              : std::string());
                series.details.push_back(
                    here ? bar_words(own[k], its.order == PipelineOrder::interleaved ? its.chunks : 1)
                         : std::string());
            }
            if (any) {
                panel.series.push_back(std::move(series));
            }
        }
    }
    chart.panels.push_back(std::move(panel));
    return chart;
}

Result<Chart> pipeline_batch_chart(const SketchedPipeline& its, const RunControl& control) {
    ChartPanel panel;
    panel.x = {said("micro-batches"), ChartUnit::none, true};
    panel.y = {said("share of the step that stages compute"), ChartUnit::share};
    panel.y.high = 1;
    constexpr std::array roles = {Role::compute, Role::transferHorizontal, Role::transferVertical,
                                  Role::launch};
    for (std::size_t k = 0; k < sketched_orders.size(); ++k) {
        const PipelineOrder order = sketched_orders[k].order;
        ChartSeries line{std::string(name(order)), SeriesKind::line};
        line.role = roles[k];
        line.emphasized = order == its.order;
        for (std::int32_t some = 1; some <= 256; some *= 2) {
            SketchedPipeline other = its;
            other.order = order;
            other.micro_batches = some;
            const Result<OrderedPipeline> run = ordered_pipeline(other, control);
            if (!run) {
                return refuse(run.error());
            }
            if (run->refusal.empty()) {
                line.points.push_back({static_cast<double>(some), run->computes});
            }
        }
        const auto alike = std::ranges::find(panel.series, line.points, &ChartSeries::points);
        if (alike != panel.series.end()) { // else one would hide the other
            alike->name = say("{} and {}", alike->name, line.name);
            alike->emphasized = alike->emphasized || line.emphasized;
        } else {
            panel.series.push_back(std::move(line));
        }
    }
    return Chart{say("What part of a step {} stages compute, by the number of micro-batches", its.stages),
                 {std::move(panel)}};
}

} // namespace meshslice
