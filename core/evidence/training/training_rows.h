#pragma once

#include "core/cost/collective/expert_exchange.h"
#include "core/evidence/training/training_facts.h"
#include "core/scenario/plan/plan.h"
#include "core/work/adapters.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What runs it, as far as that changes how a step is laid out.
enum class TrainingStack : std::uint8_t {
    megatron, ///< Megatron-LM, NeMo, MegaScale, InternEvo: copies that exchange gradients once a step
    fsdp,     ///< PyTorch's FSDP: llm-foundry, torchtitan, fms-fsdp
    xla       ///< MaxText, PaxML
};
[[nodiscard]] std::string_view name(TrainingStack stack);

/// What of a layer is computed again, from least to most.
enum class TrainedAgain : std::uint8_t { none, vectors, attention, feed_forward, all };
[[nodiscard]] std::string_view name(TrainedAgain again);

/// The one quantity of a row that is compared.
enum class TrainingQuantity : std::uint8_t { none, step_time, tokens, flop_rate, utilization };
[[nodiscard]] std::string_view name(TrainingQuantity quantity);

/// How a row's source counts the FLOP of a step.
enum class FlopCount : std::uint8_t {
    half_attention,  ///< 6 P and attention once for each pair of tokens that see each other
    whole_attention, ///< 6 P and attention as if all tokens saw all
    both_ends,       ///< as `whole_attention`, with the embedding's matrix too
    recomputed,      ///< with the forward pass that is computed again: 8 P
};

/// A training run that somebody timed.
struct TrainingRow {
    std::string id; ///< of its source's own; else "file.csv:12"
    std::string group, hardware, model, framework, version, interconnect, note, source;
    const TrainingChip* chip = nullptr;
    TrainingModelFacts facts;
    TrainingStack stack = TrainingStack::megatron;
    bool fine_tuning = false, lora = false;
    /// Of LoRA's adapters, where it is that. Rows do not say it; their benchmarks have some next to QKV
    /// alone, and of Llama 3 70B of rank 16 (github.com/NVIDIA/NeMo,
    /// nemo/collections/llm/recipes/llama3_70b.py, finetune_recipe; github.com/NVIDIA-NeMo/Megatron-Bridge,
    /// scripts/performance).
    Adapters adapters = {16, FrozenNumbers::bf16, AdapterTargets::qkv};
    bool anchor = false;          ///< never fitted: a run larger than those that constants come from
    bool doubtful = false;        ///< trust C
    bool early = false;           ///< before fused attention
    bool newer_experts = false;   ///< NeMo from 26.06 on
    bool own_model = false;       ///< MegaScale: parallel block, sliding window
    double bubble_share = 1;      ///< of the bubble of 1F1B
    ExpertExchange exchange = {}; ///< how tokens go to experts

    double layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_size = 0, width = 0, matrices = 2;
    double vocabulary = 0, experts = 0, chosen = 0, expert_width = 0, parameters = 0;
    bool latent = false; ///< multi-head latent attention

    double chips = 0, per_node = 8, tensor = 1, pipeline = 1, chunks = 1, context = 1, expert = 1, data = 1;
    ContextExchange context_by = ContextExchange::ring; ///< Megatron-LM's own, where a row does not say
    double gathered = 2;             ///< bytes of a weight that is gathered from chips that share it
    bool sums_each_backward = false; ///< of groups that share weights, among them; or of shared gradients
    double sharded = 0; ///< chips that share weights, gradients and optimizer state; 0: not sharded
    double sequence = 0, batch = 0, micro_batch = 0, micro_batches = 1;
    bool micro_batch_told = true;
    std::int64_t bits = 16;
    std::string precision;
    bool again_told = false;
    TrainedAgain again = TrainedAgain::none; ///< where the row says it
    /// Of a plan that computes several parts again: these too, next to `again`.
    bool attention_again = false, vectors_again = false;

    TrainingQuantity quantity = TrainingQuantity::none;
    FlopCount count = FlopCount::half_attention;
    double measured = 0;    ///< s, tokens/s of a chip, FLOP/s of a chip, or a share of the peak
    double peak_memory = 0; ///< bytes; 0: not said
    /// Why it cannot be predicted or is not scored; empty: it can.
    std::string reason;

    [[nodiscard]] double tokens() const { return batch * sequence; }
    /// Layers whose feed-forward network is experts.
    [[nodiscard]] double expert_layers() const;
    /// A model cut to fewer layers, so that it fits on few chips.
    [[nodiscard]] bool proxy() const { return note.find("proxy") != std::string::npos; }
    [[nodiscard]] bool sharded_stack() const { return sharded > 0; }
};

/// Reads rows with the columns of resources/measured/training.csv, in any order; others are passed over, and
/// empty cells are not known. A row that cannot be expressed says why.
[[nodiscard]] Result<std::vector<TrainingRow>> read_training_rows(std::string_view csv,
                                                                  const std::string& origin);
/// Those of resources/measured/training.csv.
[[nodiscard]] const std::vector<TrainingRow>& measured_training();

} // namespace meshslice
