#pragma once

#include "ui/charts/legend.h"
#include "ui/torus/torus_frame.h"
#include "ui/torus/torus_grid.h"
#include "ui/torus/torus_measure.h"

#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// The torus made ready for one size.
struct TorusPicture {
    const TimelineModel* model = nullptr;
    TorusShows shows = TorusShows::now;
    TorusFrame frame;
    TimeRange range;      ///< that is measured
    TorusMeasure measure; ///< without values where what happens now is shown, or slack is not found yet
    TorusGrid grid;
    QString title;
    QRectF title_area;
    QRectF legend_area;
    std::vector<LegendItem> legend;

    [[nodiscard]] std::size_t step() const { return frame.step; }
    /// The row of the timeline that a part is; none where it has none.
    [[nodiscard]] std::optional<std::size_t> rowOf(const TorusPart& part) const;
};

/// `slack`: of the step; null while it is not known. `turn`: of a torus of three axes in space.
[[nodiscard]] TorusPicture makeTorusPicture(const TimelineModel& model, const TorusFrame& frame,
                                            TorusShows shows, TimeRange range, const QRectF& area,
                                            const StepSlack* slack = nullptr,
                                            const std::optional<TorusTurn>& turn = {});
void paint(QPainter& painter, const TorusPicture& picture, Theme theme);
/// Frames a part.
void paintFramed(QPainter& painter, const TorusPicture& picture, const TorusPart& part, Theme theme);

} // namespace meshslice::ui
