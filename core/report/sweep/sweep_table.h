#pragma once

#include "core/base/json/tree.h"
#include "core/figure/table.h"
#include "core/question/sweep.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What pictures show of a number of this path, which its end says the unit of.
[[nodiscard]] Measure measure_of(const std::string& path, std::string name);

/// How points are shown: as the question says, and where it does not, by the numbers of the first point that
/// runs, beginning with the one that is asked for.
[[nodiscard]] SweptQuestion shown_as(const Sweep& sweep, const std::vector<SweepPoint>& points);
/// Whether some point that runs has such a number.
[[nodiscard]] bool any_has(const std::vector<SweepPoint>& points, const Measure& measure);
/// The time by which two sweeps are compared: the first that both have, else that of `points`; none where the
/// question says none.
[[nodiscard]] std::optional<Measure> time_of(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                             const std::vector<SweepPoint>& of_a = {});
/// "A has no expected time."
[[nodiscard]] std::string lacking_words(const Measure& measure);
/// A number as people read it: "66%", "35.4 ms".
[[nodiscard]] std::string measured_words(const Measure& measure, double value);
[[nodiscard]] std::string cell_words(const PointColumn& column, const SweepPoint& point);

/// A sweep as a table: for each field its value as it was asked for and, of quantities, the number that the
/// scenario has; then the numbers of a point. Of points that do not run the numbers are empty and the last
/// column says why.
[[nodiscard]] std::vector<std::string> sweep_columns(const Sweep& sweep, const SweptQuestion& shown);
[[nodiscard]] std::vector<Table::Cell> sweep_row(const Sweep& sweep, const SweptQuestion& shown,
                                                 const SweepPoint& point);
[[nodiscard]] Table sweep_table(const Sweep& sweep, const std::vector<SweepPoint>& points);
/// The table for people: words and names as on the screen, a column for each field, and one that says what
/// does not fit or why a point does not run.
[[nodiscard]] Table shown_sweep_table(const Sweep& sweep, const SweptQuestion& shown,
                                      const std::vector<SweepPoint>& points);
/// Adds A's time and the difference after the time of a sweep's table, either of the two; points that A does
/// not have or that do not run stay empty.
void add_reference(Table& table, const Sweep& sweep, const std::vector<SweepPoint>& points,
                   const std::vector<SweepPoint>& of_a);
/// "B against A takes 27% less time with batch 8, 1.12 times as long with batch 512.": the first and the last
/// point that both run; empty where there is none.
[[nodiscard]] std::string sweep_difference(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                           const std::vector<SweepPoint>& of_a);
/// "does not fit: 45.1 of 32.0 GB per chip", or why it does not run; empty where all is well.
[[nodiscard]] std::string point_note(const SweepPoint& point);
/// The same for programs, one object a point: the fields that vary and the numbers that the question chose,
/// or else both apart, "at" and "values".
[[nodiscard]] Tree sweep_values(const Sweep& sweep, const std::vector<SweepPoint>& points);

/// "MeshSlice, one block of GPT-3 175B on 32x8 of TPU v4, by estimate: 7 values of the batch": what all
/// points have, and what varies.
[[nodiscard]] std::string sweep_title(const Sweep& sweep);
/// "batch 128"; "mesh 8x8, links x 0.5".
[[nodiscard]] std::string point_words(const Sweep& sweep, const SweepPoint& point);
/// "3 of 4 points fit into a chip's memory."
[[nodiscard]] std::string fitting_words(std::size_t fit, std::size_t all);
/// Which points are best, of how many that fit, and how many do not run or do not fit, in sentences, on as
/// many lines as the question makes. Points that are printed alike are equally good.
[[nodiscard]] std::string sweep_finding(const Sweep& sweep, const std::vector<SweepPoint>& points);
/// The same in one line, for titles of pictures, which wrap by themselves, and descriptions.
[[nodiscard]] std::string finding_in_a_line(const Sweep& sweep, const std::vector<SweepPoint>& points);

} // namespace meshslice
