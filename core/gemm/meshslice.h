#pragma once

#include "core/gemm/options.h"
#include "core/program/writer.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// Whether the reduce-scatter of a slice waits for its GEMM, or is fed by its stores tile by tile (Fusion).
enum class SliceSums : std::uint8_t { after_gemm, fed_by_stores };

/// The loop of MeshSlice (paper, Figure 5) over S slices; `C` is where the results go. In OS no slice ends in
/// a reduce-scatter.
void slice_by_slice(ProgramWriter& chip, Dataflow dataflow, const GemmOptions& options, ValueId C,
                    SliceSums sums = SliceSums::after_gemm);

/// Whether S slices in blocks of B divide the shards.
[[nodiscard]] Result<void> slices_fit(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                      const GemmOptions& options);

/// Every S that does; refuses options and shapes that no S suits.
[[nodiscard]] Result<std::vector<std::int64_t>> meshslice_slice_counts(const GemmShape& shape,
                                                                       Dataflow dataflow, const Torus& torus,
                                                                       const GemmOptions& options);

} // namespace meshslice
