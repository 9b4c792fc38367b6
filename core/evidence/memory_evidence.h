#pragma once

#include "core/evidence/training/training_amounts.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Bytes that a chip held, of one kind, and what we say of them.
struct MemoryRow {
    std::string id, hardware, model;
    std::string quantity;               ///< "weights", "activations", "total"
    double predicted = 0, measured = 0; ///< bytes
    std::string reason;                 ///< why it is not predicted; empty: it is

    [[nodiscard]] double error() const { return predicted / measured - 1; }
};

/// Reads rows as resources/measured/memory.csv has them: training rows have weights with gradients and
/// optimizer state, activations, or all together; serving rows weights. What they leave open of a split is
/// that of a measured training run of the model.
[[nodiscard]] Result<std::vector<MemoryRow>> read_memory_rows(std::string_view csv,
                                                              const std::string& origin);
/// The peaks that training runs tell.
[[nodiscard]] std::vector<MemoryRow> memory_of_runs(const std::vector<TrainingRow>& rows);
/// Those that come with the program.
[[nodiscard]] std::vector<MemoryRow> measured_memory();
/// How far what is counted of a chip's memory is from what training runs held, as a sentence; empty where
/// none was measured.
[[nodiscard]] std::string measured_memory_words();

} // namespace meshslice
