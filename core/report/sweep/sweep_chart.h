#pragma once

#include "core/figure/chart.h"
#include "core/question/sweep.h"

#include <string>
#include <vector>

namespace meshslice {

/// What the question measures, FLOP utilization and time for one, over the values of a field; of two fields a
/// number, else the one with more values, is the axis and each value of the other a line. A click on a mark
/// selects the place of its point among `points`, which may be the first of a sweep that still runs.
[[nodiscard]] Chart sweep_chart(const Sweep& sweep, const std::vector<SweepPoint>& points, std::string title);

/// Draws the same sweep of A into the chart of B, whose one line is called so then: quieter, and not to be
/// clicked. Of one field. What A has no number of stays B's alone, with a note.
void add_reference(Chart& chart, const Sweep& sweep, const std::vector<SweepPoint>& points,
                   const Sweep& sweep_of_a, const std::vector<SweepPoint>& of_a);

/// Of two fields and a question whose time is compared: the times of B, solid, and of A, dashed, each value
/// of the field with fewer a line; and how much more time B takes, below zero where it takes less. A click on
/// B's marks selects as above. Where A has no such time, B's alone, with a note.
[[nodiscard]] Chart sweep_chart_against(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                        const Sweep& sweep_of_a, const std::vector<SweepPoint>& of_a,
                                        std::string title);

} // namespace meshslice
