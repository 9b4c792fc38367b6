#pragma once

#include "ui/lineup/lineup_data.h"

#include <QFont>
#include <QString>
#include <QStringList>

#include <optional>

namespace meshslice::ui {

/// "4.64 ms, 74% of peak".
[[nodiscard]] QString speedText(const TrainingStep& step);
/// "ring of 16, S = 8, waits 12%": how the chips are arranged where that is not the scenario's mesh, how the
/// GEMM is cut, and what share of the time the core waits.
[[nodiscard]] QString waitText(const Lineup& lineup, const LineupRun& run);
/// What the picture is about: "FF1 forward, OS of M×N×K = ..., on 4x4; what chip 0,0 does"; without a chip,
/// shape and mesh alone.
[[nodiscard]] QString aboutLineup(const Lineup& lineup, std::optional<Chip> chip = {});
/// "prologue", "steady state, 7 × 0.412 ms", or as much of it as there is room for.
[[nodiscard]] QString phaseText(const LineupPhase& phase, const QFont& font, double width);
[[nodiscard]] QStringList phaseLines(const LineupPhase& phase);
/// A run as a whole, line by line.
[[nodiscard]] QStringList runLines(const Lineup& lineup, const LineupRun& run);
/// What a lane is called: "core", "east link".
[[nodiscard]] QString laneName(const Row& place);
/// The chip's coordinates, "3,5".
[[nodiscard]] QString chipText(const Lineup& lineup, Chip chip);

} // namespace meshslice::ui
