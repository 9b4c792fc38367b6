#include "core/plan/pipeline/pipeline_order.h"

#include "core/base/say.h"

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

/// The k-th pass of a stage with several chunks: groups of as many micro-batches as there are stages go
/// through the first chunk, then the next, and so on; backward, through the last one first.
PipelineTask interleaved_task(PipelinePass pass, std::int32_t k, const PipelineShape& shape) {
    const std::int32_t group = shape.stages * shape.chunks;
    const std::int32_t chunk = k % group / shape.stages;
    return {pass, pass == PipelinePass::forward ? chunk : shape.chunks - 1 - chunk,
            k / group * shape.stages + k % shape.stages};
}

/// How many passes go forward before the first goes backward, the one just before it not counted.
std::int32_t warm_up(PipelineOrder order, const PipelineShape& shape, std::int32_t stage) {
    const std::int32_t after = shape.stages - 1 - stage;
    switch (order) {
    case PipelineOrder::gpipe: return shape.micro_batches;
    case PipelineOrder::one_forward_one_backward: return std::min(after, shape.micro_batches);
    case PipelineOrder::interleaved:
        return std::min(2 * after + (shape.chunks - 1) * shape.stages, shape.micro_batches * shape.chunks);
    case PipelineOrder::zero_bubble: return std::min(after, shape.micro_batches);
    }
    return 0;
}

PipelineTask nth_task(PipelineOrder order, PipelinePass pass, std::int32_t k, const PipelineShape& shape) {
    if (order == PipelineOrder::gpipe && pass == PipelinePass::backward) {
        return {pass, 0, shape.micro_batches - 1 - k};
    }
    return interleaved_task(pass, k, shape);
}

} // namespace

std::string_view name(PipelineOrder order) {
    constexpr std::array<std::string_view, 4> names = {"GPipe", "1F1B", "interleaved 1F1B", "zero bubble"};
    return names[static_cast<std::size_t>(order)];
}

double zero_bubble_wait(double stages, double micro_batches, double forward, double backward,
                        double weights) {
    const double hidden = (std::min(micro_batches, stages) - 1) * std::min({weights, forward, backward});
    return (stages - 1) * (forward + backward) - hidden;
}

std::string take_fewer(const PipelineShape& shape) {
    if (shape.micro_batches > 1) {
        return said(" ") + said("Take fewer micro-batches.");
    }
    return shape.stages > 1 ? said(" ") + said("Take fewer stages.") : std::string();
}

std::int32_t passes_of(PipelineOrder order) {
    return order == PipelineOrder::zero_bubble ? 3 : 2;
}

Result<void> checked(PipelineOrder order, const PipelineShape& shape) {
    if (shape.stages < 1 || shape.chunks < 1 || shape.micro_batches < 1) {
        return refuse(
            say("A pipeline has at least one stage, one chunk per stage and one micro-batch, not {}, "
                "{} and {}.",
                shape.stages, shape.chunks, shape.micro_batches));
    }
    // In doubles: the product of three may be beyond 64 bits.
    const double tasks = 1.0 * passes_of(order) * shape.stages * shape.chunks * shape.micro_batches;
    if (tasks > static_cast<double>(most_pipeline_tasks)) {
        return refuse(say("{} stages x {} chunks x {} micro-batches, there and back, are {:.3g} passes; at "
                          "most {} are simulated.{}",
                          shape.stages, shape.chunks, shape.micro_batches, tasks, most_pipeline_tasks,
                          take_fewer(shape)));
    }
    if (order != PipelineOrder::interleaved) {
        if (shape.chunks > 1) {
            return refuse(say("With {} each stage has one chunk of layers, not {}; several are interleaved.",
                              name(order), shape.chunks));
        }
        return {};
    }
    if (shape.chunks < 2) {
        return refuse(said("An interleaved pipeline has at least 2 chunks per stage; with 1 it is 1F1B."));
    }
    if (shape.micro_batches % shape.stages != 0) {
        const std::int32_t below = shape.micro_batches / shape.stages * shape.stages;
        const std::int32_t above = below + shape.stages;
        return refuse(
            below == 0 ? say("Interleaved stages take micro-batches in groups of {0}, one per stage: {1} do "
                             "not divide by {0}; {2} do.",
                             shape.stages, shape.micro_batches, above)
                       : say("Interleaved stages take micro-batches in groups of {0}, one per stage: {1} do "
                             "not divide by {0}; {2} and {3} do.",
                             shape.stages, shape.micro_batches, below, above));
    }
    return {};
}

std::vector<PipelineTask> stage_tasks(PipelineOrder order, const PipelineShape& shape, std::int32_t stage) {
    const std::int32_t each = shape.micro_batches * shape.chunks;
    const std::int32_t ahead = warm_up(order, shape, stage);
    std::vector<PipelineTask> tasks;
    tasks.reserve(static_cast<std::size_t>(passes_of(order)) * static_cast<std::size_t>(each));
    const std::int32_t later = passes_of(order) == 3 ? stage : 0; // micro-batches from a backward pass
    for (std::int32_t k = 0; k < each + ahead + later; ++k) {
        if (k < each) {
            tasks.push_back(nth_task(order, PipelinePass::forward, k, shape));
        }
        if (k >= ahead && k < each + ahead) {
            tasks.push_back(nth_task(order, PipelinePass::backward, k - ahead, shape));
        }
        if (passes_of(order) == 3 && k >= ahead + later) {
            tasks.push_back(nth_task(order, PipelinePass::weights, k - ahead - later, shape));
        }
    }
    return tasks;
}

std::vector<std::vector<PipelineTask>> pipeline_tasks(PipelineOrder order, const PipelineShape& shape) {
    std::vector<std::vector<PipelineTask>> tasks;
    for (std::int32_t stage = 0; stage < shape.stages; ++stage) {
        tasks.push_back(stage_tasks(order, shape, stage));
    }
    return tasks;
}

} // namespace meshslice
