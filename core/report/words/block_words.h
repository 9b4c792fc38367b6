#pragma once

#include "core/model/transformer.h"
#include "core/step/training_step.h"

#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// What the block's time is to the whole model: "All 96 blocks: 5.94 s, 66% of peak." Empty for a GEMM on its
/// own.
/// "one block 14.2 ms (sequence 2048)"; of a GEMM on its own the time alone.
[[nodiscard]] std::string block_time_words(const TrainingStep& step);
[[nodiscard]] std::string all_blocks_words(const TrainingStep& step);
/// The time of all blocks alone: "5.94 s".
[[nodiscard]] std::string model_time_text(const TrainingStep& step);
/// What of a training step that time leaves out, as a sentence. Empty for a GEMM on its own.
[[nodiscard]] std::string left_out_words(const TrainingStep& step);

/// Which of a model's several kinds of blocks a step is of, as a sentence. Empty where all are alike.
[[nodiscard]] std::string block_kind_words(const Transformer& model);

/// "24.1 of 32.0 GB"; "212 MB of 32.0 GB".
[[nodiscard]] std::string room_text(Bytes needed, Bytes capacity);
/// The short answer to whether a chip holds the step: "24.1 of 32.0 GB", or "does not fit: 41.0 of 32.0 GB
/// per chip"; of one group of a plan "24.1 of 32.0 GB in its plan".
[[nodiscard]] std::string fit_words(const TrainingStep& step);
/// "weights 1.36 GB, embeddings 4.82 MB, ...".
[[nodiscard]] std::string memory_parts_text(const TrainingStep& step);
/// The parts of a chip's memory with their names; without those that a GEMM on its own does not have.
[[nodiscard]] std::vector<std::pair<std::string, Bytes>> memory_parts(const TrainingStep& step);
/// What is counted of the memory and what is left out. Empty for a GEMM on its own.
[[nodiscard]] std::string memory_scope_words(const TrainingStep& step);

} // namespace meshslice
