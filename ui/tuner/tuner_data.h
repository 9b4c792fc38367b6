#pragma once

#include "core/figure/chart.h"
#include "core/search/autotune.h"
#include "core/search/landscape.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>

namespace meshslice::ui {

/// What the tuner view asks: every mesh and slice count of the scenario's algorithm, and every algorithm's
/// best.
struct TunerRequest {
    Scenario scenario; ///< of which mesh, slice count, comparison and faults do not matter, and are none
    Depth depth = Depth::estimate;

    bool operator==(const TunerRequest&) const = default;
};
[[nodiscard]] TunerRequest tunerRequest(const Scenario& scenario, Depth depth);

/// A cell of the heat map: row and column of the landscape.
using TunerPlace = std::pair<std::size_t, std::size_t>;

/// The answer, ready to be shown. Immutable; shared by those who show it.
struct TunerAnswer {
    Landscape landscape;
    Tuning tuning;
    /// Of the tuning's ranking: each algorithm's best, first those that fit into a chip's memory.
    std::vector<std::size_t> leaders;
    std::vector<std::size_t> rows; ///< of the landscape: the meshes on which anything runs
};
using TunerAnswerPtr = std::shared_ptr<const TunerAnswer>;
[[nodiscard]] Result<TunerAnswerPtr> computeTuner(const TunerRequest& request,
                                                  const RunControl& control = {});

/// "Best for MeshSlice: 32x8 with S = 8, 82% of peak, 24.1 of 32.0 GB"; where nothing fits, what needs least.
[[nodiscard]] QString tunerFinding(const TunerAnswer& answer);
/// The cell of a scenario's mesh and slice count; none where the landscape has no such cell.
[[nodiscard]] std::optional<TunerPlace> placeOf(const TunerAnswer& answer, const Scenario& scenario);
/// "32x8"; "ring of 256".
[[nodiscard]] QString meshText(const TunerAnswer& answer, std::size_t row);
/// "S = 16"; "best S of each".
[[nodiscard]] QString columnText(const TunerAnswer& answer, std::size_t column);
/// A cell, line by line.
[[nodiscard]] QStringList cellLines(const TunerAnswer& answer, const TunerPlace& place);
/// An algorithm's best, line by line.
[[nodiscard]] QStringList leaderLines(const TunerAnswer& answer, std::size_t leader);

/// Where the time of a cell goes; none of one that does not run.
[[nodiscard]] std::optional<Chart> cellChart(const TunerAnswer& answer, const TunerPlace& place);

/// One row for each cell.
[[nodiscard]] Table tunerTable(const TunerAnswer& answer);

} // namespace meshslice::ui
