#pragma once

#include "core/cost/schedule.h"
#include "core/gemm/algorithms.h"
#include "tests/parity/comparison.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice::parity {

/// What a row's GEMM runs on.
enum class Circumstances : std::uint8_t {
    as_it_is, ///< closed rings, chips of a constant rate
    folded,   ///< rings folded onto lines
    jitter,   ///< every synchronization up to 2 us late
    tiled,    ///< chips modelled tile by tile, HBM shared
};

/// One row of the table: a GEMM, and how it is run.
struct Case {
    const Algorithm* algorithm = nullptr;
    Dataflow dataflow = Dataflow::OS;
    Torus torus;
    GemmShape shape;
    Schedule schedule;
    std::int64_t slices = 1;
    Circumstances machine = Circumstances::as_it_is;
};

/// Collective, Cannon, SUMMA, Wang and MeshSlice: the dataflows, the meshes, the ring modes, the depths of
/// prefetch and the machines, each with everything else as usual.
[[nodiscard]] std::vector<Case> table_cases();

/// In both simulators, on the hardware "tpu-v4-cloud".
[[nodiscard]] Result<Comparison> compare(const Case& row);

/// The table in Markdown, and a last line with the largest deviation in it.
[[nodiscard]] Result<std::string> written_table();

} // namespace meshslice::parity
