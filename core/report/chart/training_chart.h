#pragma once

#include "core/evidence/training/training_evidence.h"
#include "core/figure/chart.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// Which measured training runs a chart shows.
struct TrainingShown {
    std::string hardware;          ///< as rows name it; empty: all
    std::string kind;              ///< "dense" or "experts"; empty: both
    std::vector<std::string> near; ///< ids of runs that are marked

    bool operator==(const TrainingShown&) const = default;
};

/// The chips that rows were measured on, and how many rows there are of each, the most first.
[[nodiscard]] std::vector<std::pair<std::string, std::size_t>>
hardware_of(const std::vector<PredictedTraining>& rows);
/// Places of the rows that are shown, the marked ones first.
[[nodiscard]] std::vector<std::size_t> shown_runs(const std::vector<PredictedTraining>& rows,
                                                  const TrainingShown& shown);

/// Predicted against measured times of a step, both by logarithms: the diagonal, a mark for each run, and two
/// lines that eight of ten of those that are shown lie between. Its items are places in `rows`. Without
/// panels where no row is shown.
[[nodiscard]] Chart training_chart(const std::vector<PredictedTraining>& rows,
                                   const TrainingShown& shown = {});
/// The same, a run a row.
[[nodiscard]] Table training_chart_table(const std::vector<PredictedTraining>& rows,
                                         const TrainingShown& shown = {});

} // namespace meshslice
