#pragma once

#include "core/gemm/algorithms.h"

namespace meshslice {

/// 2.5D GeMM (MeshSlice paper, section 7; Solomonik and Demmel, 2011) on a torus of P x P x c chips: every
/// layer of the third axis holds copies of A and B and does its share, P / c, of the rounds of Cannon's
/// algorithm; the layers' sums are scattered over the third axis, so C is cut c times finer.
[[nodiscard]] Result<Program> two_and_a_half_d(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                               const GemmOptions& options);
[[nodiscard]] Result<std::vector<std::int64_t>> two_and_a_half_d_slice_counts(const GemmShape& shape,
                                                                              Dataflow dataflow,
                                                                              const Torus& torus,
                                                                              const GemmOptions& options);

} // namespace meshslice
