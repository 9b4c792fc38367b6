#include "core/evidence/inference/inference_step.h"

namespace meshslice {

const InferenceConstantSheet& sheet(InferenceConstant constant) {
    static constexpr std::array<InferenceConstantSheet, inference_constants> all = {{
        {"gemm", 0.6, 0.4},
        {"memory", 0.8, 0.25},
        {"cache", 0.8, 0.3},
        {"layer_in_s", 40e-6, 0.6},
        {"exchange_latency_in_s", 12e-6, 0.8},
        {"exchange_rate", 0.7, 0.6},
        {"host", 1, 0.5},
        {"prefill", 1, 0.4},
        {"dimension", 760, 1},
        {"bound_power", 1.7, 0.5},
        {"low_precision", 0.9, 0.3},
        {"prefill_attention", 0.5, 0.6},
        {"prefill_vectors_in_bytes", 4, 0.8},
        {"decode_vectors_in_bytes", 40, 0.8},
        {"prefill_start_in_s", 1e-4, 1},
        {"prefill_layer_in_s", 90e-6, 0.8},
        {"sampling_in_s", 4e-6, 1},
        {"pcie_step_in_s", 50e-6, 1},
        {"walk_on_hopper_in_clocks", 13, 1},
        {"walk_in_clocks", 20, 1},
        {"walk_of_a_token_in_s", 5e-9, 1},
        {"large_message", 1.8, 0.5},
        {"latency_growth", 0.4, 0.7},
        {"beyond_pairs", 1.5, 0.7},
        {"runtime_in_bytes", 0.8e9, 0.7},
        {"activation_in_bytes", 10, 0.7},
        {"wide_activation_in_bytes", 2.4, 0.7},
        {"logits", 3, 0.7},
        {"group_memory_in_bytes", 2.9e9, 0.7},
        {"nvlink_memory_in_bytes", 1.7e9, 0.7},
        {"nvlink_memory_of_eight_in_bytes", 2.6e9, 0.7},
        {"embedding_copy", 0.3, 0.7},
        {"expert_launch", 0.5, 0.7, 0},
        {"latent_launch", 0.5, 0.7, 0},
        {"linear_launch", 0.5, 0.7, 0},
        {"imbalance", 1, 0.5, 1},
        {"expert_read", 1, 0.4, 1},
        {"dispatch", 0.7, 0.6, 0.7},
        {"latent_compute", 0.5, 0.5, 0.5},
        {"four_bits", 0.5, 0.4, 0.9},
        {"step_start_in_s", 1e-3, 1, 0},
        {"request_start_in_s", 2e-2, 1, 0},
        {"accepted", 2, 0.3, 1},
        {"dequantize", 0.8, 0.4, 1},
    }};
    return all[static_cast<std::size_t>(constant)];
}

bool is_of_chip(std::size_t constant) {
    return constant < inference_chip_constants;
}
bool is_of_engine(std::size_t constant) {
    return !is_of_chip(constant) && constant < inference_chip_constants + inference_engine_constants;
}

bool moves_in_serving(std::size_t constant) {
    if (constant >= first_serving_constant || is_of_chip(constant) || is_of_engine(constant)) {
        return true;
    }
    switch (static_cast<InferenceConstant>(constant)) {
    case InferenceConstant::dimension:
    case InferenceConstant::bound_power:
    case InferenceConstant::low_precision:
    case InferenceConstant::prefill_attention:
    case InferenceConstant::prefill_vectors:
    case InferenceConstant::decode_vectors:
    case InferenceConstant::prefill_start:
    case InferenceConstant::prefill_layer:
    case InferenceConstant::sampling:
    case InferenceConstant::latency_growth: return true;
    default: return false;
    }
}

InferenceConstantSheet serving_sheet(std::size_t constant) {
    InferenceConstantSheet made = sheet(static_cast<InferenceConstant>(constant));
    switch (static_cast<InferenceConstant>(constant)) {
    case InferenceConstant::gemm:
        made.begin = 0.7;
        made.deviation = 0.1;
        break;
    case InferenceConstant::memory:
        made.begin = 0.8;
        made.deviation = 0.06;
        break;
    case InferenceConstant::cache:
        made.begin = 0.7;
        made.deviation = 0.15;
        break;
    case InferenceConstant::engine_host:
    case InferenceConstant::engine_prefill: made.deviation = 0.3; break;
    default: break;
    }
    return made;
}

} // namespace meshslice
