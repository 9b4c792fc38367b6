#pragma once

#include "core/study/study.h"
#include "ui/charts/axis.h"

#include <QRectF>
#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// A value of a panel that has its place.
struct StudyMark {
    std::size_t series = 0;
    std::size_t category = 0;
    double value = 0;
    bool published = false;
    QRectF area; ///< of the mark; of a bar all of it
};

/// One panel of a study, laid out: categories from left to right, values upward from zero.
struct StudyPlot {
    QRectF area; ///< with title, axes and names
    QRectF plot;
    ChartAxis y;
    double unit = 1;              ///< of the axis, in the panel's base unit: 0.01 for percent
    QString y_name;               ///< "FLOP utilisation (%)"
    bool names_categories = true; ///< whether the axis below has its name: the lowest of a column has
    std::vector<double> columns;  ///< pixel of each category's middle
    double column_width = 0;
    std::vector<StudyMark> marks;
    /// The names of the series right of the plot, by series, apart from each other; of stacked ones none.
    std::vector<QRectF> names;
};

/// Whether a series stands out: MeshSlice, and the second of two, which is compared with the first.
[[nodiscard]] bool isEmphasised(const Panel& panel, std::size_t series);

/// The charts of a study for one size: panels side by side where they are wide enough, else one below the
/// other.
struct StudyChart {
    QSize size;
    QStringList title; ///< the finding, in one line or two
    QString note;
    std::vector<Panel> panels;
    std::vector<StudyPlot> plots;
    double legend_top = 0; ///< of stacked panels, and of published marks
};

[[nodiscard]] StudyChart layoutStudy(const StudyResult& result, const QSize& size);
void paint(QPainter& painter, const StudyChart& chart, Theme theme);

/// The mark under a point: its panel and the mark; nothing where there is none.
struct StudyHit {
    const Panel* panel = nullptr;
    const StudyMark* mark = nullptr;
};
[[nodiscard]] StudyHit markAt(const StudyChart& chart, const QPointF& point);

/// A value of a panel in words: "82.1%", "1.72x", "49.9 ms", "322 MB".
[[nodiscard]] QString valueText(PanelUnit unit, double value);

} // namespace meshslice::ui
