#pragma once

#include "ui/timeline/run_layout.h"
#include "ui/view/readable.h"

namespace meshslice::ui {

/// The bars of a row, from left to right; those of its further lanes have the complements of their items.
[[nodiscard]] std::vector<RunSlice> slicesOf(const RunWindow& window, std::size_t row, TimeRange range,
                                             double pixel);
/// Of its own lane, not of one that explains it.
[[nodiscard]] constexpr bool isOwn(const RunSlice& slice) {
    return slice.item <= ~std::uint64_t{0} >> 1;
}
/// The counter of a row's place; none without a row.
[[nodiscard]] std::optional<std::size_t> counterOf(const RunWindow& window, std::optional<std::size_t> row);
[[nodiscard]] double counterAt(const Run& run, std::size_t lane, Time time);

/// What stands at a point of a row: one bar, or several within the pixel.
struct RunHit {
    std::size_t row = 0;
    std::size_t lane = 0;
    RunSlice bar;               ///< the only one, or the longest
    std::vector<RunSlice> more; ///< all of several
};
[[nodiscard]] std::optional<RunHit> hitAt(const RunWindow& window, const RunLayout& layout,
                                          const QPoint& point);
/// The same line by line; a named stretch, what is held there, the name of a row or a run, an objection, or
/// an item of the legend. Empty where there is nothing.
[[nodiscard]] QStringList runLinesAt(const RunWindow& window, const RunLayout& layout, const QPoint& point);
/// The runs, where they have names, or else the rows that are seen.
[[nodiscard]] std::vector<ReadablePart> readableRuns(const RunWindow& window, const RunLayout& layout);

} // namespace meshslice::ui
