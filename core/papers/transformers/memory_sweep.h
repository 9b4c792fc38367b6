#pragma once

#include "core/papers/transformers/plan_setup.h"

#include <vector>

namespace meshslice {

/// What a chip calculates at, and what its memory has.
struct ChipRates {
    double matrix = 0, vector = 0; ///< FLOP/s
};
struct ChipMemory {
    double capacity = 0;  ///< bytes
    double bandwidth = 0; ///< bytes/s
};
/// A100, H200, B200 and, as the published implementation assumes it, what comes after B200.
inline constexpr std::array<ChipRates, 4> generation_rates = {
    {{312e12, 78e12}, {989.4e12, 133.8e12}, {2500e12, 339e12}, {3750e12, 508.5e12}}};
inline constexpr std::array<ChipMemory, 4> generation_memories = {
    {{80e9, 1555e9}, {141e9, 4800e9}, {192e9, 8000e9}, {384e9, 16'000e9}}};

[[nodiscard]] Machine with_rates(Machine cluster, const ChipRates& rates);
[[nodiscard]] Machine with_memory(Machine cluster, const ChipMemory& memory);

/// `count` points from one to the other, ends included.
[[nodiscard]] std::vector<double> evenly(double from, double to, std::size_t count);
/// `count` points on each of the ways from one generation to the next, their shared ends once.
[[nodiscard]] std::vector<double> along_generations(const std::array<double, 4>& of, std::size_t count);

/// Days of training with each of these capacities, ascending, on a cluster with all else as it is; none where
/// nothing fits. One search: a capacity only says which plans fit. `blocks` are of this model and these
/// rules.
[[nodiscard]] Result<std::vector<std::optional<double>>>
days_by_capacity(const Transformer& model, Machine cluster, TensorStrategy strategy, std::int64_t chips,
                 const std::vector<double>& capacities, ModelRules rules, const RunControl& control,
                 std::shared_ptr<ChipBlocks> blocks);

} // namespace meshslice
