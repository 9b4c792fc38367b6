#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// MeshSlice (paper, section 3.1, Figure 5): a loop of S partial collectives, each on one slice of the
/// shards, with blocked slicing (Algorithm 2). S = 1 is the Collective algorithm.
[[nodiscard]] Result<Program> meshslice(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                        const GemmOptions& options);

} // namespace meshslice
