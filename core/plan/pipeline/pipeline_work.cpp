#include "core/plan/pipeline/pipeline_work.h"

#include "core/base/say.h"

#include <algorithm>

namespace meshslice {
namespace {

constexpr double most_seconds = 26.0 * 24 * 60 * 60;
constexpr double most_bytes = 0x1p62;

bool sound(const PipelineChunk& chunk) {
    const Time none;
    return chunk.forward_on_links >= none && chunk.backward_on_links >= none &&
           chunk.forward >= chunk.forward_on_links && chunk.backward >= chunk.backward_on_links &&
           chunk.activations >= Bytes(0) && chunk.layers >= 1 && chunk.gather_weights >= none &&
           chunk.reduce_gradients >= none && chunk.weights >= none;
}

bool sound(const PipelineStage& stage) {
    return stage.send_forward >= Time(0) && stage.send_backward >= Time(0) && stage.update >= Time(0) &&
           stage.fixed >= Bytes(0) &&
           std::ranges::all_of(stage.chunks, [](const PipelineChunk& chunk) { return sound(chunk); });
}

/// Of everything that a stage does, one after the other.
double all_seconds(const PipelineStage& stage, std::int32_t micro_batches) {
    double sum = in_seconds(stage.update);
    for (const PipelineChunk& chunk : stage.chunks) {
        sum += micro_batches *
                   (in_seconds(chunk.forward) + in_seconds(chunk.backward) + in_seconds(chunk.weights) +
                    in_seconds(stage.send_forward) + in_seconds(stage.send_backward)) +
               chunk.layers *
                   ((chunk.gather_every_pass ? 2.0 * micro_batches : 1.0) * in_seconds(chunk.gather_weights) +
                    (chunk.reduce_every_pass ? micro_batches : 1.0) * in_seconds(chunk.reduce_gradients));
    }
    return sum;
}

/// How often a layer is gathered or reduced.
double all_transfers(const PipelineStage& stage, std::int32_t micro_batches) {
    double sum = 0;
    for (const PipelineChunk& chunk : stage.chunks) {
        sum += chunk.layers * ((chunk.gather_every_pass ? 2.0 * micro_batches : 1.0) +
                               (chunk.reduce_every_pass ? micro_batches : 1.0));
    }
    return sum;
}

double all_bytes(const PipelineStage& stage, std::int32_t micro_batches) {
    double sum = static_cast<double>(stage.fixed.value());
    for (const PipelineChunk& chunk : stage.chunks) {
        sum += micro_batches * static_cast<double>(chunk.activations.value());
    }
    return sum;
}

} // namespace

PipelineShape PipelineWork::shape() const {
    return {static_cast<std::int32_t>(stages.size()),
            stages.empty() ? 0 : static_cast<std::int32_t>(stages.front().chunks.size()), micro_batches};
}

Result<void> checked(const PipelineWork& work) {
    const PipelineShape shape = work.shape();
    if (Result<void> possible = checked(work.order, shape); !possible) {
        return possible;
    }
    double seconds = 0;
    double transfers = 0;
    for (std::size_t s = 0; s < work.stages.size(); ++s) {
        const PipelineStage& stage = work.stages[s];
        if (stage.chunks.size() != static_cast<std::size_t>(shape.chunks)) {
            return refuse(
                say("Stage {} of the pipeline has {} chunks and stage 0 has {}; all have the same number.", s,
                    stage.chunks.size(), shape.chunks));
        }
        if (!sound(stage)) {
            return refuse(
                say("Stage {} of the pipeline has a negative time, negative bytes or no layers.", s));
        }
        if (all_bytes(stage, shape.micro_batches) > most_bytes) {
            return refuse(say("Stage {} of the pipeline would hold more bytes than can be counted.", s));
        }
        if (passes_of(work.order) < 3 && std::ranges::any_of(stage.chunks, [](const PipelineChunk& one) {
                return one.weights > Time(0);
            })) {
            return refuse(
                say("Stage {} of the pipeline makes gradients of weights apart, and {} has no passes "
                    "for them; zero bubble has.",
                    s, name(work.order)));
        }
        seconds += all_seconds(stage, shape.micro_batches);
        transfers += all_transfers(stage, shape.micro_batches);
    }
    if (transfers > static_cast<double>(most_pipeline_tasks)) {
        return refuse(say("The layers of this pipeline are gathered and reduced {:.3g} times; at most {} are "
                          "simulated.{}",
                          transfers, most_pipeline_tasks, take_fewer(shape)));
    }
    if (seconds > most_seconds) {
        return refuse(say("The passes and transfers of this pipeline add up to {:.3g} days; at most 26 are "
                          "simulated.{}",
                          seconds / (24 * 60 * 60), take_fewer(shape)));
    }
    return {};
}

} // namespace meshslice
