#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// MeshSlice (paper, section 3.1, Figure 5): a loop of S partial collectives, each on one slice of the
/// shards, with blocked slicing (Algorithm 2). S = 1 is the Collective algorithm.
[[nodiscard]] Result<Program> meshslice(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                        const GemmOptions& options);

/// MeshSlice in the layers of a third axis that holds copies of the weights (paper, section 7): every layer
/// multiplies its own tokens; the weights' gradients (RS) are all-reduced over the copies. The tokens are the
/// rows of C in OS and LS and the summed dimension in RS, as in the Y- and X-stationary rows of Table 1.
[[nodiscard]] Result<Program> meshslice_data_parallel(const GemmShape& shape, Dataflow dataflow,
                                                      const Torus& torus, const GemmOptions& options);
[[nodiscard]] Result<std::vector<std::int64_t>>
meshslice_data_parallel_slice_counts(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                     const GemmOptions& options);

} // namespace meshslice
