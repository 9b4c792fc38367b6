#pragma once

#include "ui/lineup/lineup_data.h"

namespace meshslice::ui {

/// An algorithm whose GEMM is the first of handMadeResults(), but `time` long.
[[nodiscard]] LineupEntry entryOf(const std::string& algorithm, const std::string& title, Time time);
/// Cannon does not run ("The mesh 2x2 is too small."), SUMMA takes 150 us, Collective 200, MeshSlice 100.
[[nodiscard]] std::vector<LineupEntry> handMadeEntries();
/// On the scenario of handMadeResults().
[[nodiscard]] LineupPtr handMadeLineup(std::vector<LineupEntry> entries);

} // namespace meshslice::ui
