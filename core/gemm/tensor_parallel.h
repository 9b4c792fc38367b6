#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// 1D tensor parallelism with sequence parallelism (MeshSlice paper, sections 2.1 and 4.3; Korthikanti et
/// al., 2022) on a ring: the activations are gathered before a column-parallel layer (OS, and RS for its
/// weights' gradient) or scattered after a row-parallel one (LS), overlapped by Wang's decomposition. The
/// weights never move.
[[nodiscard]] Result<Program> tensor_parallel(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                              const GemmOptions& options);
[[nodiscard]] Result<std::vector<std::int64_t>> tensor_parallel_slice_counts(const GemmShape& shape,
                                                                             Dataflow dataflow,
                                                                             const Torus& torus,
                                                                             const GemmOptions& options);

} // namespace meshslice
