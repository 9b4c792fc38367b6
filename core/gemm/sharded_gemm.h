#pragma once

#include "core/base/result.h"
#include "core/gemm/options.h"
#include "core/model/gemm.h"
#include "core/sharding/layout.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshslice {

/// What every 2D algorithm asks of a GEMM. A refusal says what does not fit; what would fit depends on the
/// whole scenario (see suggestions()). Each stored matrix (paper, section 2.3.1) is cut into equal shards,
/// its rows among the rows of chips and its columns among the columns of chips.

/// The dimension that slicing cuts, which the stationary matrix lacks: k in OS, n in LS, m in RS.
[[nodiscard]] std::int64_t sliced_dimension(const GemmShape& shape, Dataflow dataflow);
[[nodiscard]] std::string_view sliced_dimension_name(Dataflow dataflow); ///< "K", "N", "M"

/// Refuses options that no program can have: no slice, block or packet at all, or more than any dimension
/// has.
[[nodiscard]] Result<void> fits_options(const GemmOptions& options);

/// Whether the GEMM divides over the mesh; if not, a sentence that names the dimension.
[[nodiscard]] Result<void> fits_mesh(const GemmShape& shape, Dataflow dataflow, const Torus& torus);

/// Whether the stored matrices divide into equal shards as the layouts cut them; if not, a sentence that
/// names the matrix and what does not divide.
[[nodiscard]] Result<void> fits_layouts(const GemmShape& shape, const Layouts& layouts, const Torus& torus);
/// Whether `size`, called `name`, divides into `parts`.
[[nodiscard]] Result<void> divides(std::string_view name, std::int64_t size, std::int64_t parts,
                                   const Torus& torus);

/// Refuses axes of several chips that are not closed rings; `who` needs them: "Cannon's algorithm".
[[nodiscard]] Result<void> needs_rings(const Torus& torus, const Axes& axes, std::string_view who);

/// The axis of algorithms of one ring.
inline constexpr Axis the_ring = Axis::vertical;

/// What algorithms of one ring ask: a torus of one closed axis, layouts that divide, and `chunked` (called
/// `name`) into as many chunks as chips.
[[nodiscard]] Result<void> fits_ring(const GemmShape& shape, const Layouts& layouts, const Torus& torus,
                                     std::string_view name, std::int64_t chunked, std::string_view who);

/// The slice counts S that work with block size B (Algorithm 2): S B divides the sliced dimension's part on
/// one chip along either axis. S = 1 always works. Ascending.
[[nodiscard]] std::vector<std::int64_t> slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                     const Torus& torus, std::int64_t block);
/// Whether S is one of these counts, without listing them.
[[nodiscard]] bool slice_count_works(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                     std::int64_t block, std::int64_t slices);

} // namespace meshslice
