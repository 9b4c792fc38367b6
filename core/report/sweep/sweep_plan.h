#pragma once

#include "core/question/sweep.h"

#include <cstddef>
#include <string>
#include <vector>

namespace meshslice {

/// Which of the fields of a sweep goes along the axis of its pictures, and where a pair of their values is
/// among the points: of two the one that is a number, else the one with more values, is the axis.
struct SweepPlan {
    std::size_t axis = 0;  ///< of the sweep's fields
    std::size_t lines = 1; ///< the other one; of one field there is none
    std::size_t along = 1; ///< values of the axis
    std::size_t across = 1;

    [[nodiscard]] std::size_t point(std::size_t x, std::size_t line) const {
        return axis < lines ? x * across + line : line * along + x;
    }
};
[[nodiscard]] SweepPlan sweep_plan(const Sweep& sweep);

/// "time: 3.00 ms; A: 4.00 ms", in seconds.
[[nodiscard]] std::string both_times(double b, double a);
/// That faults of the scenario have no part in what is swept; empty where they have, or there is none.
[[nodiscard]] std::string healthy_note(const Sweep& sweep);
/// The faults that are left out, and the first point that does not run, and why; empty where all run.
[[nodiscard]] std::vector<std::string> sweep_notes(const Sweep& sweep, const std::vector<SweepPoint>& points);

} // namespace meshslice
