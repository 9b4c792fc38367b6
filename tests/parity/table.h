#pragma once

#include "core/gemm/algorithms.h"
#include "core/program/schedule.h"
#include "tests/parity/comparison.h"

#include <string>
#include <vector>

namespace meshslice::parity {

/// One row of the table: a product, and how it is run.
struct Case {
    const Algorithm* algorithm = nullptr;
    Dataflow dataflow = Dataflow::OS;
    Torus torus;
    GemmShape shape;
    Schedule schedule;
    std::int64_t slices = 1;
};

/// Collective, Cannon, SUMMA, Wang and MeshSlice: the dataflows, the meshes, the ring modes and the depths of
/// prefetch, each with everything else as usual.
[[nodiscard]] std::vector<Case> table_cases();

/// In both simulators, on the hardware "tpu-v4-cloud".
[[nodiscard]] Result<Comparison> compare(const Case& row);

/// The table in Markdown, and a last line with the largest deviation in it.
[[nodiscard]] Result<std::string> written_table();

} // namespace meshslice::parity
