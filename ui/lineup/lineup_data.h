#pragma once

#include "core/figure/table.h"
#include "core/search/lineup.h"
#include "ui/timeline/step_runs.h"

#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// One algorithm of the line-up: where its run is, or why there is none.
struct LineupRun {
    std::string algorithm; ///< id
    QString title;
    QString objection;               ///< empty where it runs
    std::optional<std::size_t> step; ///< which of them
    QString side = {}; ///< "A" or "B" where both variants are shown; of neither where it is alike

    /// The title with the side, "A  Wang".
    [[nodiscard]] QString name() const;
};

/// All algorithms on one GEMM, ready to be shown. Immutable; shared by those who show it.
struct Lineup {
    std::size_t gemm = 0; ///< the GEMM's place in the scenario's training step
    QString product;      ///< "FF1 forward"
    QString side;         ///< "A" or "B", where one of two variants is shown
    std::vector<LineupRun> runs;
    StepRuns steps; ///< one for each algorithm that runs, of one GEMM each
    Torus mesh;     ///< the scenario's

    [[nodiscard]] const TrainingStep& step(const LineupRun& run) const { return steps[*run.step]->step(); }
    [[nodiscard]] const GemmResult& result(const LineupRun& run) const { return step(run).gemms.front(); }
};
using LineupPtr = std::shared_ptr<const Lineup>;

/// What is asked for: `gemm` is the GEMM's place in the scenario's training step.
struct LineupRequest {
    Scenario scenario;
    std::size_t gemm = 0;
    /// A, to be shown next to the scenario, which is B then: its GEMM of the same name.
    std::optional<Scenario> reference = {};
    /// "A" or "B", where one of two variants is shown.
    std::string side = {};

    bool operator==(const LineupRequest&) const = default;
};

/// Runs the study; up to some seconds.
[[nodiscard]] Result<LineupPtr> computeLineup(const LineupRequest& request, const RunControl& control = {});
[[nodiscard]] LineupPtr makeLineup(const LineupRequest& request, std::vector<LineupEntry> entries,
                                   std::vector<LineupEntry> entries_of_a = {});

enum class LineupOrder : std::uint8_t { asListed, fastestFirst };
/// Indices into the runs: those that run in the order asked for, then the others as they are listed.
[[nodiscard]] std::vector<std::size_t> inOrder(const Lineup& lineup, LineupOrder order);

/// "MeshSlice is fastest: 4.64 ms, Wang takes 1.14 times as long": the fastest and the next after it; of two
/// variants "Fastest of A: Wang, 5.29 ms; of B: MeshSlice, 4.64 ms (-12%)".
[[nodiscard]] QString lineupFinding(const Lineup& lineup);
/// The same algorithm in A, of one of B; null where there is none.
[[nodiscard]] const LineupRun* inA(const Lineup& lineup, const LineupRun& run);
/// How an algorithm compares with the fastest: "+21%", "2.3×"; "fastest" for itself. Of two variants how B
/// compares with A: "−27% of A".
[[nodiscard]] QString comparedWithFastest(const Lineup& lineup, const LineupRun& run);

/// Prologue, steady state and epilogue of a run, by the closed form.
struct LineupPhase {
    enum class Kind : std::uint8_t { prologue, steady, epilogue };
    Kind kind = Kind::prologue;
    TimeRange range;
    std::int64_t times = 1; ///< iterations of the steady state in the range

    bool operator==(const LineupPhase&) const = default;
};
/// Those that last, one after the other from zero.
[[nodiscard]] std::vector<LineupPhase> phasesOf(const GemmResult& result);

/// The chip that tells most as long as nobody has chosen one: just before half-way along every axis, where a
/// skew is longest and goes the way of the shifts after it.
[[nodiscard]] Chip tellingChip(const Torus& torus);

/// The lanes of a run that tell about one chip: its core, its horizontal links, its vertical links, those of
/// a third axis. The forward link of an axis speaks for both unless it is idle. Without the chip: of the
/// last.
[[nodiscard]] std::vector<std::size_t> lanesOf(const StepRun& run, Chip chip);

/// From 0 to the end of the slowest algorithm that takes at most `longest_told` times as long as the fastest:
/// one that takes twenty times as long would leave no room for the others, so it runs out of the picture.
inline constexpr double longest_told = 6;
[[nodiscard]] TimeRange openingRange(const Lineup& lineup);

/// One row for each algorithm.
[[nodiscard]] Table lineupTable(const Lineup& lineup);

} // namespace meshslice::ui
