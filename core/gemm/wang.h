#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// Wang's algorithm (MeshSlice paper, section 2.3.4): the collective of one direction is decomposed into
/// SendRecv steps that overlap with partial products, half of every shard each way round; the other direction
/// keeps its plain collective, which nothing hides. Decomposed is the direction the caller names, or of
/// the closed rings that `slices` divides the one with more traffic. `slices` is the number of iterations to
/// which the loop over its P chips is unrolled (section 4.2), a divisor of P; P keeps every step by itself.
[[nodiscard]] Result<Program> wang(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                   const GemmOptions& options);

[[nodiscard]] Result<std::vector<std::int64_t>>
wang_slice_counts(const GemmShape& shape, Dataflow dataflow, const Torus& torus, const GemmOptions& options);

} // namespace meshslice
