#pragma once

#include "core/base/short_list.h"
#include "core/cost/collective/expert_exchange.h"
#include "core/plan/plan.h"
#include "core/work/work.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace meshslice {

/// Which chips exchange: 0 and 1 are the sides of the tensor-parallel grid, 2 those that share the experts.
inline constexpr int experts_axis = 2;
/// One collective that a task needs once it is shared, along an axis of the tensor-parallel grid: 0 is
/// tensor1, 1 is tensor2; or among the chips that share the experts.
struct TaskExchange {
    Collective what = Collective::all_gather;
    double bytes = 0;
    int axis = 0;
    // Of tokens on their way to experts, whose bytes are those of all copies for experts, two a number:
    bool combines = false; ///< back from experts
    double experts = 1;    ///< of the layer
    double routed = 1;     ///< copies of a token, one for each of its experts
    /// Goes block by block while the task works on the block before: only what that does not hide, and the
    /// last way home of what is summed, takes time of its own.
    bool rings = false;

    bool operator==(const TaskExchange&) const = default;
};

/// What one chip does for an operation in one pass.
struct PassWork {
    double matrix_flop = 0;
    double vector_flop = 0;
    double bytes = 0;      ///< to and from HBM
    double cast = 0;       ///< to and from HBM before that, in passes of their own
    double of_weights = 0; ///< of the matrix FLOP, those of the weights' gradients
    ShortList<TaskExchange, 4> exchanges;

    bool operator==(const PassWork&) const = default;
};

/// One operation of a block as one chip of the group does it: its tasks of the forward and of the backward
/// pass, each launched at once.
struct ChipTask {
    std::string_view name; ///< "attention", "norm 1"
    PassWork forward, backward;
    double kept = 0;           ///< bytes of activations that wait for the backward pass
    double weights = 0;        ///< bytes
    double frozen = 0;         ///< of these, that are not trained
    double expert_weights = 0; ///< of these, that fewer data-parallel chips hold than the rest
    bool in_recipe = false;    ///< multiplies in the numbers of the run's recipe
    bool panelled = false;     ///< its exchanges go panel by panel, and their first is all that never hides
    int layer = -1;            ///< which of fully_connected_layers() an algorithm's programs do; -1: none
    int kind = 0;              ///< of its block, counted from 0
    double blocks = 1;         ///< the share of a model's blocks that have it
    bool of_shared = false;    ///< of the experts that every token visits
    Recompute again_with = Recompute::none; ///< with which of these its forward pass is done again
    Recompute drops_with = Recompute::none; ///< and with which it keeps nothing
    double kept_of_scores = 0;              ///< bytes of `kept` that its core alone drops

    bool operator==(const ChipTask&) const = default;
};

/// Whether the forward pass of a task is done again in the backward pass.
[[nodiscard]] constexpr bool computed_again(const ChipTask& task, Recompute recompute) {
    return recompute == Recompute::full || share_parts(task.again_with, recompute);
}

/// Whether it then exchanges nothing: the gather of a norm's output is one that the backward pass has anyway.
[[nodiscard]] constexpr bool again_alone(const ChipTask& task, Recompute recompute) {
    return recompute != Recompute::full && task.again_with == Recompute::norms;
}
/// Bytes that wait for the backward pass.
[[nodiscard]] double kept_of(const ChipTask& task, Recompute recompute);

/// Of one block; of a model with several kinds of blocks those of each, one kind after the other: their mean
/// block has `blocks` of each operation.
struct ChipTasks {
    std::vector<ChipTask> operations;
    double sent = 0;     ///< bytes that a chip hands to the next stage of the pipeline
    double input = 0;    ///< bytes of its input, as one chip keeps it
    double gathered = 0; ///< bytes of the largest input that is gathered for a GEMM and dropped after it
    double even = 1;     ///< matrix FLOP of the mean chip over those of this one

    bool operator==(const ChipTasks&) const = default;
};

/// What a chip has of heads, features and tokens that do not divide evenly.
enum class Uneven {
    fractions,
    of_fullest ///< rounded up: the others wait for the chip that has most
};

/// A chip's tasks of one block's, for a plan, and the exchanges that splitting them adds. Experts share the
/// tensor-parallel group, each split over all of it. Where data-parallel chips share the experts, each has as
/// many of them, and a token is sent to the chip of each expert that it goes to (dispatch) and back
/// (combine), in both passes; each of its sender's tensor-parallel group sends its own part of the tokens,
/// and what came is gathered there. As many tokens go to each expert, or the chip has those of the fullest.
/// Rules that round parts down do so either way.
[[nodiscard]] ChipTasks share(std::span<const Task> block, const Plan& plan, ModelRules rules,
                              Uneven uneven = Uneven::fractions, const ExpertExchange& exchange = {});

/// The block's tasks of the fullest chip.
[[nodiscard]] ChipTasks share_of_fullest(const TrainingRun& run, const Plan& plan, ModelRules rules);

/// The tasks of one kind of block of a run for so many samples at once, and the share of its blocks.
struct KindTasks {
    std::vector<Task> tasks;
    double blocks = 1;
};
[[nodiscard]] std::vector<KindTasks> block_tasks(const TrainingRun& run, double samples);
/// The kinds' tasks as one list.
[[nodiscard]] ChipTasks mean_block(std::span<const KindTasks> kinds, const std::vector<ChipTasks>& shared);

} // namespace meshslice
