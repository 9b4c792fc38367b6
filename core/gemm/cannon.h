#pragma once

#include "core/gemm/algorithms.h"
#include "core/program/writer.h"

namespace meshslice {

/// Cannon's algorithm (MeshSlice paper, section 2.3.2): skews the two moving matrices so that matching shards
/// meet, then multiplies and shifts by one chip, P times. Square meshes of closed rings only.
[[nodiscard]] Result<Program> cannon(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                     const GemmOptions& options);

/// One choice, where the product fits the mesh.
[[nodiscard]] Result<std::vector<std::int64_t>> cannon_slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                                    const Torus& torus,
                                                                    const GemmOptions& options);

/// The rounds themselves, as Cannon's algorithm does all P of them and every layer of 2.5D its share: skew,
/// multiply and shift `rounds` times, and bring the sums home to `C`. Layer z of the third axis, if there is
/// one, begins rounds x z shards further on.
void cannon_rounds(ProgramWriter& chip, Dataflow dataflow, std::int64_t rounds, ValueId C);

} // namespace meshslice
