#pragma once

#include "core/search/landscape_difference.h"
#include "ui/tuner/tuner_data.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace meshslice::ui {

/// The tuner's answers to two variants, A and B, and their candidates next to each other: all meshes and
/// slice counts that either tries. Immutable.
struct TunerDifference {
    TunerAnswerPtr a;
    TunerAnswerPtr b;
    LandscapeDifference grid;
    std::vector<std::size_t> rows; ///< of the grid, on which either runs
    DifferenceSummary summary;
    double strongest = 0; ///< the largest |log(B's time / A's)| of what runs and fits in both

    [[nodiscard]] DifferenceCell cell(std::size_t row, std::size_t column) const {
        return difference_cell(a->landscape, b->landscape, grid, row, column);
    }
};
using TunerDifferencePtr = std::shared_ptr<const TunerDifference>;
[[nodiscard]] TunerDifferencePtr tunerDifference(const TunerAnswerPtr& a, const TunerAnswerPtr& b);

/// "B is faster on 9 of 12 meshes; most on 16x16, 12% less time", each mesh with the best slice count of
/// either; and on how many only one runs, or one does not fit.
[[nodiscard]] QString tunerFinding(const TunerDifference& difference);
[[nodiscard]] QString meshText(const TunerDifference& difference, std::size_t row);
/// "S = 16"; "best S of each".
[[nodiscard]] QString columnText(const TunerDifference& difference, std::size_t column);
/// Short: "16", "best".
[[nodiscard]] QString columnName(const TunerDifference& difference, std::size_t column);
/// A candidate in A, in B, and the difference, line by line.
[[nodiscard]] QStringList cellLines(const TunerDifference& difference, const TunerPlace& place);
/// From the map of B to this one; none where it is not in it.
[[nodiscard]] std::optional<TunerPlace> placeOfB(const TunerDifference& difference, const TunerPlace& place);
/// And back; none where B does not try it.
[[nodiscard]] std::optional<TunerPlace> placeInB(const TunerDifference& difference, const TunerPlace& place);
/// Where the time of a candidate goes, in A and in B; none where neither runs.
[[nodiscard]] std::optional<Chart> cellChart(const TunerDifference& difference, const TunerPlace& place);

/// One row for each candidate: A, B and the difference.
[[nodiscard]] Table tunerTable(const TunerDifference& difference);

} // namespace meshslice::ui
