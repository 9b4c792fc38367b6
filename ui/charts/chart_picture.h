#pragma once

#include "ui/charts/chart_layout.h"
#include "ui/look/palette.h"

#include <memory>

class QGraphicsScene;
class QPainter;

namespace meshslice::ui {

/// What is marked in a chart while it is looked at.
struct ChartMarks {
    std::optional<int> selected; ///< of the points' and categories' items
    std::optional<std::pair<std::size_t, std::size_t>>
        current;                      ///< panel and mark under the pointer or the keys
    std::optional<std::size_t> entry; ///< of the legend, under the pointer

    bool operator==(const ChartMarks&) const = default;
};

/// A chart for one size and theme: Qt Charts draws lines, marks and bars; grid, words, hatches and what is
/// marked are painted around them, so that every file format shows the same.
class ChartPicture {
  public:
    ChartPicture(ChartLayout layout, Theme theme);
    ~ChartPicture();

    [[nodiscard]] const ChartLayout& layout() const { return layout_; }
    void paint(QPainter& painter, const ChartMarks& marks = {}) const;

  private:
    static bool namesStandNext(const LegendEntry& entry); ///< their series, in the panel
    void paintBelow(QPainter& painter) const;
    void paintAbove(QPainter& painter, const ChartMarks& marks) const;
    void paintLegend(QPainter& painter, const ChartMarks& marks) const;

    ChartLayout layout_;
    Theme theme_;
    std::unique_ptr<QGraphicsScene> scene_; ///< the charts of the panels
};

/// Paints a chart of this size at the origin of any paint device.
void paintChart(QPainter& painter, const Chart& chart, const QSize& size, Theme theme,
                const ChartMarks& marks = {}, const std::set<std::string>& hidden = {});

} // namespace meshslice::ui
