#pragma once

#include "core/evidence/collectives/collective_fit.h"
#include "core/machine/collective.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// What we say of a row, next to what was measured.
struct PredictedRow {
    const CollectiveRow* row = nullptr;
    double seconds = 0;       ///< predicted; 0 where the row has a reason
    double low = 0, high = 0; ///< s: eight of ten measured rows lie between

    /// Predicted over measured, less one.
    [[nodiscard]] double error() const { return seconds / row->seconds - 1; }
    [[nodiscard]] bool inside() const { return row->seconds >= low && row->seconds <= high; }
};

/// An interval for each row from how far the nearest shipped rows were off when they were left out of the
/// fit (split conformal prediction, by distance in fabric, operation, stack, chips and bytes). Rows of its
/// own group do not count.
[[nodiscard]] std::vector<PredictedRow> predicted_rows(const FittedCollectives& fitted,
                                                       const std::vector<CollectiveRow>& shipped,
                                                       const std::vector<CollectiveRow>& asked);

/// The shipped rows, each predicted by constants that were fitted without its group.
[[nodiscard]] std::vector<PredictedRow> left_out_rows(const FittedCollectives& fitted,
                                                      const std::vector<CollectiveRow>& shipped);

/// Servers that so many chips next to each other are in: the units of all levels but the outermost one.
[[nodiscard]] std::int64_t servers_of(const Machine& machine, std::int64_t chips);
/// What the shipped rows let expect, in seconds.
struct ExpectedCollective {
    double seconds = 0;
    double low = 0, high = 0; ///< eight of ten measured rows lie between
};
/// Of NCCL among chips of a preset, in so many servers, for each of the sizes (`AchievedAsked::bytes`). Empty
/// where the rows do not know such chips or such an operation, and where the machine's numbers are not those
/// of the preset of its name.
[[nodiscard]] std::vector<ExpectedCollective> expected_collectives(const Machine& machine, Collective what,
                                                                   std::int64_t chips, std::int64_t servers,
                                                                   const std::vector<double>& bytes);

/// How far predictions are off; shares of what was measured.
struct ErrorSummary {
    std::string hardware, operation; ///< empty: all
    std::int64_t rows = 0, predicted = 0;
    double mean = 0, median = 0, ninetieth = 0, worst = 0;
    double inside_band = 0;

    [[nodiscard]] double coverage() const {
        return rows == 0 ? 0 : static_cast<double>(predicted) / static_cast<double>(rows);
    }
};
/// Of all, of those from 16 MB, and by hardware and operation. A row without a time, and one that is not
/// scored, does not count as asked.
struct ErrorSummaries {
    ErrorSummary all, large;
    std::vector<ErrorSummary> by_hardware_and_operation;
};
[[nodiscard]] ErrorSummaries summaries_of(const std::vector<PredictedRow>& rows);
inline constexpr double large_collective = 16e6; ///< bytes

} // namespace meshslice
