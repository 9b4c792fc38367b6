#pragma once

#include "core/base/json/tree.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/search/autotune.h"
#include "core/search/dataflow_search.h"

#include <string>

namespace meshslice {

/// The ranked candidates with their totals and, per GEMM, its slice count; then what does not run, with its
/// reason. Times of one block in seconds, memory of the whole model in bytes.
[[nodiscard]] Table tuning_table(const Tuning& tuning);

/// Time against the shape of the mesh: a line for each algorithm, the best ones first, with open marks where
/// memory is not enough. Its title is the finding.
[[nodiscard]] Chart tuning_chart(const Tuning& tuning);

/// The same for programs, the GEMMs of each candidate with their dataflow, options and times; `note` is
/// what the simulation found and `rings` which rings are open, empty for none; `dataflows` may be null.
[[nodiscard]] Tree tuning_values(const Tuning& tuning, const std::string& note, const std::string& rings,
                                 const DataflowSearch* dataflows);

} // namespace meshslice
