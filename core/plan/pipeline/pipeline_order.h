#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// In which order the stages of a pipeline run their micro-batches.
enum class PipelineOrder : std::uint8_t {
    gpipe,                    ///< all forward, then all backward (Huang et al., arXiv 1811.06965, figure 2c)
    one_forward_one_backward, ///< 1F1B, with a flush (Narayanan et al., arXiv 2104.04473, section 2.2.1)
    interleaved,              ///< 1F1B where each stage has several chunks of layers (the same, 2.2.2)
    /// 1F1B that makes the gradients of weights apart and later, as many micro-batches later as a stage comes
    /// after the first: each stage keeps as many as there are stages (ZB-H1: Qi et al., arXiv 2401.10241,
    /// section 2).
    zero_bubble,
};
/// "GPipe", "1F1B", "interleaved 1F1B", "zero bubble".
[[nodiscard]] std::string_view name(PipelineOrder order);

/// A backward pass makes all gradients or, where those of weights have passes of their own, the others alone.
enum class PipelinePass : std::uint8_t { forward, backward, weights };

/// One pass of one micro-batch through one chunk of a stage.
struct PipelineTask {
    PipelinePass pass = PipelinePass::forward;
    std::int32_t chunk = 0;       ///< of the stage, in the order of the layers
    std::int32_t micro_batch = 0; ///< from 0

    bool operator==(const PipelineTask&) const = default;
};

/// The size of a pipeline. Chunk c of stage s has the layers after those of chunk c of stage s - 1, and those
/// after chunk c - 1 of the last stage where s is the first.
struct PipelineShape {
    std::int32_t stages = 1;
    std::int32_t chunks = 1; ///< of each stage; more than one only where they are interleaved
    std::int32_t micro_batches = 1;

    bool operator==(const PipelineShape&) const = default;
};

/// A pipeline of more tasks (stages x chunks x micro-batches x passes_of()) is refused: with what is recorded
/// of it, it would take some 1.5 GB.
inline constexpr std::int64_t most_pipeline_tasks = 10'000'000;

/// How many passes a micro-batch makes through each chunk.
[[nodiscard]] std::int32_t passes_of(PipelineOrder order);

/// Whether a pipeline of this shape can run in this order. Refused where a number is not positive, there are
/// too many tasks, chunks are not interleaved or interleaved ones have no whole groups of micro-batches.
[[nodiscard]] Result<void> checked(PipelineOrder order, const PipelineShape& shape);

/// How long a stage of a zero bubble waits for others where nothing is sent: (p - 1) (F + B), less (min(n, p)
/// - 1) times the shortest of F, B and W, as a pass for weights hides at most a pass of the others. Of one
/// micro-batch in a stage the forward pass F, the backward pass B without the gradients of weights, and
/// these, W, all in one unit. From p micro-batches on and with F = B = W it is that of Qi et al., section 2:
/// (p - 1) (F + B - W).
[[nodiscard]] double zero_bubble_wait(double stages, double micro_batches, double forward, double backward,
                                      double weights);

/// " Take fewer micro-batches.", or stages where there is one of those; nothing where there is one of both.
[[nodiscard]] std::string take_fewer(const PipelineShape& shape);

/// The tasks of a stage, 0 being the one with the first layers, one after the other. `shape` is checked.
[[nodiscard]] std::vector<PipelineTask> stage_tasks(PipelineOrder order, const PipelineShape& shape,
                                                    std::int32_t stage);
/// Of every stage.
[[nodiscard]] std::vector<std::vector<PipelineTask>> pipeline_tasks(PipelineOrder order,
                                                                    const PipelineShape& shape);

} // namespace meshslice
