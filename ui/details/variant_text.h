#pragma once

#include "ui/session/results.h"
#include "ui/session/selection.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace meshslice::ui {

/// Whether the results are of two variants, A and B, and both run.
[[nodiscard]] bool comparesVariants(const Results& results);

/// The steps in the order of a table's columns: of variants A first, of algorithms the scenario's own.
[[nodiscard]] std::vector<std::size_t> columnsOf(const Results& results);
/// Of the column that says how much more B takes than A.
[[nodiscard]] QString differenceTitle();

/// "+3.20 ms, +12%": how much more `after` is than `before`.
[[nodiscard]] QString moreText(Time before, Time after);
/// "+127 MB, +50%".
[[nodiscard]] QString moreText(Bytes before, Bytes after);
/// "+4 points": of two shares.
[[nodiscard]] QString morePointsText(double before, double after);

/// In which fields A and B differ, as a table; nothing where no variants are compared.
[[nodiscard]] QString differencesText(const Results& results);
/// What the selected GEMM takes in the other variant, as a sentence; nothing where that has no such GEMM.
[[nodiscard]] QString sameGemmText(const Results& results, const Selected& selected);

} // namespace meshslice::ui
