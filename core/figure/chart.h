#pragma once

#include "core/figure/role.h"
#include "core/figure/table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// What the values along an axis count; their base unit.
enum class ChartUnit : std::uint8_t {
    none,
    share,
    ratio,
    seconds,
    bytes,
    byte_rate,
    flop_rate,
    flop_per_byte
};

/// One axis: named categories, or values in base units. A linear axis of values begins at zero.
struct ChartAxis {
    /// "FLOP utilization"; the unit is added to it. Bars along an axis without a label have their values
    /// alone.
    std::string label;
    ChartUnit unit = ChartUnit::none;
    bool logarithmic = false;
    std::vector<std::string> categories{}; ///< empty for an axis of values
    /// One per category, or none: neighbours of the same group stand together under its name.
    std::vector<std::string> groups{};
    std::string where = "for {}";       ///< a category in a sentence: "on {} chips"
    std::vector<std::string> details{}; ///< by category, or none: further lines of the tooltip
    std::vector<std::string> remarks{}; ///< by category, or none: follow the sum at the end of its stack
    std::vector<int> items{};           ///< by category, or none: what a click selects
    /// By category, or none: between what its stack's sum may lie, drawn as a whisker.
    std::vector<std::optional<std::pair<double, double>>> spans{};
    std::optional<double> low{}; ///< else from the data
    std::optional<double> high{};
    /// Of an axis of values, ascending, or none: what is written at these values, where there is room, and
    /// in place of round numbers.
    std::vector<std::pair<double, std::string>> names{};

    bool operator==(const ChartAxis&) const = default;
};

/// A value of a chart of values.
struct ChartPoint {
    double x = 0;
    double y = 0;
    std::string label{};  ///< stands next to it where there is room
    std::string detail{}; ///< further lines of its tooltip
    double weight = 0;    ///< share that its area stands for; 0 for a mark of the usual size
    int item = -1;        ///< what a click on it selects; points of one item are marked together
    bool open = false;    ///< an outline: it is possible only on paper
    bool apart = false;   ///< not joined to the point before it: something is missing between them

    bool operator==(const ChartPoint&) const = default;
};

enum class SeriesKind : std::uint8_t {
    line,   ///< marks, joined where neighbours have values
    points, ///< marks alone
    stack,  ///< bars from zero, one series on the next
    rule,   ///< a limit: a line without marks, its name along it
};

struct ChartSeries {
    std::string name;
    SeriesKind kind = SeriesKind::points;
    std::vector<std::optional<double>> values{}; ///< by category; none where it does not run
    std::vector<ChartPoint> points{};            ///< by x and y, where the axes have no categories
    Role role = Role::quietText;
    std::optional<Role> second{}; ///< the other half of the colour, where two roles are added up
    bool emphasized = false;
    bool hollow = false;      ///< published values, next to ours of the same name
    bool thin = false;        ///< of a second, thinner stack next to the first
    bool dashed = false;      ///< of a rule; or of a line, another variant's next to ours of the same name
    std::string source{};     ///< where values come from that are not ours
    std::vector<int> items{}; ///< by category, or none: what a click on the value selects
    std::vector<bool> open{}; ///< by category, or none: marked by an outline, possible only on paper
    std::vector<std::string> details{}; ///< by category, or none: further lines of the value's tooltip
    std::vector<std::string>
        labels{}; ///< of a stack, by category, or none: stands in its bar where it has room

    bool operator==(const ChartSeries&) const = default;
};

/// A limit, drawn through points.
[[nodiscard]] ChartSeries rule(std::string name, Role role, std::vector<ChartPoint> points,
                               bool dashed = false);

/// Series over one pair of axes.
struct ChartPanel {
    std::string title{}; ///< "GPT-3 175B"
    ChartAxis x{};
    ChartAxis y{};
    std::vector<ChartSeries> series{};
    std::string thin_name{}; ///< what the thin stack is, where there is one: "communication"

    /// Categories are listed from top to bottom, bars grow to the right.
    [[nodiscard]] bool horizontal() const { return !y.categories.empty(); }
    [[nodiscard]] const ChartAxis& categories() const { return horizontal() ? y : x; }
    [[nodiscard]] const ChartAxis& values() const { return horizontal() ? x : y; }
    [[nodiscard]] bool stacked() const;

    bool operator==(const ChartPanel&) const = default;
};

/// A chart as plain data: what is drawn, not how.
struct Chart {
    std::string title; ///< its finding; where it has none, its question
    std::vector<ChartPanel> panels;
    std::vector<std::string> notes{}; ///< below the panels

    bool operator==(const Chart&) const = default;
};

/// Places of the marks of a series: a category's index and its value, or x and y.
[[nodiscard]] std::vector<ChartPoint> points_of(const ChartPanel& panel, const ChartSeries& series);
/// The lowest and the highest of a panel's values along its axis of values or, of a chart of values, along
/// the x or the y axis; of stacks, of their sums. Empty where there is none that the axis can show.
[[nodiscard]] std::optional<std::pair<double, double>> value_range(const ChartPanel& panel, bool along_x);
/// How far a category's solid, thick stack and its whisker reach; 0 where nothing runs.
[[nodiscard]] double stack_end(const ChartPanel& panel, std::size_t category);
/// The sum of the solid, thick stack of a category; none where nothing runs.
[[nodiscard]] std::optional<double> stack_sum(const ChartPanel& panel, std::size_t category,
                                              bool thin = false);

/// The name of a value on its axis; where it has none, the value in words.
[[nodiscard]] std::string value_text(const ChartAxis& axis, double value);
/// A value in words: "82.1%", "1.72×", "49.9 ms", "322 MB".
[[nodiscard]] std::string value_text(ChartUnit unit, double value);
/// The unit in which an axis up to `most` is labelled, in base units, and its name: {0.001, "ms"}.
[[nodiscard]] std::pair<double, std::string> axis_unit(ChartUnit unit, double most);
/// An axis' name with its unit and, if so, its scale: "FLOP utilization (%)".
[[nodiscard]] std::string axis_name(const ChartAxis& axis, double most);
/// What a mark stands for, line by line: series, place and value, its source, and its details.
[[nodiscard]] std::string mark_text(const ChartPanel& panel, const ChartSeries& series,
                                    const ChartPoint& point);

/// Which series do not run where others do, as sentences: "Cannon does not run on 32 and 128 chips." Empty
/// where all run.
[[nodiscard]] std::string not_running(const std::vector<ChartPanel>& panels);

/// Panels over categories as one table: a row per category, a column per series. The unit is in the column's
/// name.
[[nodiscard]] Table table(const std::string& title, const std::vector<ChartPanel>& panels);

} // namespace meshslice
