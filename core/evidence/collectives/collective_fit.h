#pragma once

#include "core/base/run_control.h"
#include "core/evidence/collectives/collective_rows.h"
#include "core/evidence/folds.h"

#include <functional>
#include <vector>

namespace meshslice {

/// Fits all constants at once to rows that can be predicted: Levenberg-Marquardt on ln(predicted / measured),
/// where deviations far above 5% weigh less and rows from 16 MB twice. Every constant is drawn to its
/// beginning, and those of a cell to what its fabric, its operation and its stack say together, by normal
/// priors; a cell with few rows therefore borrows from its neighbours.
[[nodiscard]] Result<FittedCollectives> fit_collective_constants(const std::vector<CollectiveRow>& rows,
                                                                 const RunControl& control);

/// ln(predicted / measured) of each row, by constants that were fitted without its group: groups fall into
/// five folds by a hash of what they are called. 0 for a row that cannot be predicted.
[[nodiscard]] Result<std::vector<double>> left_out_errors(const std::vector<CollectiveRow>& rows,
                                                          const RunControl& control);

/// ln(predicted / measured).
[[nodiscard]] double log_error(const AchievedConstants& constants, const CollectiveRow& row);

} // namespace meshslice
