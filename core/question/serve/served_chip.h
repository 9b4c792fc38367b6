#pragma once

#include "core/base/result.h"
#include "core/evidence/inference/inference_step.h"
#include "core/machine/machine.h"

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
    bool of_rows = true;                     ///< whether rows of this very chip and engine were fitted
};

/// What measured rows call the engine "vllm": "vLLM".
[[nodiscard]] std::string engine_of_rows(const std::string& engine);

/// Of a group of so many chips. `engine` as the command line has it: "vllm". Refuses a network that has no
/// law, or does not join so many chips.
[[nodiscard]] Result<ServedChip> served_chip(const Machine& machine, std::int64_t tensor,
                                             const std::string& engine, Efficiency efficiency);

/// Without any loss: rates of data sheets, no time but that of arithmetic, memory and links.
[[nodiscard]] InferenceValues ideal_values();

/// Bytes/s that an all-reduce of a large array moves out of each of so many chips next to each other, of the
/// 2 (n - 1) / n of the array that a ring would move.
[[nodiscard]] Result<double> all_reduce_rate(const Machine& machine, std::int64_t chips);

} // namespace meshslice
