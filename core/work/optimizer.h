#pragma once

#include "core/machine/data_type.h"

#include <cstdint>
#include <optional>

namespace meshslice {

// Adam in mixed precision (Rajbhandari et al., "ZeRO", SC 2020, section 3.1), of each parameter: a weight and
// a gradient of 2 bytes; a copy of the weight, a momentum and a variance of 4 bytes each.
inline constexpr std::int64_t weight_bytes = 2;
inline constexpr std::int64_t optimizer_bytes = 12;
/// The update reads the gradient, reads and writes these states, and writes the weight.
inline constexpr std::int64_t optimizer_traffic = 28;
inline constexpr std::int64_t optimizer_flop = 11;

/// What a run keeps its numbers as, and what else its chips' memory holds; by itself as published, which is
/// with gradients of 2 bytes, Adam's state of 12, no logits and nothing kept back.
struct KeptNumbers {
    DataType gradients = DataType::bf16;
    /// Adam's momentum and variance. Next to them stays a copy of the weight in 4 bytes (Dettmers et al.,
    /// "8-bit Optimizers", ICLR 2022, section 2: the states alone are of 8 bits; their constants, 4 bytes for
    /// 2048 values, are not counted).
    DataType moments = DataType::fp32;
    /// What the output head makes for the loss; none: not counted.
    std::optional<DataType> logits = {};
    /// Their gradient, next to them; none: it takes their place, as in Megatron-LM's loss.
    std::optional<DataType> logit_gradients = {};
    std::int64_t loss_chunks = 1; ///< parts of a micro-batch whose logits are there one after the other
    double reserve = 0; ///< bytes for what is not a tensor: driver, framework, buffers of the network

    [[nodiscard]] std::int64_t gradient() const { return element_bytes(gradients); }
    /// Bytes of the optimizer's state of a parameter: 12, 8 or 6.
    [[nodiscard]] std::int64_t state() const { return 4 + 2 * element_bytes(moments); }
    /// Bytes that the update of a parameter moves: see optimizer_traffic.
    [[nodiscard]] std::int64_t update_traffic() const { return gradient() + 2 * state() + weight_bytes; }
    /// Bytes of a logit and its gradient.
    [[nodiscard]] std::int64_t logit() const {
        return logits ? element_bytes(*logits) + (logit_gradients ? element_bytes(*logit_gradients) : 0) : 0;
    }

    bool operator==(const KeptNumbers&) const = default;
};

} // namespace meshslice
