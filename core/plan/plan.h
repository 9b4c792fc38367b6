#pragma once

#include "core/base/result.h"
#include "core/cost/collective/collective.h"
#include "core/cost/collective/expert_exchange.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"
#include "core/scenario/plan/plan.h"
#include "core/work/adapters.h"
#include "core/work/number_recipe.h"
#include "core/work/optimizer.h"
#include "core/work/training.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A plan that is 1D shares its weights as this algorithm does.
inline constexpr std::string_view one_d_algorithm = "1d-tp";

/// "dp 32 x pp 64 x tp 8x1, micro-batch 1"; schedule, recomputation and ZeRO level where they are not 1F1B,
/// none and 1, or the level makes no difference: "..., interleaved:2, full recomputation, ZeRO 3".
[[nodiscard]] std::string text(const Plan& plan);

/// What is trained, for one step.
struct TrainingRun {
    Transformer model;
    std::int64_t sequence = 1; ///< tokens (or patches) of one sample
    std::int64_t batch = 1;    ///< samples of one step, all chips together
    bool causal = true;
    bool ends = false;                    ///< embedding, output head and loss too; needs the vocabulary
    bool optimizer_step = false;          ///< Adam's update too
    const Workload* workload = &training; ///< never null; writes the tasks of its blocks
    KeptNumbers keeps = {};
    /// Whether stages may have one layer more than others. Where the number of stages divides the layers they
    /// have equally many either way.
    bool uneven_stages = false;
    ExpertExchange exchange = {}; ///< how tokens go to experts, where chips share these
    NumberRecipe recipe = NumberRecipe::bf16;
    Adapters adapters = {};

    bool operator==(const TrainingRun&) const = default;
};

/// The run of a model with its own sequence length and attention. Refuses 0 (the model's own) where the model
/// says no sequence length, and numbers that are out of range.
[[nodiscard]] Result<TrainingRun> training_run(const Transformer& model, std::int64_t sequence,
                                               std::int64_t batch);

/// The layers of a stage, counted from 0: as even as possible. Those that are left over stand in the middle,
/// the later stages, which keep fewer micro-batches, first; then in the first stage, which has the embedding.
/// The last stage, which has the output head, never has one of them.
[[nodiscard]] std::int64_t stage_layers(const TrainingRun& run, const Plan& plan, std::int64_t stage);
/// Of the stage that has most.
[[nodiscard]] std::int64_t most_stage_layers(const TrainingRun& run, const Plan& plan);
/// What an interleaved pipeline of so many stages has in each, to be cut into chunks: its layers, where all
/// have as many; or, where stages may be uneven and the ends count, one more than the first and the last
/// stage have, in which embedding and output head take the place of a layer each (Llama 3, arXiv 2407.21783,
/// section 3.3.2: 126 layers in 16 stages of 8). 0 where it is neither.
[[nodiscard]] std::int64_t interleaved_layers(const TrainingRun& run, std::int64_t stages);
/// Whether embedding and output head have the place of a layer each in the chunks of a plan.
[[nodiscard]] bool ends_have_places(const TrainingRun& run, const Plan& plan);
/// The layers of a chunk of a stage, both counted from 0: as even as possible. Where the ends have places,
/// the first chunk of the first stage and the last one of the last have one fewer, which may be none.
[[nodiscard]] std::int64_t chunk_layers(const TrainingRun& run, const Plan& plan, std::int64_t stage,
                                        std::int64_t chunk);
/// Whether the stages of a pipeline may be so many.
[[nodiscard]] bool takes_stages(const TrainingRun& run, std::int64_t stages);

/// What every kind of block with experts may divide its experts by; 0 where none has any.
[[nodiscard]] std::int64_t common_experts(const Transformer& model);
/// What hides dispatch and combine in a plan; nothing where no chips share experts.
[[nodiscard]] ExpertOverlap expert_overlap(const TrainingRun& run, const Plan& plan);
/// The routers of a model's blocks; one expert where none has several.
[[nodiscard]] ExpertRouting expert_routing(const Transformer& model);
/// Why a plan on a torus has no expert-parallel group.
[[nodiscard]] std::string no_experts_on_torus();

/// Why a plan that splits GEMMs along both axes has no adapters.
[[nodiscard]] std::string no_adapters_in_panels();
/// And none that shares weights with a part of its copies.
[[nodiscard]] std::string no_shard_on_torus();
/// Why activations do not wait in the memory of its host.
[[nodiscard]] std::string no_way_to_host(const Machine& machine);

/// Whether its level of ZeRO makes a difference: other chips hold the same weights.
[[nodiscard]] bool shares_weights(const Plan& plan);

/// Whether a group that has parts of sequences can exchange tokens for heads: each chip has as many heads.
[[nodiscard]] bool takes_all_to_all(const TrainingRun& run, std::int64_t tensor1, std::int64_t tensor2);

/// Whether its stages and micro-batches suit DualPipe (github.com/deepseek-ai/DualPipe, dualpipe/dualpipe.py,
/// which asserts it).
[[nodiscard]] bool takes_dualpipe(const TrainingRun& run, const Plan& plan);

/// Refuses a plan that the run and the cluster do not allow, with what would work instead. Under `reference`
/// parts need not divide, and each is rounded down, but must be left with something.
/// `units`: the chips of one unit of each level but the last, from the inside out.
[[nodiscard]] Result<void> check_plan(const TrainingRun& run, const Plan& plan,
                                      const std::vector<std::int64_t>& units, ModelRules rules);

/// Whether a tensor-parallel group shares heads, features and tokens evenly. A 1D or 2D plan need not: its
/// fullest chip sets the pace.
[[nodiscard]] bool groups_divide(const TrainingRun& run, const Plan& plan);

/// Up to two divisors of `value` below `wanted` and one above, in order: 16, 20, 32 for 160 and 24.
[[nodiscard]] std::string divisors_near(std::int64_t value, std::int64_t wanted);
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t value);

} // namespace meshslice
