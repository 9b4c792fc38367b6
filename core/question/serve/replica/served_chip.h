#pragma once

#include "core/base/result.h"
#include "core/cost/collective/collective.h"
#include "core/evidence/inference/inference_constants.h"
#include "core/evidence/inference/inference_step.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <string>

namespace meshslice {

/// Whose efficiencies count.
enum class Efficiency : bool {
    measured, ///< those of measured rows
    ideal     ///< none: the rates of data sheets, and no overhead
};

/// A chip in the words of the law of inference, with its constants.
struct ServedChip {
    InferenceChip chip;
    InferenceValues values{};
    const InferenceChip* measured = nullptr; ///< among chips with rows; null: none
    std::string constants;                   ///< whose they are, in a sentence
    bool of_rows = true;                     ///< whether rows of this very chip were fitted
    bool serving =
        false; ///< constants of engines that serve, and not of static batches under TensorRT-LLM 0.9
    const FittedInference* fitted = nullptr; ///< that they come from; null: no rows
};

/// The chips of a replica.
struct ServedGroup {
    std::int64_t tensor = 1; ///< that a request attends on
    std::int64_t chips = 1;  ///< all of them
    /// Has what no static row has: experts that lie apart from attention, or drafts.
    bool as_served = false;
};

/// What measured rows call the engine "vllm": "vLLM".
[[nodiscard]] std::string engine_of_rows(const std::string& engine);

/// `engine` as the command line has it: "vllm". TensorRT-LLM takes the constants of static batches where the
/// chip has such rows. Refuses a network that has no law, or does not join so many chips.
[[nodiscard]] Result<ServedChip> served_chip(const Machine& machine, const ServedGroup& group,
                                             const std::string& engine, Efficiency efficiency);

/// Without any loss: rates of data sheets, no time but that of arithmetic, memory and links.
[[nodiscard]] InferenceValues ideal_values();

/// Bytes/s that a chip sends to one of another group, where the network joins so many chips: over one of its
/// links in a torus, else through the switch that joins them all. Refuses where nothing does.
[[nodiscard]] Result<double> rate_between(const Machine& machine, std::int64_t chips);

/// Chips of a replica next to each other: on a torus along its axes.
[[nodiscard]] ChipGroup group_of_replica(const Machine& machine, std::int64_t chips);

/// Bytes/s that an all-reduce of a large array moves out of each of so many chips next to each other, of the
/// 2 (n - 1) / n of the array that a ring would move.
[[nodiscard]] Result<double> all_reduce_rate(const Machine& machine, std::int64_t chips);

} // namespace meshslice
