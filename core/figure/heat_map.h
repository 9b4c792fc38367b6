#pragma once

#include "core/figure/chart.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A pair of values and what comes of it.
struct HeatCell {
    std::optional<double> value; ///< none where it does not run
    bool open = false;           ///< possible only on paper: hatched, whatever its value
    std::string detail{};        ///< why it does not run or is open; further lines of its tooltip
    int item = -1;               ///< what a click on it selects
    bool done = true;            ///< false: still to be computed, empty until then

    bool operator==(const HeatCell&) const = default;
};

/// Values over two axes of named places, as plain data.
struct HeatMap {
    std::string title; ///< its finding
    std::string x;     ///< what goes from left to right: "batch"
    std::string y;     ///< and from top to bottom
    std::vector<std::string> columns;
    std::vector<std::string> rows; ///< from the top
    std::string measure;           ///< what the cells show: "FLOP utilization"
    ChartUnit unit = ChartUnit::share;
    /// The cells are how much more B takes than A: 0.37 for 37% more, below zero where it takes less.
    bool around_zero = false;
    std::vector<HeatCell> cells;       ///< row by row, columns.size() * rows.size() of them
    std::optional<std::size_t> best{}; ///< of the cells
    std::vector<std::string> notes{};

    [[nodiscard]] const HeatCell& cell(std::size_t row, std::size_t column) const {
        return cells[row * columns.size() + column];
    }
    bool operator==(const HeatMap&) const = default;
};

/// The lowest and the highest value that has a colour: of cells that are not open, and zero around zero.
/// Empty where there is none.
struct HeatRange {
    double low = 0;
    double high = 0;
};
[[nodiscard]] std::optional<HeatRange> heat_range(const HeatMap& map);
/// How strong a value is coloured: from 0.06, the lowest, to 1, the highest.
[[nodiscard]] double heat_strength(const HeatRange& range, double value);
/// A cell's colour: around zero one for more and one for less, the stronger the farther from zero.
struct HeatTint {
    Role role = Role::compute;
    double strength = 0;

    bool operator==(const HeatTint&) const = default;
};
[[nodiscard]] HeatTint heat_tint(const HeatMap& map, const HeatRange& range, double value);
/// The number in a cell: "71%" or, where that is too wide, "71"; around zero "+37%", "-27%", "x 3.2".
[[nodiscard]] std::string heat_number(const HeatMap& map, const HeatCell& cell, bool with_unit = true);
/// Whether it is the best, or printed like the best: then it is as good.
[[nodiscard]] bool is_best(const HeatMap& map, std::size_t cell);
/// What a cell is, line by line.
[[nodiscard]] std::string heat_text(const HeatMap& map, std::size_t cell);
/// What the marks of the cells mean, those that there are: "Corner: best. Hatched: ..."
[[nodiscard]] std::string heat_key(const HeatMap& map);

} // namespace meshslice
