#pragma once

#include "core/report/chart/ticks.h"
#include "ui/charts/chart_layout.h"

#include <vector>

namespace meshslice::ui {

inline constexpr double panel_title = 22;
inline constexpr double panel_title_line = 16; ///< of a title of several
inline constexpr double left_room = 62; ///< ticks, their labels and the turned name; more for longer labels
inline constexpr double name_room = 26; ///< of these, for the name and the gaps on its sides

/// How far apart the marks of neighbouring series stand within a category that is so wide: 0 where they share
/// its middle, because lines join them there or because there is no room.
[[nodiscard]] double marksApart(const ChartPanel& panel, double category);
/// Whether there are marks that would hide each other in categories so wide, and need not in wider ones.
[[nodiscard]] bool marksHideEachOther(const ChartPanel& panel, double category);

/// A panel while it is laid out: how values become pixels (panel_axes.cpp), what stands for them
/// (panel_marks.cpp), and the two ways of arranging categories (panel_columns.cpp, panel_rows.cpp).
struct PanelLayouter {
    ChartLayout& layout;
    const ChartPanel& panel;
    std::size_t index;
    PanelLayout out;
    double left = left_room; ///< of the plot
    bool remarked = false;   ///< rows have their remarks

    [[nodiscard]] double categoryPixel(double k) const;
    /// In pixels.
    [[nodiscard]] double stepSize() const;
    [[nodiscard]] QPointF pixel(const ChartPoint& point) const;
    void say(const QRectF& area, const QString& said, Qt::Alignment side, Role role,
             Lettering size = Lettering::small, bool bold = false, double turn = 0, bool on_ground = false);

    void spanAxes();
    [[nodiscard]] std::vector<Tick> ticksOf(bool along_x) const;
    /// Spans the axes over the plot, which gives way on its left to labels that need more room than usual.
    void spanAroundLabels();
    /// Grid lines, ticks and the name of an axis of values.
    void placeAxis(bool along_x);
    /// The name of the axis along x: below the plot where it has the room, else below all of the panel.
    void nameBelow(const QString& name, double top);

    void placeBars();
    /// What a bar is, in it, where it has room.
    void labelBar(const ChartSeries& series, std::size_t category, const QRectF& bar);
    /// Between what the sums of rows may lie.
    void placeWhiskers();
    void placeMarks();
    void finish(ChartRun& run);
    /// Limits, cut to the plot: files of Qt 6.4 are not clipped. Their names stand along them.
    void placeRules();
    void nameRule(const ChartSeries& rule, const QLineF& line);

    /// Categories below their columns, sums above their stacks, names of series right of the last values.
    void layoutColumns(const QRectF& area);
    void placeNames(double width);
    /// Lines over values, named as those over categories.
    void layoutLines(const QRectF& area);

    /// Rows: groups and categories left of their bars, sums and remarks right of them.
    void layoutRows(const QRectF& area);
    /// What the thin stack is: all of it, or the one part that is shown.
    [[nodiscard]] QString thinName() const;
    void placeSums(std::size_t k, const QRectF& row);
    /// What the bars of a row add up to.
    struct RowSums {
        double thick = 0, thin = 0;
        double end = 0;    ///< of the thick one with its whisker
        bool roomy = true; ///< each bar has room for words of its own next to it
    };
    [[nodiscard]] RowSums rowSums(std::size_t k) const;
    /// Where the words about one of the sums begin.
    [[nodiscard]] double wordsFrom(const RowSums& sums, double sum) const;
    [[nodiscard]] static Lettering sumLettering(double row);
    /// A remark that is cut says nothing, and one on some rows only that the others have none: all or none
    /// are shown, and tips have them.
    [[nodiscard]] bool remarksFit(double right, double row) const;
};

} // namespace meshslice::ui
