#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// SUMMA (MeshSlice paper, section 2.3.3, Figures 2a and 3): panel by panel, broadcasts along rows and
/// columns (or reduces), each streamed round the ring in packets. The number of panels is a common multiple
/// of the mesh's sides; the loop is unrolled to the given number of iterations ("slices"), each of which
/// takes several panels.
[[nodiscard]] Result<Program> summa(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                    const GemmOptions& options);

/// The iteration counts that work.
[[nodiscard]] Result<std::vector<std::int64_t>> summa_iteration_counts(const GemmShape& shape,
                                                                       Dataflow dataflow, const Torus& torus,
                                                                       const GemmOptions& options);

} // namespace meshslice
