#pragma once

#include "core/base/run_control.h"
#include "core/step/training_step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// One GEMM of the training step in one cell, all copies together.
struct LandscapeProduct {
    std::int64_t slices = 1;
    Time time;
    Time compute; ///< one chip's multiplications; the rest of the time is exposed communication

    bool operator==(const LandscapeProduct&) const = default;
};

/// The training step on one mesh with one slice count. Without GEMMs where it does not run; the sentence
/// says why.
struct LandscapeCell {
    std::vector<LandscapeProduct> products;
    Time time;
    double utilization = 0;
    Bytes memory; ///< of one chip, as TrainingStep has it
    bool fits = true;
    std::string objection;

    [[nodiscard]] bool runs() const { return !products.empty(); }
};

/// How the scenario's algorithm does on every mesh of its chips, with every slice count that works for all
/// GEMMs of the step alike: what Figures 13 and 14 of the paper cut through.
struct Landscape {
    std::string algorithm; ///< id
    Depth depth = Depth::estimate;
    std::vector<Gemm> gemms;
    std::vector<std::vector<std::int32_t>> meshes;   ///< the rows
    std::vector<std::optional<std::int64_t>> slices; ///< the columns; none: the best of every GEMM
    std::vector<LandscapeCell> cells;                ///< row by row
    /// Row and column of the fastest cell that fits into a chip's memory, of equals the first; where none
    /// fits, of the one that needs least.
    std::optional<std::pair<std::size_t, std::size_t>> best;
    Bytes capacity; ///< a chip's HBM

    [[nodiscard]] const LandscapeCell& cell(std::size_t row, std::size_t column) const {
        return cells[row * slices.size() + column];
    }
};

/// Estimates, or simulates on a healthy machine, every cell. The scenario's own mesh and slice count do not
/// matter. For algorithms that unroll, a column's S is the most they unroll to, and the columns are powers of
/// two. Refused where the algorithm runs on no mesh at all.
[[nodiscard]] Result<Landscape> landscape(const Scenario& scenario, Depth depth,
                                          const RunControl& control = {});

} // namespace meshslice
