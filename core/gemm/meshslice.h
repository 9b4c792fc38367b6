#pragma once

#include "core/gemm/options.h"
#include "core/program/writer.h"

namespace meshslice {

/// The loop of MeshSlice (paper, Figure 5) over S slices; `C` is where the results go.
void slice_by_slice(ProgramWriter& chip, Dataflow dataflow, const GemmOptions& options, ValueId C);

/// Whether S slices in blocks of B divide the shards.
[[nodiscard]] Result<void> slices_fit(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                      const GemmOptions& options);

} // namespace meshslice
