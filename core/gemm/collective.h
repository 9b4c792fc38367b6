#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// Collective 2D GeMM (MeshSlice paper, section 2.3.4, Figure 2b): gathers or scatters whole shards,
/// multiplies once.
[[nodiscard]] Result<Program> collective(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                         const GemmOptions& options);

} // namespace meshslice
