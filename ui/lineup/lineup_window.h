#pragma once

#include "ui/lineup/lineup_data.h"
#include "ui/timeline/run_window.h"

namespace meshslice::ui {

/// The line-up as runs one below the other: for each algorithm the lanes of one chip below the phases of the
/// closed form, with its speed and how it compares, in an order.
[[nodiscard]] RunWindow lineupWindow(const LineupPtr& lineup, Chip chip, LineupOrder order);
/// What the picture is about: "FF1 forward, OS of M×N×K = ..., on 4x4; what chip 0,0 does"; without a chip,
/// shape and mesh alone.
[[nodiscard]] QString aboutLineup(const Lineup& lineup, std::optional<Chip> chip = {});

} // namespace meshslice::ui
