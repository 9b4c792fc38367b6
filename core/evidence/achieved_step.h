#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// What is fitted for a chip, and of one machine's host: seconds at an ideal rate, over these, are seconds.
enum class ChipConstant : std::uint8_t {
    gemm,       ///< share of the bf16 rate that large GEMMs reach
    low_gemm,   ///< share of the 8 or 4 bit rate
    attention,  ///< share of the bf16 rate that the fused kernel reaches on long sequences
    memory,     ///< share of the HBM bandwidth that norms, activations and casts reach
    host,       ///< s for each layer and micro-batch: launches, and what is too small to fill a chip
    experts,    ///< share of what a GEMM reaches, of the GEMMs of experts
    expert_host ///< s for each expert of a chip, layer and micro-batch
};
inline constexpr std::size_t chip_constants = static_cast<std::size_t>(ChipConstant::expert_host) + 1;

/// What is fitted for all chips together.
enum class StackConstant : std::uint8_t {
    exposed,      ///< share of the exchanges that could hide behind compute, and do not
    straggler,    ///< of the step, for each doubling of the chips beyond 8
    older_fused,  ///< attention of FSDP stacks on chips after Ampere: FlashAttention 2 was written for Ampere
    newer_experts ///< host time and exchange of experts since NeMo 26.06, which runs them as graphs
};
inline constexpr std::size_t stack_constants = static_cast<std::size_t>(StackConstant::newer_experts) + 1;

[[nodiscard]] std::string_view name(ChipConstant constant);
[[nodiscard]] std::string_view name(StackConstant constant);

/// What a chip reaches in training, and what software adds.
struct TrainingEfficiencies {
    std::array<double, chip_constants> chip{};
    std::array<double, stack_constants> stack{};

    [[nodiscard]] double of(ChipConstant constant) const { return chip[static_cast<std::size_t>(constant)]; }
    [[nodiscard]] double of(StackConstant constant) const {
        return stack[static_cast<std::size_t>(constant)];
    }
};

/// A training step in parts, each in seconds at the rates of the data sheet. All but those of a step are of
/// one micro-batch on a chip of the fullest stage.
struct StepAmounts {
    double gemm = 0, low_gemm = 0; ///< with their sizes' shares, see size_share()
    double gemm_bytes = 0;
    double attention = 0;
    double score_bytes = 0; ///< of attention without a fused kernel
    double vectors = 0;
    double layers = 0;
    double sequence = 0; ///< tokens
    bool older_attention = false;

    double expert_gemm = 0, low_expert_gemm = 0, expert_gemm_bytes = 0, expert_vectors = 0;
    double expert_launches = 0; ///< experts of a chip and two more, for each layer
    double expert_exchange = 0;
    bool newer_experts = false;
    bool exchange_hidden = false; ///< by a schedule made for it (DualPipe)
    /// Of the GEMMs, those of the shared expert where they hide the exchange: else 0.
    double shared_gemm = 0, low_shared_gemm = 0, shared_gemm_bytes = 0;

    double tensor = 0;         ///< gathers and scatters around attention and feed-forward network
    double context = 0;        ///< keys and values on their way round
    double context_waited = 0; ///< or gathered, or exchanged for heads, before attention
    double head_gemm = 0, head_bytes = 0;
    double head_behind = 0; ///< share of the stage for which the last one, with fewer layers, has time
    double gathers = 0;     ///< of weights and gradients that every micro-batch needs
    double transfers = 0;   ///< between stages, from the first to the last and back

    double micro_batches = 1;
    double bubble = 0;    ///< share of the passes of all micro-batches
    double gradients = 0; ///< of a step
    double optimizer = 0; ///< of a step
    double doublings = 0; ///< of 8 chips
};

/// The same in seconds; together, without `hidden`, `total`.
struct StepSeconds {
    double compute = 0, experts = 0, exchanges = 0, head = 0, gathers = 0, bubble = 0, transfers = 0;
    double data = 0, optimizer = 0, stragglers = 0;
    double total = 0;
    double hidden = 0; ///< communication that compute is taken to hide

    bool operator==(const StepSeconds&) const = default;
};
[[nodiscard]] StepSeconds step_seconds(const StepAmounts& amounts, const TrainingEfficiencies& reached);

/// The share of its rate that a product with these sides reaches, where a side of `half` has half of it:
/// tiles fill, and pipelines within a chip run, the better the longer all sides are.
[[nodiscard]] double size_share(double half, double a, double b);
/// The sides at half the rate: of a GEMM, and of the GEMMs of experts, which start again for each.
/// TPU v7x reaches 30% of its rate at 1024, 59% at 2048, 77% at 4096 and 82% from 16384 on
/// (github.com/AI-Hypercomputer/tpu-recipes, microbenchmarks/ironwood/README.md, commit c8cfe2f689).
inline constexpr double gemm_half = 100, expert_half = 1000;
/// Half a tile of 128 rows is padding, on average.
inline constexpr double expert_row_half = 64;

} // namespace meshslice
