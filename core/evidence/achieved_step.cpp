#include "core/evidence/achieved_step.h"

#include "core/cost/collective/expert_exchange.h"

#include <algorithm>

namespace meshslice {
namespace {

/// Half of the bytes of a GEMM's operands passes while nothing is multiplied: as much as neither of the two
/// bounds of a roofline says.
constexpr double exposed_operands = 0.5;
/// Attention reaches half of its rate on sequences of so many tokens.
constexpr double half_sequence = 1000;
/// Streams of an optimizer, which has large arrays.
constexpr double optimizer_share = 0.8;

} // namespace

std::string_view name(ChipConstant constant) {
    constexpr std::array<std::string_view, chip_constants> names = {
        "gemm", "low_gemm", "attention", "memory", "host_in_s", "experts", "expert_host_in_s"};
    return names[static_cast<std::size_t>(constant)];
}

std::string_view name(StackConstant constant) {
    constexpr std::array<std::string_view, stack_constants> names = {"exposed", "straggler", "older_fused",
                                                                     "newer_experts"};
    return names[static_cast<std::size_t>(constant)];
}

double size_share(double half, double a, double b) {
    return a / (a + half) * (b / (b + half));
}

StepSeconds step_seconds(const StepAmounts& amounts, const TrainingEfficiencies& reached) {
    using enum ChipConstant;
    using enum StackConstant;
    const StepAmounts& a = amounts;
    const double n = a.micro_batches;
    const double vectors = reached.of(ChipConstant::memory);
    const double fused = reached.of(attention) * (a.older_attention ? reached.of(older_fused) : 1) *
                         a.sequence / (a.sequence + half_sequence);
    const double era = a.newer_experts ? reached.of(StackConstant::newer_experts) : 1;
    const double attended = a.attention / fused;
    const double compute = a.gemm / reached.of(gemm) + a.low_gemm / reached.of(low_gemm) +
                           exposed_operands * a.gemm_bytes + attended +
                           (a.vectors + a.score_bytes) / vectors +
                           a.layers * reached.of(host) * (a.expert_launches > 0 ? era : 1);
    const double at_experts = (a.expert_gemm / reached.of(gemm) + a.low_expert_gemm / reached.of(low_gemm)) /
                                  reached.of(ChipConstant::experts) +
                              exposed_operands * a.expert_gemm_bytes + a.expert_vectors / vectors +
                              era * a.expert_launches * reached.of(expert_host);
    const double exchange = era * a.expert_exchange;
    const double shared = a.shared_gemm / reached.of(gemm) + a.low_shared_gemm / reached.of(low_gemm) +
                          exposed_operands * a.shared_gemm_bytes;
    const double not_hidden_exchange = a.exchange_hidden ? not_hidden(exchange, compute + at_experts)
                                       : shared > 0      ? not_hidden(exchange, shared)
                                                         : exchange;
    const double of_experts = at_experts + not_hidden_exchange;
    const double exchanges =
        reached.of(exposed) * a.tensor + std::max(0.0, a.context - attended) + a.context_waited;
    const double stage = compute + of_experts + exchanges;
    const double head =
        std::max(0.0, a.head_gemm / reached.of(gemm) + a.head_bytes / vectors - a.head_behind * stage);
    // What a pass is long enough to hide leaves its exposed share; the rest sticks out.
    const auto beyond = [&](double time, double behind) {
        return std::max(time - behind, 0.0) + reached.of(exposed) * std::min(time, behind);
    };
    StepSeconds made;
    made.compute = n * compute;
    made.experts = n * of_experts;
    made.exchanges = n * exchanges;
    made.head = n * head;
    made.gathers = n * beyond(a.gathers, stage);
    made.bubble = a.bubble * n * stage;
    made.transfers = a.transfers;
    made.data = beyond(a.gradients, stage * 2 / 3); // the last backward pass
    made.hidden = n * (a.tensor + a.context + a.context_waited - exchanges + a.gathers) - made.gathers +
                  a.gradients - made.data;
    made.optimizer = a.optimizer / optimizer_share;
    const double all = made.compute + made.experts + made.exchanges + made.head + made.gathers + made.bubble +
                       made.transfers + made.data + made.optimizer;
    made.stragglers = all * reached.of(straggler) * a.doublings;
    made.total = all + made.stragglers;
    return made;
}

} // namespace meshslice
