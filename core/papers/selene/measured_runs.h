#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/plan/evaluate/evaluate.h"

#include <array>
#include <cstdint>

namespace meshslice {

/// A model that was trained on NVIDIA's Selene (A100 80 GB, servers of 8): "Reducing Activation Recomputation
/// in Large Transformer Models" (Korthikanti et al., 2022, arXiv 2205.05198), tables 3 and 5 and figure 1.
/// Tensor parallel over 8 chips, no data parallelism, sequences of 2048, Adam without sharding.
struct MeasuredRun {
    const char* name; ///< "175B"
    const char* id;   ///< "175b"
    std::int64_t hidden, heads, layers, stages, batch, micro_batch, chunks;
};
inline constexpr std::array<MeasuredRun, 4> measured_runs = {
    {{"22B", "22b", 6144, 64, 48, 1, 4, 4, 1},
     {"175B", "175b", 12'288, 96, 96, 8, 64, 1, 3},
     {"530B", "530b", 20'480, 128, 105, 35, 280, 1, 3},
     {"1T", "1t", 25'600, 160, 128, 64, 512, 1, 1}}};

/// A step as we have it, by the exact rules, with embedding, head, loss and optimizer. `full`: every layer is
/// computed again; else the inside of attention is, as fused attention does always, with sequence
/// parallelism. Attention computes what it masks, as it did there.
[[nodiscard]] Result<PlanReading> measured_step(const MeasuredRun& of, bool full, const Machine& cluster);
/// The share of a layer's activations that is the mask of the dropout between the GEMMs of the feed-forward
/// network, which these models did not have.
[[nodiscard]] Result<double> share_of_inner_dropout(const MeasuredRun& of, const Machine& cluster);

} // namespace meshslice
