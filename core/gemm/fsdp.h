#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// Fully-sharded data parallelism (MeshSlice paper, section 4.3; Zhao et al., 2023) on a ring: every chip
/// keeps its tokens; the weights are gathered before use (OS, LS) and their gradients scattered (RS),
/// overlapped by Wang's decomposition.
[[nodiscard]] Result<Program> fsdp(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                   const GemmOptions& options);
[[nodiscard]] Result<std::vector<std::int64_t>>
fsdp_slice_counts(const GemmShape& shape, Dataflow dataflow, const Torus& torus, const GemmOptions& options);

} // namespace meshslice
