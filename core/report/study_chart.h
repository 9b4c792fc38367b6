#pragma once

#include "core/papers/meshslice/study.h"
#include "core/report/box.h"
#include "core/report/chart_axis.h"
#include "core/report/text_width.h"

#include <cstddef>
#include <string>
#include <vector>

namespace meshslice {

/// The letters of a study's chart.
inline constexpr Letters title_letters{15, true};
inline constexpr Letters panel_letters{12, true};
inline constexpr Letters axis_letters{12, false};
inline constexpr Letters small_letters{11, false};
inline constexpr Letters loud_letters{11, true}; ///< the name of a series that stands out

/// Heights of lines of these letters.
inline constexpr double title_line = 20;
inline constexpr double note_line = 15;
inline constexpr double name_line = 14;
inline constexpr double category_line = 13;

/// A value of a panel that has its place.
struct StudyMark {
    std::size_t series = 0;
    std::size_t category = 0;
    double value = 0;
    bool published = false;
    Box area; ///< of the mark; of a bar all of it
};

/// One panel of a study, laid out: categories from left to right, values upward from zero.
struct StudyPlot {
    Box area; ///< with title, axes and names
    Box plot;
    ChartAxis y;
    double unit = 1;              ///< of the axis, in the panel's base unit: 0.01 for percent
    std::string y_name;           ///< "FLOP utilisation (%)"
    bool names_categories = true; ///< whether the axis below has its name: the lowest of a column has
    std::vector<double> columns;  ///< pixel of each category's middle
    double column_width = 0;
    std::vector<std::vector<std::string>> categories; ///< the name of each, in lines
    std::vector<std::size_t> empty;                   ///< categories in which nothing runs
    std::vector<StudyMark> marks;
    /// The names of the series right of the plot, by series, apart from each other.
    std::vector<Box> names;
};

/// A mark and what it stands for.
struct StudyKey {
    Box mark;
    bool published = false;
    Box place; ///< of the words
    std::string words;
};

/// The charts of a study for one size: panels side by side where they are wide enough, else one below the
/// other.
struct StudyChart {
    double width = 0;
    double height = 0;
    double margin = 12;             ///< left of title, keys and note
    std::vector<std::string> title; ///< the finding, in lines
    double title_top = 8;
    std::vector<std::string> note; ///< what is not as in the paper and what does not run, in lines
    double note_top = 0;
    std::vector<Panel> panels;
    std::vector<StudyPlot> plots;
    std::vector<StudyKey> keys; ///< of published marks; empty without them
};

[[nodiscard]] StudyChart layout_study(const StudyResult& result, double width, double height,
                                      const TextWidth& measure);
/// The height at which a chart of this width is neither crowded nor empty.
[[nodiscard]] double study_height(const StudyResult& result, double width, const TextWidth& measure);

/// The lines of a panel whose categories are ordered: from mark to mark of a series, interrupted where it
/// does not run.
struct StudyLine {
    std::size_t series = 0;
    Point from;
    Point to;
};
[[nodiscard]] std::vector<StudyLine> study_lines(const Panel& panel, const StudyPlot& plot);

/// The mark under a point: its panel and the mark; nothing where there is none.
struct StudyHit {
    const Panel* panel = nullptr;
    const StudyMark* mark = nullptr;
};
[[nodiscard]] StudyHit mark_at(const StudyChart& chart, const Point& point);

} // namespace meshslice
