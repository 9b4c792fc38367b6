#pragma once

#include "core/evidence/inference/inference_facts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// What a fit may move. The first six belong to a chip, the next two to an engine, the rest to all.
enum class InferenceConstant : std::uint8_t {
    gemm,              ///< share of the peak that a large product in 16 bits reaches
    memory,            ///< share of the memory's rate at which weights are read
    cache,             ///< the same of the KV cache
    layer,             ///< s that launches take in a layer of a decode step
    exchange_latency,  ///< s, of an all-reduce of four chips
    exchange_rate,     ///< share of the link rate, of all-reduces
    engine_host,       ///< of `layer` and `exchange_latency`, in an engine other than TensorRT-LLM 0.9
    engine_prefill,    ///< of the time that prefill computes; where the host launches ahead, of its launches
    dimension,         ///< inner dimension or columns at which a product reaches half of its rate
    bound_power,       ///< p of (compute^p + memory^p)^(1/p)
    low_precision,     ///< of `gemm`, in 8 bits and 4 bits
    prefill_attention, ///< share of the 16-bit peak
    prefill_vectors,   ///< bytes for each element of a layer's input
    decode_vectors,
    prefill_start, ///< s
    prefill_layer, ///< s
    sampling,      ///< s for each request and step
    pcie_step,     ///< s more for a large message among more than four chips on PCIe
    walk_hopper,   ///< clocks of a multiprocessor for each token and head of 128, in the first kernels
    walk_other,
    walk_token,             ///< s for each token, however few heads
    large_message,          ///< four chips in pairs: rate above 64 MiB, over the rate below
    latency_growth,         ///< exponent of chips / 4
    beyond_pairs,           ///< of `exchange_latency`
    runtime,                ///< bytes
    activation,             ///< bytes for each prefilled token and element of a layer's input
    wide_activation,        ///< bytes for each prefilled token and column of the wide products
    logits,                 ///< copies in 32 bits
    group_memory,           ///< bytes, where several chips share a model
    nvlink_memory,          ///< bytes, from four Hopper chips on
    nvlink_memory_of_eight, ///< bytes more, from eight on
    embedding_copy,         ///< share of the embedding that is held again
    // Of engines that serve, and not of the static batches:
    expert_launch,  ///< launches of a layer with experts more than without, of `layer`
    latent_launch,  ///< the same of latent attention, and again of the index of sparse attention
    linear_launch,  ///< the same of a model with linear attention
    imbalance,      ///< standard deviations by which the fullest chip is above a balanced router's mean
    expert_read,    ///< bytes that experts are read with, of their own
    dispatch,       ///< share of the links' rate, of tokens that go to their experts and back
    latent_compute, ///< share of the 16-bit peak, of latent attention in a decode step
    four_bits,      ///< of `gemm`, in 4 bits
    step_start,     ///< s of each step
    request_start,  ///< s of a request, before a server may begin with it
    accepted,       ///< tokens that a request puts out in a step that checks drafts
    dequantize      ///< of `gemm`, where weights of fewer bits are multiplied in 16
};
inline constexpr std::size_t inference_constants =
    static_cast<std::size_t>(InferenceConstant::dequantize) + 1;
inline constexpr std::size_t inference_chip_constants = 6;
inline constexpr std::size_t inference_engine_constants = 2;
/// Those of static batches come before it.
inline constexpr std::size_t first_serving_constant =
    static_cast<std::size_t>(InferenceConstant::expert_launch);

/// A constant's name in files, where its fit begins, and how far it may be from there: a standard deviation
/// in logarithms.
struct InferenceConstantSheet {
    std::string_view name;
    double begin = 1, deviation = 1;
    double without = 1; ///< of static batches, for which it is not fitted
};
[[nodiscard]] const InferenceConstantSheet& sheet(InferenceConstant constant);
/// The same where serving is fitted: narrow for shares that a GPU reaches, which rows alone would trade for
/// each other.
[[nodiscard]] InferenceConstantSheet serving_sheet(std::size_t constant);
/// Whether it is fitted to serving, whose kernels are not those of the static batches.
[[nodiscard]] bool moves_in_serving(std::size_t constant);
[[nodiscard]] bool is_of_chip(std::size_t constant);
[[nodiscard]] bool is_of_engine(std::size_t constant);

/// One value for each.
using InferenceValues = std::array<double, inference_constants>;
[[nodiscard]] inline double at(const InferenceValues& values, InferenceConstant constant) {
    return values[static_cast<std::size_t>(constant)];
}

/// A replica: a model on chips that share it, and what is in it. `data` groups of `tensor` chips each attend
/// to their own requests. An expert is cut over `expert_tensor` chips, and `expert_groups` groups of those
/// hold a share of the experts each; both together are all chips.
struct InferenceAsked {
    const InferenceModel* model = nullptr;
    const InferenceChip* chip = nullptr;
    double tensor = 1, data = 1;
    double expert_tensor = 0, expert_groups = 1; ///< 0: `tensor`
    double batch = 1, input = 1, output = 1;     ///< requests, and tokens of each
    double weight_bytes = 2, cache_bytes = 2;    ///< of an element
    std::int64_t bits = 16;                      ///< of the arithmetic
    double other_weight_bytes = 0;               ///< of weights that are not experts'; 0: as `weight_bytes`
    std::int64_t other_bits = 0;                 ///< 0: as `bits`
    double drafts = 0; ///< tokens that a step checks for each request besides its own
    /// TensorRT-LLM up to 0.9: attention of a decode step walks the cache once for each query head unless
    /// eight heads of 128 share it, and small all-reduces read every chip's message whole.
    bool first_kernels = false;
    /// The host launches a step with prompts while the chips still work on it.
    bool launches_ahead = false;

    [[nodiscard]] double chips() const { return tensor * data; }
};

/// What a step does, for all requests of a replica.
struct StepBatch {
    double prompt_tokens = 0;
    double prompt_keys = 0; ///< that those see, of all together
    double prompts = 0;     ///< of which a part is in the step
    double prompts_ended = 0;
    double decoding = 0; ///< requests
    double cached = 0;   ///< keys that those see, of all together
};

/// Seconds of one step, by what takes them.
struct InferenceStep {
    double gemm = 0, head = 0, attention = 0, vectors = 0, exchange = 0, overhead = 0;

    [[nodiscard]] double total() const { return gemm + head + attention + vectors + exchange + overhead; }
};
/// Whether the step has prompts and no graph, so that the host launches each of its kernels.
[[nodiscard]] bool launches_one_by_one(const InferenceAsked& asked, const StepBatch& batch);
/// Leaves of the launches what the chips wait for, where the host is ahead of them.
void launch_ahead(InferenceStep& step);
/// Launches and work one after the other, without what every step begins with.
[[nodiscard]] InferenceStep step_in_order(const InferenceAsked& asked, const StepBatch& batch,
                                          const InferenceValues& values);
/// Parts of prompts next to requests that each get a token.
[[nodiscard]] InferenceStep mixed_step(const InferenceAsked& asked, const StepBatch& batch,
                                       const InferenceValues& values);
/// From the prompts of `batch` requests of `input` tokens to the first token of each.
[[nodiscard]] InferenceStep prefill_step(const InferenceAsked& asked, const InferenceValues& values);
/// One token more of each of `batch` requests, with `context` tokens of each in the cache.
[[nodiscard]] InferenceStep decode_step(const InferenceAsked& asked, double context,
                                        const InferenceValues& values);
/// A step in the middle of the output.
[[nodiscard]] InferenceStep middle_decode_step(const InferenceAsked& asked, const InferenceValues& values);
/// Bytes of a chip: weights, cache of all tokens, activations, what engine and links take.
[[nodiscard]] double inference_memory(const InferenceAsked& asked, const InferenceValues& values);

} // namespace meshslice
