#pragma once

#include "core/figure/chart.h"
#include "core/report/chart/chart_scale.h"
#include "ui/look/lettering.h"

#include <QLineF>
#include <QRectF>
#include <QSize>
#include <QString>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace meshslice::ui {

/// One line of text in its place.
struct ChartWords {
    QRectF area;
    QString words;
    Qt::Alignment side = Qt::AlignLeft;
    Role role = Role::text;
    Lettering size = Lettering::small;
    bool bold = false;
    double turn = 0;               ///< degrees, around the middle of `area`
    bool on_ground = false;        ///< over the background, so that no grid line runs through it
    std::optional<Role> over = {}; ///< on a bar of this colour, in black or white in place of `role`
};

/// A value that has its place: all of a bar, or the square around a mark.
struct ChartMark {
    std::size_t series = 0;
    ChartPoint point;
    QRectF area;
};

/// A category of a horizontal panel, with its name and what stands at the ends of its bars.
struct ChartRow {
    QRectF area;
    int item = -1;
    QString words; ///< its tooltip
};

/// Points of a series that are joined.
struct ChartRun {
    std::size_t series = 0;
    std::vector<QPointF> points; ///< within the plot
};

/// One panel for one size, in pixels of the picture.
struct PanelLayout {
    QRectF area;
    QRectF plot;
    PixelAxis x; ///< of an axis of categories: of its steps, from -0.5 on
    PixelAxis y;
    CategoryPlaces places;
    std::vector<QLineF> grid;
    std::vector<ChartMark> marks;
    std::vector<ChartRun> runs;
    std::vector<ChartRow> rows;
    std::vector<ChartWords> words;
    std::vector<QLineF> leaders;       ///< from marks to their names
    std::vector<QLineF> whiskers = {}; ///< between what sums of rows may lie

    /// The part of the width of a category that a bar takes, and how far its middle is from the category's.
    struct Bar {
        double width = 0;
        double shift = 0;
    };
    Bar thick; ///< in steps of the axis
    Bar thin;
};

/// A series in the legend: right of its last value, or below the panels.
struct LegendEntry {
    std::string name;
    std::size_t panel = 0;
    std::size_t series = 0;
    QRectF sign;
    QRectF area; ///< with its words
};

/// A chart laid out for one size: nothing lies outside, no words on others.
struct ChartLayout {
    Chart chart;
    QSize size;
    std::set<std::string> hidden; ///< names of series
    std::vector<PanelLayout> panels;
    std::vector<ChartWords> words;
    std::vector<LegendEntry> legend;
    /// All series are named once, below the panels: next to their last values the names would leave the
    /// panels too little room.
    bool names_below = false;

    [[nodiscard]] bool shows(const ChartSeries& series) const { return !hidden.contains(series.name); }
};
/// How high a chart so wide has to be for its letters and marks to have room.
[[nodiscard]] double leastHeight(const Chart& chart, double width);
/// How high a chart of rows becomes at most, however much height there is; none of others.
[[nodiscard]] std::optional<double> fullHeight(const Chart& chart, double width);
/// How high a figure of it is that can be any height: its panels are not flat, its bars not thin.
[[nodiscard]] double figureHeight(const Chart& chart, double width);
[[nodiscard]] ChartLayout layoutChart(const Chart& chart, const QSize& size,
                                      const std::set<std::string>& hidden = {});

} // namespace meshslice::ui
