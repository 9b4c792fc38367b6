#include "core/plan/evaluate/simulate_plan.h"

#include "core/base/say.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

PipelineOrder order_of(PipelineKind kind) {
    switch (kind) {
    case PipelineKind::gpipe: return PipelineOrder::gpipe;
    case PipelineKind::interleaved: return PipelineOrder::interleaved;
    case PipelineKind::zero_bubble: return PipelineOrder::zero_bubble;
    case PipelineKind::one_f_one_b:
    case PipelineKind::dualpipe: break;
    }
    return PipelineOrder::one_forward_one_backward;
}

Bytes bytes(double count) {
    return Bytes(std::llround(std::min(count, 0x1p62)));
}

/// The layers of a chunk, and of each what data-parallel chips exchange.
PipelineChunk chunk_of(const PlanModel& model, const Plan& plan, const LayerCost& layer, double layers) {
    const PlanTransfers moved = model.transfers(plan, layer);
    PipelineChunk chunk;
    chunk.layers = static_cast<std::int32_t>(layers);
    chunk.forward = seconds(layer.forward.time() * layers);
    chunk.backward = seconds(layer.backward.time() * layers);
    if (plan.schedule.kind == PipelineKind::zero_bubble) {
        chunk.weights = std::min(chunk.backward, seconds(layer.backward.weights * layers));
        chunk.backward -= chunk.weights;
    }
    const auto on_links = [&](const LayerPass& pass) {
        return (moved.shared ? pass.tensor : 0) + (moved.shared_with_experts ? pass.experts : 0);
    };
    if (plan.data_overlap) {
        chunk.forward_on_links = std::min(chunk.forward, seconds(on_links(layer.forward) * layers));
        chunk.backward_on_links = std::min(chunk.backward, seconds(on_links(layer.backward) * layers));
    }
    chunk.activations = bytes(layer.kept * layers);
    // Without sharding the gradients are all-reduced, and all keep all weights.
    chunk.gather_weights = seconds(plan.zero == 0 ? 0 : plan.zero == 3 ? moved.gather : moved.gather_trained);
    chunk.reduce_gradients = seconds(plan.zero == 0 ? moved.gather_sums + moved.scatter : moved.scatter);
    chunk.gather_every_pass = plan.zero == 3;
    chunk.reduce_every_pass = plan.zero >= 2;
    return chunk;
}

} // namespace

PassEnds ends_of_passes(const PlanModel& model, const Plan& plan, const PlanReading& reading) {
    if (ends_have_places(model.run(), plan)) { // so that all of their time is there
        const EndsTime both = model.ends_of(plan);
        return {both.embedding / 2, both.embedding / 2, both.head / 3, both.head * 2 / 3};
    }
    const double ends = reading.time.ends / static_cast<double>(reading.micro_batches);
    return {0, 0, ends / 3, ends * 2 / 3};
}

PipelineWork pipeline_work(const PlanModel& model, const Plan& plan, const LayerCost& layer) {
    const PlanReading reading = model.reading(plan, layer);
    const StageWork of_stage = model.stage(plan, layer);
    const StageLevels on = stage_levels(plan, model.network().levels());
    PipelineWork work;
    work.order = order_of(plan.schedule.kind);
    work.micro_batches = static_cast<std::int32_t>(reading.micro_batches);
    work.data_overlaps = plan.data_overlap;
    const std::int64_t chunks = plan.schedule.chunks;
    PipelineStage stage;
    stage.update = seconds(reading.time.optimizer);
    for (std::int64_t s = 0; s < plan.pipeline; ++s) {
        stage.chunks.clear();
        for (std::int64_t c = 0; c < chunks; ++c) {
            const std::int64_t own = chunk_layers(model.run(), plan, s, c);
            stage.chunks.push_back(own > 0 ? chunk_of(model, plan, layer, static_cast<double>(own))
                                           : PipelineChunk()); // the embedding, or the output head
        }
        const MemoryUse its = stage_memory(model.run(), plan, layer, s);
        stage.fixed = bytes(its.total() - its.activations);
        stage.send_forward = seconds(of_stage.transfer[on.level_after(s)]);
        stage.send_backward = seconds(of_stage.transfer[on.level_after(s == 0 ? plan.pipeline - 1 : s - 1)]);
        work.stages.push_back(stage);
    }
    PipelineChunk& first = work.stages.front().chunks.front();
    PipelineChunk& last = work.stages.back().chunks.back();
    const PassEnds ends = ends_of_passes(model, plan, reading);
    first.forward += seconds(ends.embedding_forward);
    first.backward += seconds(ends.embedding_backward);
    last.forward += seconds(ends.head_forward);
    const bool apart = plan.schedule.kind == PipelineKind::zero_bubble;
    last.backward += seconds(apart ? ends.head_backward / 2 : ends.head_backward);
    last.weights += seconds(apart ? ends.head_backward / 2 : 0);
    return work;
}

Result<void> simulates(const Plan& plan) {
    const PipelineSchedule& schedule = plan.schedule;
    if (plan.shard > 0) {
        return refuse(
            said("What groups that share weights exchange with each other is not simulated, and the "
                 "step is the closed form's; where all copies share it is simulated."));
    }
    if (schedule.kind == PipelineKind::dualpipe) {
        return refuse(say("The passes of {} are not simulated, and its step is the closed form's; those of "
                          "1f1b, interleaved, gpipe and zero-bubble are.",
                          text(schedule)));
    }
    return {};
}

Result<PipelineRun> simulate_plan(const PlanModel& model, const Plan& plan, const RunControl& control) {
    if (const Result<void> known = simulates(plan); !known) {
        return refuse(known.error());
    }
    return simulate_pipeline(pipeline_work(model, plan, model.layer(plan)), control);
}

SimulatedTime simulated_time(const PipelineRun& run) {
    SimulatedTime made;
    made.total = in_seconds(run.time());
    const auto stages = static_cast<double>(run.stages());
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        const auto total = [&](PipelineActivity activity) {
            return in_seconds(run.total(stage, activity)) / stages;
        };
        made.passes += total(PipelineActivity::forward) + total(PipelineActivity::backward) +
                       total(PipelineActivity::weights) + total(PipelineActivity::update);
        made.data += total(PipelineActivity::exposed_gather) + total(PipelineActivity::exposed_reduce);
        made.pipeline += total(PipelineActivity::exposed_send);
        made.bubble += total(PipelineActivity::bubble);
        made.memory = std::max(made.memory, static_cast<double>(run.peak(stage).value()));
    }
    return made;
}

} // namespace meshslice
