#pragma once

#include "ui/charts/legend.h"
#include "ui/torus/torus_frame.h"
#include "ui/torus/torus_grid.h"

#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// What the colours say.
enum class TorusShows : std::uint8_t { now, load };

/// The torus made ready for one size.
struct TorusPicture {
    const TimelineModel* model = nullptr;
    TorusShows shows = TorusShows::now;
    TorusFrame frame;
    TimeRange range;           ///< that the loads are of
    std::vector<double> loads; ///< by row; empty where what happens now is shown
    TorusGrid grid;
    QString title;
    QRectF title_area;
    QRectF legend_area;
    std::vector<LegendItem> legend;

    [[nodiscard]] std::size_t step() const { return frame.step; }
    /// The row of the timeline that a part is; none where it has none.
    [[nodiscard]] std::optional<std::size_t> rowOf(const TorusPart& part) const;
};

[[nodiscard]] TorusPicture makeTorusPicture(const TimelineModel& model, const TorusFrame& frame,
                                            TorusShows shows, TimeRange range, const QRectF& area);
void paint(QPainter& painter, const TorusPicture& picture, Theme theme);
/// Frames a part.
void paintFramed(QPainter& painter, const TorusPicture& picture, const TorusPart& part, Theme theme);

} // namespace meshslice::ui
