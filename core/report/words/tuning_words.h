#pragma once

#include "core/search/autotune.h"
#include "core/search/dataflow_search.h"

#include <cstddef>
#include <string>

namespace meshslice {

/// Why a candidate is behind the best, by both estimates: "26.0 ms exposed against 17.0 ms, mostly on its
/// horizontal links", or "186 ms more of multiplying"; of what does not fit into a chip's memory, that: "does
/// not fit: 60.5 of 32.0 GB". Empty for a best that fits.
[[nodiscard]] std::string reason(const Tuning& tuning, const Candidate& candidate);

/// What the search found, as one line: "Best: MeshSlice 32x8, S = 6 to 16: one block 49.9 ms, 82% of
/// peak; 24.1 of 32.0 GB", and how many others are as fast. Where nothing fits, that, and what needs least.
[[nodiscard]] std::string finding(const Tuning& tuning);
/// Which rings are open on the meshes of the first `most` candidates: ring_note() of the first that has any,
/// and the names of the others. Empty where all rings close.
[[nodiscard]] std::string rings_note(const Tuning& tuning, const Scenario& scenario, std::size_t most);
/// "The largest matrix of each layer stays: 49.9 ms, nothing is transposed between layers. No other choice is
/// faster."
[[nodiscard]] std::string finding(const DataflowSearch& search);

/// What there is to say, in sentences, of the first `most` that simulate_best() simulated: which had the
/// faults, the first pair whose order by simulation is another, and what could not be simulated. Empty where
/// there is nothing to say.
[[nodiscard]] std::string simulation_note(const Tuning& tuning, const Scenario& scenario, std::size_t most);

} // namespace meshslice
